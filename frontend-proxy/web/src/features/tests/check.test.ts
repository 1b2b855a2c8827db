import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { previewIn } from "./check";

it("reads a preview of which everything is null or of another type", () => {
  const nothing = { selected: 0, passing: 0, failing: 0, complete: false, examples: { passing: [], failing: [] }, reasons: [], explained: 0, findings: new Map() };
  expect(previewIn(answered({}))).toEqual(nothing);
  expect(previewIn(answered({ selected: "x", failing: {}, passingExamples: "x", failingExamples: [null, {}, { urn: 3 }], reasons: {}, failures: 1 }))).toEqual(nothing);
  const urn = "urn:li:tag:a";
  const read = previewIn(answered({ failingExamples: [{ urn, name: null, type: null }], reasons: [{ count: "2", condition: null }], failures: [{ urn, findings: [null, {}] }] }));
  expect(read).toMatchObject({ examples: { failing: [{ urn, name: "a", type: "" }] }, reasons: [{ count: 2, condition: { path: "", values: [] } }] });
  expect(read.findings.get(urn)).toHaveLength(1);
});
