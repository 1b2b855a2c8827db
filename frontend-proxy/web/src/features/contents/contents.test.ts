import { expect, it } from "vitest";

import { contentsIn, relatedIn } from "./contents";

const chart = { urn: "urn:li:chart:(looker,sales)", type: "CHART", chart: { name: "Net sales", description: "By week" }, platform: { name: "looker" } };

it("reads what a search and what relationships give, each thing once", () => {
  const held = { urn: chart.urn, name: "Net sales", type: "chart", subType: "", platform: "looker", description: "By week" };
  expect(contentsIn({ searchAcrossEntities: { total: 7, searchResults: [{ entity: chart }, { entity: chart }, { entity: null }, null] } })).toEqual({ total: 7, items: [held] });
  expect(relatedIn({ entity: { relationships: { total: 1, relationships: [{ entity: chart }] } } })).toEqual({ total: 1, items: [held] });
});

it("names by its URN what has no name, and takes answers for anything", () => {
  expect(relatedIn({ entity: { relationships: { relationships: [{ entity: { urn: "urn:li:chart:(looker,sales)", chart: { name: null } } }] } } }).items[0]?.name).toBe("sales");
  for (const other of [null, 7, "x", [], {}, { searchAcrossEntities: 4, entity: { relationships: [] } }]) {
    expect([contentsIn(other), relatedIn(other)]).toEqual([{ total: 0, items: [] }, { total: 0, items: [] }]);
  }
});
