import { expect, it } from "vitest";

import { troubleIn, troubleInput } from "./trouble";
import type { TroubleQuery } from "./trouble.operations";

const [a, b] = ["urn:li:dataProduct:a", "urn:li:dataProduct:b"];

const check = (dataset: string, ...products: string[]) => ({ entity: { urn: `urn:li:assertion:${dataset}`, dataset: { urn: dataset, products: { relationships: products.map((urn) => ({ entity: { urn } })) }, applications: null } } });

const answer = (total: number, ...checks: unknown[]) =>
  ({ incidents: { facets: [{ field: "dataProduct", aggregations: [{ value: a, count: 2 }, { value: "urn:li:dataProduct:other", count: 9 }] }] }, failing: { total, searchResults: checks } }) as unknown as TroubleQuery;

it("tells of each of a page what is in trouble in it", () => {
  const trouble = troubleIn("dataProduct", [a, b], answer(3, check("x", a), check("x", a), check("y", a, b)));
  expect([...trouble]).toEqual([
    [a, { failing: 2, atLeast: false, incidents: 2 }],
    [b, { failing: 1, atLeast: false, incidents: 0 }],
  ]);
});

it("knows that more may fail where not all failing checks were read, and calls nothing well without an answer", () => {
  expect(troubleIn("dataProduct", [b], answer(200, check("x", a))).get(b)).toEqual({ failing: 0, atLeast: true, incidents: 0 });
  expect(troubleIn("application", ["s"], { incidents: null, failing: null }).get("s")).toEqual({ failing: 0, atLeast: true, incidents: undefined });
});

it("asks for a whole page at once", () => {
  expect(troubleInput("application", ["s", "t"]).incidents.orFilters?.[0]?.and?.[0]).toEqual({ field: "applications", values: ["s", "t"] });
});
