import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { failingDatasetsIn, failingIn } from "./holders";

const check = (urn: unknown, inside: object = {}) => ({ entity: { dataset: { urn, ...inside } } });
const domain = { domain: { domain: { urn: "d" } } };

it("counts each failing dataset once for what holds it", () => {
  const found = failingDatasetsIn(answered({
    total: 5,
    searchResults: [
      check("a", domain),
      check("a", domain),
      check("b", { ...domain, products: { relationships: [{ entity: { urn: "p" } }, { entity: { urn: "q" } }] }, applications: [{ application: { urn: "s" } }] }),
      check("c", { domain: null, products: null, applications: [null, { application: null }] }),
      check("e"),
    ],
  }));
  expect(["d", "p", "q", "s", ""].map((holder) => failingIn(found, holder))).toEqual([2, 1, 1, 1, 0]);
  expect(found.complete).toBe(true);
});

it("knows that it does not know all, and lives with what did not come", () => {
  expect(failingDatasetsIn(answered({ total: 3, searchResults: [check("a"), check("b")] })).complete).toBe(false);
  expect([null, {}, { searchResults: [null, { entity: null }, check(null)] }].map((answer) => failingDatasetsIn(answered(answer)).datasets)).toEqual([[], [], []]);
});
