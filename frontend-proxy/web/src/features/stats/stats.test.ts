import { expect, it } from "vitest";

import { barsOf, figureText, lineOf, shareText, startOf, statsIn, stepsOf, unitOf } from "./stats";

const day = 86_400_000;
const now = Date.UTC(2026, 8, 30, 15);

it("reads use, profiles and operations of a dataset", () => {
  const told = statsIn({
    entity: {
      usage: {
        buckets: [{ bucket: 2 * day, metrics: { totalSqlQueries: 5 } }, null, { bucket: day, metrics: { totalSqlQueries: 3 } }],
        aggregations: { totalSqlQueries: 8, uniqueUserCount: 2, users: [{ user: null, count: 1, userEmail: "a@b.example" }, { user: { urn: "urn:li:corpuser:ilse", username: "ilse" }, count: 7 }], fields: [{ fieldName: "id", count: 4 }] },
      },
      profiles: [{ timestampMillis: 5, rowCount: "12", columnCount: null, sizeInBytes: 7 }],
      latest: [{ timestampMillis: 5, partitionSpec: { type: "PARTITION", partition: "2026-09" }, fieldProfiles: [{ fieldPath: "id", nullCount: 3, nullProportion: 0.00002, uniqueCount: 12345, max: "99999.5" }] }],
      operations: [{ timestampMillis: 1, operationType: "CUSTOM", customOperationType: "vacuum" }, { timestampMillis: 2, lastUpdatedTimestamp: 3, operationType: "REWRITE", numAffectedRows: 4 }],
    },
  });
  expect(told.usage?.points).toEqual([{ at: day, value: 3 }, { at: 2 * day, value: 5 }]);
  expect(told.usage?.readers).toEqual([{ urn: "urn:li:corpuser:ilse", name: "ilse", count: 7 }, { urn: "", name: "a@b.example", count: 1 }]);
  expect(told.rows).toEqual([{ at: 5, value: 12 }]);
  expect(told.columns).toEqual([]);
  expect(told.profiled).toEqual({ at: 5, part: "2026-09" });
  expect(told.columnStats).toMatchObject([{ path: "id", empty: "< 0.1 %", distinct: "12,345", most: "99,999.5", reads: 4 }]);
  expect(told.operations.map(({ kind }) => kind)).toEqual(["Rewrite", "vacuum"]);
});

it("bears an answer without anything", () => {
  expect(statsIn({ entity: { usage: null, profiles: [null, {}], latest: null, operations: [null] } })).toMatchObject({ usage: null, summary: null, rows: [], columnStats: [], operations: [] });
  expect(statsIn(null).profiled).toBeNull();
});

it("writes figures short, in one unit", () => {
  expect([412e6, 9999, 25_000, 3e9].map((most) => unitOf(most, "count").name)).toEqual(["millions", "", "thousands", "billions"]);
  expect(figureText(412_345_678, unitOf(412_345_678, "count"))).toBe("412");
  expect(figureText(61_640_000_000, unitOf(61_640_000_000, "size"))).toBe("61.6");
  expect(unitOf(0, "size")).toEqual({ name: "bytes", by: 1 });
  expect(shareText(0.3124)).toBe("31.2 %");
});

it("ends an axis at a round figure above all values", () => {
  expect([412, 61.6, 1, 0, Number.NaN].map((most) => stepsOf(most).at(-1))).toEqual([500, 80, 1, 1, 1]);
  expect(lineOf([{ at: 0, value: 0 }, { at: 10, value: 50 }], 100, 200, 80)).toBe("0.0,80.0 200.0,40.0");
  expect(lineOf([{ at: 5, value: 100 }], 100, 200, 80)).toBe("0.0,0.0 200.0,0.0");
});

it("counts by days, also those without any, and by weeks of a year", () => {
  const from = startOf(now, 7);
  expect(from).toBe(Date.UTC(2026, 8, 24));
  const bars = barsOf([{ at: from, value: 2 }, { at: from + 6 * day, value: 5 }, { at: from - 1, value: 9 }, { at: from + 7 * day, value: 9 }], from, 7);
  expect(bars.map(({ value }) => value)).toEqual([2, 0, 0, 0, 0, 0, 5]);
  const weeks = barsOf([{ at: startOf(now, 365) + 8 * day, value: 3 }], startOf(now, 365), 365);
  expect(weeks).toHaveLength(53);
  expect(weeks[1]).toMatchObject({ value: 3, days: 7 });
  expect(weeks.at(-1)?.days).toBe(1);
});
