import { describe, expect, it } from "vitest";

import { assetsOf, comparison, countOf, linesOf, moreThanBefore, reportIn, summaryText, toldBy, troubleText } from "./report";

// As written by the DataHub client.
const told = {
  cli: { cli_version: "1.7.0.17" },
  source: {
    type: "postgres",
    report: {
      aspects: { dataset: { schemaMetadata: 8, status: 7 }, container: { status: 2 }, bad: "x" },
      events_produced: 71,
      soft_deleted_stale_entities: ["urn:li:dataset:a", "... sampled of 12 total elements"],
      failures: [],
      warnings: [
        { title: "A column type is not known", message: "Kept as text.", context: ["shop.stores.area"] },
        { title: "A table could not be read", message: "The account may not select from it.", context: ["t0", "t1", "... sampled of 14 total elements"] },
        null,
      ],
    },
  },
  sink: { type: "datahub-rest", report: { total_records_written: 70, warnings: ["one more"], failures: [] } },
};
const passed = { state: "Passed", ended: true };

describe("the report of a run", () => {
  const report = reportIn(JSON.stringify(told));

  it("tells what was written and left out, warnings grouped and the most frequent first", () => {
    expect(report).toMatchObject({ read: 71, written: 70, removed: 12, assets: [{ type: "dataset", count: 8 }, { type: "container", count: 2 }] });
    expect(report?.warnings.map(({ title, count, places }) => [title, count, places.length])).toEqual([["A table could not be read", 14, 2], ["A column type is not known", 1, 1], ["one more", 1, 0]]);
    expect(report && [assetsOf(report), countOf(report.warnings), troubleText(report)]).toEqual([10, 16, "A table could not be read: t0 and 13 more"]);
  });

  it("is a sentence", () => {
    expect(summaryText(passed, report)).toBe("Wrote 70 changes to the catalog, about 8 datasets, 2 containers. 12 assets were gone at the source and marked as removed. 16 warnings in 3 groups.");
    expect(summaryText({ state: "Failed", ended: true }, reportIn('{"source": {"report": {"failures": [{"message": "No broker.", "context": ["b1"]}]}}, "sink": {"report": {"total_records_written": 0}}}'))).toBe(
      "Wrote nothing to the catalog. 1 failure: No broker.",
    );
    expect(summaryText(passed, null)).toMatch(/no report/);
    expect(summaryText({ state: "Running", ended: false }, null)).toBe("");
  });

  it("makes a run that passed one with warnings, and leaves one that failed", () => {
    expect(toldBy({ tone: "ok", state: "Passed" }, report)).toEqual({ tone: "warn", state: "With 16 warnings" });
    expect(toldBy({ tone: "bad", state: "Failed" }, report)).toEqual({ tone: "bad", state: "Failed" });
    expect(toldBy({ tone: "ok", state: "Passed" }, null)).toEqual({ tone: "ok", state: "Passed" });
  });

  it.each(["", "nonsense", "[]", "null", '"x"', undefined])("is none in %j", (text) => expect(reportIn(text)).toBeNull());

  it("bears members of any kind", () => {
    expect(reportIn('{"source": {"report": {"aspects": [1], "warnings": {"a": 1}, "failures": [5, {"context": 7}], "events_produced": "x"}}}')).toEqual({ read: undefined, written: undefined, assets: [], removed: 0, failures: [], warnings: [] });
  });
});

const ran = (took: number | undefined, warnings: number, datasets: number, ended = true) => ({
  one: { ended, took },
  report: reportIn(JSON.stringify({ source: { report: { aspects: { dataset: { status: datasets } }, warnings: Array.from({ length: warnings }, (_, index) => `w${index}`) } } })),
});

describe("a run against the one before", () => {
  it("tells what it did more or less of", () => {
    expect(comparison(ran(66_000, 3, 17), ran(46_000, 2, 15))).toEqual(["1 more warning", "2 more assets", "20 s longer"]);
    expect(comparison(ran(46_000, 0, 15), ran(66_000, 2, 1015))).toEqual(["2 fewer warnings", "1,000 fewer assets", "20 s shorter"]);
    expect(comparison(ran(50_000, 2, 15), ran(51_000, 2, 15))).toEqual(["as many assets", "about as long"]);
    expect([moreThanBefore(3, 2), moreThanBefore(2, 3), moreThanBefore(2, 2)]).toEqual(["1 more than in the run before", "1 fewer than in the run before", "as many as in the run before"]);
  });

  it("tells no more than is known of both", () => {
    expect(comparison({ ...ran(9000, 0, 0), report: null }, ran(1000, 5, 5))).toEqual(["8 s longer"]);
    expect(comparison(ran(undefined, 0, 0), ran(1000, 0, 0))).toEqual([]);
    expect(comparison(ran(9000, 1, 1, false), ran(1000, 0, 1))).toEqual([]);
    expect(comparison(ran(9000, 1, 1), ran(1000, 0, 1, false))).toEqual([]);
  });
});

it("lines of a log tell how grave they are", () => {
  expect(linesOf("[2026-11-22 03:12:04] INFO {x} - no failure\nWARNING: skipped\nTraceback (most recent call last)\nplain").map(({ number, level }) => [number, level])).toEqual([
    [1, "info"],
    [2, "warn"],
    [3, "bad"],
    [4, "info"],
  ]);
});
