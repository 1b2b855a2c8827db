import { expect, it } from "vitest";

import { verdictsIn } from "./verdict";

it("reads the verdicts on an asset, failing ones first, and no more than there is", () => {
  expect(verdictsIn({ passing: [{ test: { urn: "a" }, findings: null }], failing: [{ test: { urn: "b" } }, { test: null }] })).toEqual([
    { test: "b", passes: false, findings: [] },
    { test: "a", passes: true, findings: [] },
  ]);
  expect(verdictsIn({ passing: null })).toEqual([]);
  expect(verdictsIn(null)).toEqual([]);
});
