import { describe, expect, it } from "vitest";

import { countsOf, ending, percent, safeLink, soon, variablesFor } from "./needs";

const token = (id: string, expiresAt: number | null) => ({ id, name: id, expiresAt });

describe("home", () => {
  it("asks for what a person owns, by their groups, too", () => {
    const { owned, recent, tokens } = variablesFor("urn:li:corpuser:a", ["urn:li:corpGroup:g"], ["1", "2", "3", "4", "5"]);
    expect(owned.orFilters).toEqual([{ and: [{ field: "owners", values: ["urn:li:corpuser:a", "urn:li:corpGroup:g"] }] }]);
    expect(tokens.filters).toEqual([{ field: "ownerUrn", values: ["urn:li:corpuser:a"] }]);
    expect(recent).toEqual(["1", "2", "3", "4"]);
  });

  it("asks for what fails, whoever owns it", () => {
    const { failing, open } = variablesFor("urn:li:corpuser:a", [], []);
    expect([failing.types, failing.orFilters]).toEqual([["ASSERTION"], [{ and: [{ field: "assertionStatus", values: ["FAILING", "ERROR"] }] }]]);
    expect([open.types, open.count]).toEqual([["INCIDENT"], 0]);
  });

  it("tells of tokens that end soon, and not of those that have ended or never end", () => {
    expect(ending([token("later", soon + 2), token("b", 1 + soon / 2), token("over", 1), token("never", null), token("a", 5)], 2).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("lives with counts that did not come", () => {
    expect(countsOf(null, "domains")).toEqual([]);
    expect(countsOf({ facets: [{ field: "domains", aggregations: [{ value: "a", count: 0 }, { value: "b", count: 2 }] }] }, "domains")).toEqual([{ value: "b", count: 2 }]);
  });

  it("calls nothing all that is not", () => {
    expect([percent(999, 1000), percent(10, 10), percent(0, 0), percent(1, 3)]).toEqual([99, 100, 0, 33]);
  });

  it("leads nowhere by a script", () => {
    expect([safeLink("https://wiki.example/x"), safeLink("javascript:alert(1)"), safeLink(null)]).toEqual(["https://wiki.example/x", undefined, undefined]);
  });
});
