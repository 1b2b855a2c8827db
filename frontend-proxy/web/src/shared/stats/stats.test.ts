import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { axisOf, barsOf, figureText, firstColumn, lineOf, profilesOf, riseOf, shareText, startOf, statsIn, stepsOf, unitOf } from "./stats";

const day = 86_400_000;
const now = Date.UTC(2026, 8, 30, 15);

it("reads use, profiles and operations of a dataset", () => {
  const told = statsIn(answered({
    entity: {
      usage: {
        buckets: [{ bucket: 2 * day, metrics: { totalSqlQueries: 5 } }, null, { bucket: day, metrics: { totalSqlQueries: 3 } }],
        aggregations: { totalSqlQueries: 8, uniqueUserCount: 2, users: [{ user: null, count: 1, userEmail: "a@b.example" }, { user: { urn: "urn:li:corpuser:ilse", username: "ilse" }, count: 7 }], fields: [{ fieldName: "id", count: 4 }] },
      },
      profiles: [{ timestampMillis: 5, rowCount: "12", columnCount: null, sizeInBytes: 7 }],
      latest: [{ timestampMillis: 5, partitionSpec: { type: "PARTITION", partition: "2026-09" }, fieldProfiles: [{ fieldPath: "id", nullCount: 3, nullProportion: 0.00002, uniqueCount: 12345, max: "99999.5" }] }],
      operations: [{ timestampMillis: 1, operationType: "CUSTOM", customOperationType: "vacuum" }, { timestampMillis: 2, lastUpdatedTimestamp: 3, operationType: "REWRITE", numAffectedRows: 4 }],
    },
  }));
  expect(told.usage?.points).toEqual([{ at: day, value: 3 }, { at: 2 * day, value: 5 }]);
  expect(told.usage?.readers).toEqual([{ urn: "urn:li:corpuser:ilse", name: "ilse", count: 7 }, { urn: "", name: "a@b.example", count: 1 }]);
  expect(told.rows).toEqual([{ at: 5, value: 12 }]);
  expect(told.bytes).toEqual([{ at: 5, value: 7 }]);
  expect(told.profiled).toEqual({ at: 5, part: "2026-09" });
  expect(told.columnStats).toMatchObject([{ path: "id", empty: "< 0.1 %", distinct: "12,345", most: "99,999.5", reads: 4 }]);
  expect(told.operations.map(({ kind }) => kind)).toEqual(["Rewrite", "vacuum"]);
});

it("bears an answer without anything", () => {
  expect(statsIn(answered({ entity: { usage: null, profiles: [null, {}], latest: null, operations: [null] } }))).toMatchObject({ usage: null, summary: null, rows: [], columnStats: [], operations: [] });
  expect(statsIn(answered(null)).profiled).toBeNull();
});

const profiled = (...profiles: Record<string, Record<string, unknown>>[]) =>
  statsIn(answered({ entity: { columns: profiles.map((columns, index) => ({ timestampMillis: index + 1, fieldProfiles: Object.entries(columns).map(([fieldPath, column]) => Object.assign({ fieldPath }, column)) })).toReversed() } })).histories;

it("reads what profiles told of columns over time, the oldest first, and leaves out what is no number", () => {
  const histories = profiled({ total: { nullCount: "0", min: "-2.5", max: "2026-01-01" } }, { total: { nullCount: 3, min: "-1", mean: null } });
  expect(histories.get("total")).toEqual(new Map([["empty", [{ at: 1, value: 0 }, { at: 2, value: 3 }]], ["least", [{ at: 1, value: -2.5 }, { at: 2, value: -1 }]]]));
  expect(statsIn(answered({ entity: { columns: [null, { timestampMillis: null, fieldProfiles: [{ fieldPath: "a", nullCount: 1 }] }, { timestampMillis: 1, fieldProfiles: [null, { fieldPath: null, nullCount: 1 }] }] } })).histories.size).toBe(0);
  expect([0, 34, 4000, 100_000, undefined].map((columns) => profilesOf(columns))).toEqual([400, 294, 5, 5, 20]);
});

it("says that far more rows are empty than in any profile before", () => {
  const rise = (...counts: (number | [number, number])[]) => riseOf(profiled(...counts.map((each) => ({ a: Array.isArray(each) ? { nullCount: each[0], nullProportion: each[1] } : { nullCount: each } }))).get("a"));
  expect(rise(0, 12, 0, 214)).toBe("214 rows, at most 12 before");
  expect(rise(0, 0, 1)).toBe("1 row, none before");
  expect(rise(100, 110, 220)).toBe("");
  expect(rise(0, 9)).toBe("");
  // The table grew in proportion.
  expect(rise([10, 0.1], [10, 0.1], [100, 0.1])).toBe("");
  expect(riseOf(profiled({ a: { nullProportion: 0.05 } }, { a: { nullProportion: 0.06 } }, { a: { nullProportion: 0.25 } }).get("a"))).toBe("25 %, at most 6 % before");
  expect(riseOf(undefined)).toBe("");
});

it("shows the column first that is in trouble", () => {
  const { columnStats } = statsIn(answered({
    entity: {
      latest: [{ timestampMillis: 3, fieldProfiles: ["calm", "checked", "risen"].map((fieldPath) => ({ fieldPath })) }],
      assertions: { assertions: [{ info: { fieldAssertion: { fieldMetricAssertion: { field: { path: "checked" } } } }, runEvents: { runEvents: [{ result: { type: "FAILURE" } }] } }] },
    },
  }));
  expect(columnStats.map(({ fails }) => fails)).toEqual([false, true, false]);
  const calm = { calm: { nullCount: 0 }, checked: { nullCount: 0 }, risen: { nullCount: 0 } };
  expect(firstColumn(columnStats, profiled(calm, calm, { ...calm, risen: { nullCount: 5 } }))).toBe("risen");
  expect(firstColumn(columnStats, profiled(calm))).toBe("checked");
  expect(firstColumn(columnStats, profiled({ calm: {}, risen: { nullCount: 2 } }))).toBe("risen");
  expect(firstColumn(columnStats, profiled({ risen: { max: 2 } }))).toBe("risen");
  expect(firstColumn(columnStats, profiled())).toBe("");
});

it("ends an axis below 0 where figures are", () => {
  expect(axisOf(0, 412)).toEqual([0, 250, 500]);
  expect(axisOf(-3, 7)).toEqual([-4, -2, 0, 4, 8]);
  expect(axisOf(-3, 0)).toEqual([-4, -2, 0]);
  expect(lineOf([{ at: 0, value: -4 }, { at: 10, value: 8 }], 8, 100, 60, -4)).toBe("0.0,60.0 100.0,0.0");
  expect(figureText(46.94, unitOf(46.94, "count"))).toBe("46.9");
  expect(figureText(0.25462, unitOf(0.25, "share"))).toBe("25.5");
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
