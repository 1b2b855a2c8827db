import { expect, it } from "vitest";

import { addedText, assetName, runs, shareOf, stateOf, stateText, triggerText, searchFor } from "./result";

it("names assets as people know them", () => {
  expect(assetName("urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)")).toBe("sales.orders");
  expect(assetName("urn:li:dashboard:(looker,7)")).toBe("7");
  expect(assetName("urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)")).toBe("load");
  expect(assetName("urn:li:container:abc")).toBe("abc");
  expect(assetName("nonsense")).toBe("nonsense");
});

it("counts none at all as passing", () => {
  expect([{ passing: 3, failing: 1 }, { passing: null, failing: null }, {}].map(shareOf)).toEqual([0.75, 1, 1]);
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
