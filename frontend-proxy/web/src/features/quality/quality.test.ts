import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { byUrgency, checkIn, daysOf, inOrder, lastOf, runIn, sentenceOf, sinceOf, stateOf, summaryOf, tallyText } from "../../shared/quality/quality";
import { detailIn } from "./detail";
import { qualityIn } from "./page";

const day = 86_400_000;
const start = Date.UTC(2026, 8, 1, 12);
const event = (at: number, type: unknown, more = {}) => ({ timestampMillis: start + at * day, result: { type, ...more } });
const check = (urn: string, types: readonly unknown[]) => ({ urn, info: { type: "FIELD", description: urn }, runEvents: { runEvents: types.map((type, at) => event(-at, type)) } });
const told = (assertions: readonly unknown[], more = {}) => qualityIn(answered({ entity: { assertions: { total: assertions.length, assertions }, ...more } }));

const incident = (urn: string, state: string, priority: string | null, at: number) => ({ urn, priority, incidentType: "CUSTOM", customType: "Odd", created: { time: start + at }, incidentStatus: { state } });
const sentence = (...types: readonly unknown[][]) => sentenceOf(summaryOf(told(types.map((each, at) => check(String(at), each))).checks ?? [])).text;
const detail = (info: unknown) => detailIn(answered({ assertion: { info } })).facts;

it("puts failing checks first and says since when the first of them fails", () => {
  const { checks = [] } = told([check("b passes", ["SUCCESS", "FAILURE"]), check("a fails", ["FAILURE", "FAILURE", "SUCCESS", "FAILURE"]), check("c never ran", [])]);
  expect(checks.map(({ urn }) => urn)).toEqual(["a fails", "c never ran", "b passes"]);
  expect(checks[0] && sinceOf(checks[0])).toBe(start - day);
  const summary = summaryOf(checks);
  expect(summary).toEqual({ all: 3, failed: 1, error: 0, open: 1, passed: 1, since: start - day, last: start });
  expect(sentenceOf(summary)).toEqual({ tone: "bad", text: "1 of 3 checks fails" });
});

it("says that all pass, that some could not be run, and that some have no verdict", () => {
  expect(sentence(["SUCCESS"], ["SUCCESS"])).toBe("All 2 checks pass");
  expect(sentence(["SUCCESS"])).toBe("The one check passes");
  expect(sentence(["SUCCESS"], ["ERROR"])).toBe("1 of 2 checks could not be run");
  expect(sentence(["SUCCESS"], ["INIT"], [])).toBe("2 of 3 checks have not come to a verdict yet");
});

it("judges by the last run with a verdict", () => {
  const [one] = told([check("a", ["INIT", "FAILURE"])]).checks ?? [];
  expect(one && stateOf(one)).toBe("failed");
  expect(one && lastOf(one)?.at).toBe(start - day);
});

it("adds up the runs of each day", () => {
  const { checks = [] } = told([check("a", ["SUCCESS", "SUCCESS", "INIT"]), check("b", ["FAILURE", "SUCCESS"])]);
  const days = daysOf(checks, 30);
  expect(days.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
  expect(days[1] && tallyText(days[1])).toBe("1 failed, 1 passed");
  expect(daysOf(checks, 1)).toHaveLength(1);
});

it("tells what a run found by what matters most", () => {
  expect(runIn(answered(event(0, "FAILURE", { unexpectedCount: 35, rowCount: 9, nativeResults: [{ key: "checked", value: "41433" }] }))).found).toBe("35 unexpected");
  expect(runIn(answered(event(0, "SUCCESS", { nativeResults: [{ key: "checked", value: "41433" }] }))).found).toBe("41,433 checked");
  expect(runIn(answered(event(0, "ERROR", { error: { type: "SOURCE_QUERY_FAILED", properties: [{ key: "message", value: "no table" }] } }))).reason).toBe("Source query failed: no table");
});

it("bears what no schema promises", () => {
  expect(told([null, { urn: null }, { urn: "a", info: null, platform: null, runEvents: { runEvents: [null, { result: null }, { result: { type: "NEW_KIND" } }] } }]).checks).toMatchObject([{ urn: "a", name: "a", runs: [{ word: "No verdict" }, { word: "New kind" }] }]);
  expect(qualityIn(answered(null))).toEqual({ checks: undefined, total: 0, incidents: [], incidentTotal: 0 });
  expect(detailIn(answered({ assertion: { info: { fieldAssertion: { fieldMetricAssertion: { operator: "SOON", parameters: null } } } } }))).toMatchObject({ facts: [{ key: "Demands", value: "soon" }], runs: [] });
});

it("orders incidents by whether they are open, how grave and how new they are", () => {
  const { incidents } = told([], { active: { total: 3, incidents: [incident("low", "ACTIVE", "LOW", 9), incident("none", "ACTIVE", null, 10), incident("high", "ACTIVE", "HIGH", 1), incident("new state", "PAUSED", "LOW", 1)] }, resolved: { total: 40, incidents: [incident("old", "RESOLVED", "CRITICAL", 99)] } });
  expect(byUrgency(incidents).map(({ urn }) => urn)).toEqual(["high", "low", "new state", "none", "old"]);
  expect(incidents[0]?.kind).toBe("Odd");
});

it("tells what a check demands", () => {
  expect(detail({ volumeAssertion: { type: "ROW_COUNT_TOTAL", rowCountTotal: { operator: "BETWEEN", parameters: { minValue: { value: "1" }, maxValue: { value: "5" } } } } })).toEqual([
    { key: "Measures", value: "Row count total" },
    { key: "Demands", value: "between 1 and 5" },
  ]);
  expect(detail({ freshnessAssertion: { schedule: { fixedInterval: { unit: "HOUR", multiple: 2 } } } })).toEqual([{ key: "Due", value: "every 2 hours" }]);
  expect(inOrder([])).toEqual([]);
});

it("shows columns, operator and parameters of checks that other tools report", () => {
  const info = {
    type: "CUSTOM",
    customAssertion: {
      type: "Great Expectations", field: null, fields: [{ path: "Amount (EUR)" }, { path: "state" }], scope: "DATASET_COLUMN", aggregation: "MAX", operator: "BETWEEN",
      parameters: { value: null, minValue: { value: "1" }, maxValue: { value: "9" } }, nativeType: "expect_column_max_to_be_between", logic: null, nativeParameters: null,
    },
  };
  expect(checkIn(answered({ urn: "urn:li:assertion:a", info }))?.columns).toEqual(["Amount (EUR)", "state"]);
  const facts = detailIn(answered({ assertion: { urn: "urn:li:assertion:a", info } })).facts;
  expect(JSON.stringify(facts)).toContain("expect_column_max_to_be_between");
  expect(facts.some(({ value }) => /\b1\b.*\b9\b/u.test(value))).toBe(true);
});
