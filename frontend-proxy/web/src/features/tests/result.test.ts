import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { addedText, assetName, runIn, runs, runsIn, shareOf, stateOf, starterIn, stateText, testIn, testsIn, triggerText, searchFor } from "./result";

it("names assets as people know them", () => {
  expect(assetName("urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)")).toBe("sales.orders");
  expect(assetName("urn:li:dashboard:(looker,7)")).toBe("7");
  expect(assetName("urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)")).toBe("load");
  expect(assetName("urn:li:container:abc")).toBe("abc");
  expect(assetName("nonsense")).toBe("nonsense");
});

it("counts none at all as passing", () => {
  expect([{ passing: 3, failing: 1 }, { passing: 0, failing: 0 }].map(shareOf)).toEqual([0.75, 1]);
});

it("shows words that are not known here as they are, and does not wait for such a run", () => {
  expect([triggerText("MOON"), stateOf("PAUSED"), runs({ state: "PAUSED" }), runs({ state: "RUNNING" }), runs({ state: "RUNNING", ended: 3 })]).toEqual(["MOON", "paused", false, true, false]);
});

const pack = (...states: string[]) => addedText(states.map((state) => ({ state })));

it("says what adding the starter pack has done", () => {
  expect([pack("CREATED", "CREATED"), pack("CREATED", "PRESENT"), pack("CHANGED", "PRESENT"), pack("CREATED", "MOON", "CHANGED")]).toEqual([
    "2 tests were added",
    "1 test was added, 1 was there",
    "No test was added, 2 were there",
    "1 test was added, 2 were there",
  ]);
  expect([stateText("CHANGED"), stateText("MOON")]).toEqual(["is there, changed", "MOON"]);
});

it("leads to a search for the assets that a test was failed or passed by", () => {
  const address = new URL(searchFor("urn:li:test:a,b", "failing"), "http://catalog.example");
  expect([...address.searchParams]).toEqual([["query", "*"], ["filter_failingTests___false___EQUAL___0", "urn:li:test:a%2Cb"]]);
});

it("reads tests of which everything but the URN is null or of another type", () => {
  const urn = "urn:li:test:a";
  const none = { name: null, category: null, description: null, definition: null, runEvents: null };
  const event = { time: undefined, run: "", invalid: false, trigger: "", actor: "", passing: 0, failing: 0, changed: 0, error: "" };
  expect(testsIn(answered({ tests: [null, none, { ...none, urn }, { urn, name: {}, category: 1, runEvents: { runEvents: [null, { timestampMillis: "x", passing: "3" }] } }] }))).toEqual([
    { urn, name: "", category: "", last: undefined },
    { urn, name: "", category: "1", last: { ...event, passing: 3 } },
  ]);
  expect(testIn(answered({ ...none, urn }))).toEqual({ urn, name: "", category: "", last: undefined, description: "", json: "", events: [] });
  expect([testIn(null), testIn(answered(none)), testsIn(null), testsIn(answered({ tests: "x" }))]).toEqual([null, null, [], []]);
  expect(starterIn(answered([null, {}, { urn, name: null, description: {}, state: null }]))).toEqual([{ urn, name: urn, description: "", state: "" }]);
});

it("reads runs of which everything but the id is null or of another type", () => {
  const nothing = { actor: "", began: undefined, ended: undefined, took: undefined, done: 0, total: 0, passing: 0, failing: 0, error: "", problems: [], tests: [] };
  expect(runIn(answered({ id: "a", state: null, tests: {}, problems: "x", created: {} }))).toEqual([{ id: "a", state: "", active: false, ...nothing }]);
  expect(runIn(answered({ id: "a", state: "RUNNING", tests: [null, { urn: "t" }], problems: [null, {}] }))).toEqual([{ id: "a", state: "running", active: true, ...nothing, problems: [{ test: "", message: "" }], tests: [{ urn: "t", name: "t" }] }]);
  expect([runsIn(answered({ testRuns: { total: "2", runs: [null, {}] } })), runsIn(answered({ testRuns: null }))]).toEqual([{ runs: [], total: 2 }, { runs: [], total: 0 }]);
});
