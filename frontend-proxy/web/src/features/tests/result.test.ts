import { expect, it } from "vitest";

import { assetName, runs, shareOf, stateOf, triggerText, verdictsIn } from "./result";

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

it("reads the verdicts on an asset, failing ones first, and no more than there is", () => {
  expect(verdictsIn({ value: { passing: [{ test: "a", lastComputed: { time: 5 } }], failing: [{ test: "b" }, null] } })).toEqual([
    { test: "b", passes: false, at: null },
    { test: "a", passes: true, at: 5 },
  ]);
  expect(verdictsIn({ value: null })).toEqual([]);
  expect(verdictsIn("x")).toEqual([]);
});

it("shows words that are not known here as they are, and does not wait for such a run", () => {
  expect([triggerText("MOON"), stateOf("PAUSED"), runs({ state: "PAUSED" }), runs({ state: "RUNNING" }), runs({ state: "RUNNING", ended: 3 })]).toEqual(["MOON", "paused", false, true, false]);
});
