import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { columnsIn } from "./columns";
import { breaksIn, changesIn, countsText, differencesOf, differencesText, pastColumns, reachText, versionOf, versionsIn } from "./versions";

const field = (fieldPath: string, more = {}) => ({ fieldPath, type: "STRING", nativeDataType: "TEXT", nullable: true, description: null, ...more });

it("tells what differs between versions: what was added, removed and changed", () => {
  const older = columnsIn(answered({ fields: [field("a"), field("b"), field("c", { description: "One" })] }));
  const newer = columnsIn(answered({ fields: [field("a", { nativeDataType: "NUMBER", nullable: false }), field("c", { description: "Two" }), field("d")] }));
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
  expect(versionsIn(answered(answer))).toEqual([{ name: "1.0.0", at: 9, number: 2 }, { name: "0.0.0", at: 5, number: 1 }]);
  const sameTime = [0, 2, 1].map((number) => ({ semanticVersion: String(number), semanticVersionTimestamp: 5, versionStamp: `schemaMetadata:${number}` }));
  expect(versionsIn(answered({ getSchemaVersionList: { semanticVersionList: sameTime } })).map(({ number }) => number)).toEqual([0, 2, 1]);
  expect(versionsIn(answered(null))).toEqual([]);
});

it("finds the version that an address means, by its number or its name", () => {
  const versions = [{ name: "1.0.0", at: 9, number: 0 }, { name: "0.0.0", at: 5, number: 1 }];
  expect(["0", "1", "1.0.0", "0.0.0", "2", "", "x"].map((text) => versionOf(versions, text)?.name)).toEqual(["1.0.0", "0.0.0", "1.0.0", "0.0.0", undefined, undefined, undefined]);
});

it("counts what became of columns", () => {
  expect(countsText(["removed", "added", "added"])).toBe("2 columns added, 1 removed");
  expect(countsText(["changed"])).toBe("1 column changed");
  expect(countsText([])).toBe("");
});

const change = (operation: string, path: string) => ({ operation, parameters: [{ key: "nullable", value: "true" }, { key: "fieldPath", value: path }] });

it("tells by the timeline what each version changed, each column once", () => {
  const changeTransactions = [
    { versionStamp: "datasetKey:0;schemaMetadata:1", changes: [change("ADD", "id"), change("MODIFY", "id"), change("MODIFY", "total"), change("ADD", "total")] },
    { versionStamp: "schemaMetadata:0", changes: [change("REMOVE", "id"), change("MODIFY", "total"), change("MERGE", "other")] },
    { versionStamp: "ownership:4", changes: [change("ADD", "id")] },
    null,
  ];
  expect([...changesIn(answered({ getTimeline: { changeTransactions } }))]).toEqual([[1, "2 columns added"], [0, "2 columns changed, 1 removed"]]);
  expect(changesIn(answered(null)).size).toBe(0);
});

it("marks the columns of an older version with what became of them, and adds what came since", () => {
  const older = columnsIn(answered({ fields: [field("a"), field("a.gone"), field("b"), field("c")] }));
  const newest = columnsIn(answered({ fields: [field("new", { description: "Of today" }), field("a"), field("a.new"), field("b", { nativeDataType: "NUMBER" }), field("c")] }));
  const marked = pastColumns(older, newest);
  expect(marked.map(({ path, type, since }) => [path, type, since?.kind])).toEqual([
    ["a", "TEXT", undefined],
    ["a.gone", "TEXT", "removed"],
    ["a.new", "TEXT", "added"],
    ["b", "TEXT", "changed"],
    ["c", "TEXT", undefined],
    ["new", "TEXT", "added"],
  ]);
  expect(marked[0]?.inside).toBe(2);
  expect(marked.at(-1)?.description).toBe("");
});

it("takes for breaking what was removed or got another type", () => {
  const older = columnsIn(answered({ fields: [field("gone"), field("typed"), field("said", { description: "One" }), field("same")] }));
  const newer = columnsIn(answered({ fields: [field("typed", { nativeDataType: "NUMBER" }), field("said", { description: "Two" }), field("same"), field("new")] }));
  expect(breaksIn(differencesOf(older, newer)).map(({ path }) => path)).toEqual(["typed", "gone"]);
});

const reached = (dashboards: number, charts: number, all: number, isPartial = false) => ({ dashboards: { total: dashboards }, charts: { total: charts }, all: { total: all, isPartial } });

it("says what is made from a column", () => {
  expect(reachText(reached(1, 2, 5))).toBe("1 dashboard, 2 charts and 2 other assets");
  expect(reachText(reached(0, 0, 1))).toBe("1 asset");
  expect(reachText(reached(0, 3, 3, true))).toBe("3 charts or more");
  expect(reachText(reached(0, 0, 0))).toBe("");
  expect(reachText({})).toBe("");
});
