import { expect, it } from "vitest";

import { columnsIn } from "./columns";
import { breaksIn, countsText, differencesOf, differencesText, reachText, versionsIn } from "./versions";

const field = (fieldPath: string, more = {}) => ({ fieldPath, type: "STRING", nativeDataType: "TEXT", nullable: true, description: null, ...more });

it("tells what differs between versions: what was added, removed and changed", () => {
  const older = columnsIn({ fields: [field("a"), field("b"), field("c", { description: "One" })] });
  const newer = columnsIn({ fields: [field("a", { nativeDataType: "NUMBER", nullable: false }), field("c", { description: "Two" }), field("d")] });
  expect(differencesOf(older, newer)).toEqual([
    { path: "a", kind: "changed", text: "may not be empty any more", was: "TEXT", is: "NUMBER" },
    { path: "c", kind: "changed", text: "described in other words" },
    { path: "d", kind: "added", text: "", is: "TEXT" },
    { path: "b", kind: "removed", text: "", was: "TEXT" },
  ]);
  expect(differencesText(differencesOf(older, newer))).toBe("a\tchanged\tTEXT → NUMBER\tmay not be empty any more\nc\tchanged\tdescribed in other words\nd\tadded\tTEXT\nb\tremoved\tTEXT");
});

it("lists versions by the number of the aspect, the newest first", () => {
  const answer = { getSchemaVersionList: { semanticVersionList: [{ semanticVersion: "0.0.0", semanticVersionTimestamp: 5, versionStamp: "schemaMetadata:1" }, { semanticVersion: "1.0.0", semanticVersionTimestamp: 9, versionStamp: "browsePaths:1;schemaMetadata:2" }, null, { versionStamp: "other:3" }] } };
  expect(versionsIn(answer)).toEqual([{ name: "1.0.0", at: 9, number: 2 }, { name: "0.0.0", at: 5, number: 1 }]);
  const sameTime = [0, 2, 1].map((number) => ({ semanticVersion: String(number), semanticVersionTimestamp: 5, versionStamp: `schemaMetadata:${number}` }));
  expect(versionsIn({ getSchemaVersionList: { semanticVersionList: sameTime } }).map(({ number }) => number)).toEqual([0, 2, 1]);
  expect(versionsIn(null)).toEqual([]);
});

it("counts what became of columns", () => {
  expect(countsText(["removed", "added", "added"])).toBe("2 columns added, 1 removed");
  expect(countsText(["changed"])).toBe("1 column changed");
  expect(countsText([])).toBe("");
});

it("takes for breaking what was removed or got another type", () => {
  const older = columnsIn({ fields: [field("gone"), field("typed"), field("said", { description: "One" }), field("same")] });
  const newer = columnsIn({ fields: [field("typed", { nativeDataType: "NUMBER" }), field("said", { description: "Two" }), field("same"), field("new")] });
  expect(breaksIn(differencesOf(older, newer)).map(({ path }) => path)).toEqual(["typed", "gone"]);
});

const reached = (dashboards: number, charts: number, all: number, isPartial = false) => ({ dashboards: { total: dashboards }, charts: { total: charts }, all: { total: all, isPartial } });

it("says what is made from a column", () => {
  expect(reachText(reached(1, 2, 5))).toBe("1 dashboard, 2 charts and 2 other assets");
  expect(reachText(reached(0, 0, 1))).toBe("1 asset");
  expect(reachText(reached(0, 3, 3, true))).toBe("3 charts or more");
  expect(reachText(reached(0, 0, 0))).toBe("");
  expect(reachText(null)).toBe("");
});
