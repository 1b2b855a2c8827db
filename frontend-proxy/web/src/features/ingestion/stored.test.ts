import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { sourceIn } from "./stored";

it("reads a source in the form in which it is stored", () => {
  const config = { recipe: "{}", executorId: "own", version: null, debugMode: true, extraArgs: [{ key: "a", value: null }] };
  const source = { urn: "urn:a", name: "A", type: "postgres", schedule: { interval: "0 4 * * *", timezone: "UTC" }, source: { type: "SYSTEM" as const }, config };
  expect(sourceIn({ ...source, executions: null })).toEqual(source);
});

it("reads a source of which everything but the URN is null or of another type", () => {
  const blank = { urn: "urn:a", name: "urn:a", type: "", schedule: null, config: { recipe: "", executorId: "default", version: null, debugMode: null, extraArgs: null }, source: null };
  expect(sourceIn(answered({ urn: "urn:a" }))).toEqual(blank);
  expect(sourceIn(answered({ urn: "urn:a", name: {}, type: [], schedule: "x", config: { recipe: {}, extraArgs: {} }, source: "x" }))).toEqual({ ...blank, config: { ...blank.config, extraArgs: [] } });
  expect([null, {}].map((each) => sourceIn(answered(each)))).toEqual([null, null]);
});
