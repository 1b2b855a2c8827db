import { describe, expect, it } from "vitest";

import { aggregationsIn, entitiesIn, pageIn, rowEntitiesIn, rowsIn } from "./found";

describe("rows of a search", () => {
  it("are those that name what was found", () => {
    const row = { entity: { urn: "urn:li:tag:a" } };
    expect(rowsIn({ searchResults: [row, null, "x", {}, { entity: null }, { entity: { urn: 3.5 } }, { entity: { urn: "" } }] as never })).toEqual([row, { entity: { urn: 3.5 } }]);
    for (const page of [null, undefined, "x", -1, [], {}, { searchResults: "x" }, { searchResults: {} }]) {
      expect(rowsIn(page as never)).toEqual([]);
    }
  });
});

describe("values of a facet", () => {
  it("are those with a value and a count", () => {
    const row = { value: "a", count: 2 };
    expect(aggregationsIn({ facets: [null, "x", { field: "tags", aggregations: [row, null, {}, { value: null, count: 1 }, { value: "b", count: "1" }] }] } as never, "tags")).toEqual([row]);
    for (const answer of [null, "x", { facets: "x" }, { facets: [{ field: "tags", aggregations: -1 }] }, { facets: [{ field: "other", aggregations: [row] }] }]) {
      expect(aggregationsIn(answer as never, "tags")).toEqual([]);
    }
  });
});

describe("entities of a list", () => {
  it("are those with a URN", () => {
    const one = { urn: "urn:li:tag:a", name: null };
    const list = [one, null, undefined, {}, "x", { urn: null }, { urn: "" }, { urn: 3.5 }, { urn: { urn: "x" } }];
    expect(entitiesIn(list as never)).toEqual([one]);
    expect(rowEntitiesIn([null, {}, "x", ...list.map((entity) => ({ entity }))] as never)).toEqual([one]);
    for (const other of [null, undefined, "x", -1, {}]) {
      expect(entitiesIn(other as never)).toEqual([]);
      expect(rowEntitiesIn(other as never)).toEqual([]);
    }
  });
});

describe("a page of search results", () => {
  it("holds what the reader makes of each entity, and the number of all", () => {
    const page = { total: "7", searchResults: [{ entity: { urn: "a" } }, null, { entity: null }, { entity: { urn: "b" } }] };
    expect(pageIn(page as never, ({ urn }: { urn: string }) => urn)).toEqual({ items: ["a", "b"], total: 7 });
    expect(pageIn(page as never, ({ urn }: { urn: string }) => (urn === "a" ? [] : [urn, urn]))).toEqual({ items: ["b", "b"], total: 7 });
    for (const other of [null, undefined, {}, "x"]) {
      expect(pageIn(other as never, () => 1)).toEqual({ items: [], total: 0 });
    }
  });
});
