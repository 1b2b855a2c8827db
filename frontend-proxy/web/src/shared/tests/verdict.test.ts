import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { verdictsIn } from "./verdict";

it("reads the verdicts on an asset, failing ones first, and no more than there is", () => {
  expect(verdictsIn({ passing: [null, { test: { urn: "a", name: null }, findings: null }], failing: [{ test: { urn: "b", name: null } }, { test: null }] })).toEqual([
    { test: "b", passes: false, findings: [] },
    { test: "a", passes: true, findings: [] },
  ]);
  expect(verdictsIn({ passing: null })).toEqual([]);
  expect(verdictsIn(null)).toEqual([]);
  const condition = { path: "", property: "", operator: null, values: [], match: null, elements: null, negated: false, oneOf: null };
  expect(verdictsIn(answered({ passing: {}, failing: [{ test: { urn: "a" }, findings: [null, {}, { condition: { values: {}, operator: [] }, found: "x", foundTotal: "2" }] }] }))).toEqual([
    {
      test: "a",
      passes: false,
      findings: [
        { condition, met: false, decisive: false, found: null, foundTotal: null, elements: null },
        { condition, met: false, decisive: false, found: [], foundTotal: 2, elements: null },
      ],
    },
  ]);
});
