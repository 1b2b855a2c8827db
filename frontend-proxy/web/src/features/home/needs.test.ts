import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { countsOf, ending, newestIn, percent, postsIn, safeLink, soon, variablesFor } from "./needs";

const token = (id: string, expiresAt: number | null) => ({ id, name: id, expiresAt });

const post = (content: unknown) => ({ urn: "urn:li:post:a", postType: "HOME_PAGE_ANNOUNCEMENT", content });

const newest = (entity: unknown, value: unknown) => ({ searchResults: [{ entity, extraProperties: [null, { name: "other", value: "7" }, { name: "systemCreated", value }] }] });

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
    expect(ending({ tokens: [token("later", soon + 2), token("b", 1 + soon / 2), null, token("over", 1), token("never", null), token("a", 5)] }, 2).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("lives with counts that did not come", () => {
    expect(countsOf(null, "domains")).toEqual([]);
    expect(countsOf({ facets: [{ field: "domains", aggregations: [{ value: "a", count: 0 }, { value: "b", count: 2 }] }] }, "domains")).toEqual([{ value: "b", count: 2 }]);
  });

  it("tells what came in last, where an answer says what and when", () => {
    const orders = { urn: "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)", properties: { name: "Orders" } };
    expect(newestIn(answered(newest(orders, "1700000000123")))).toEqual({ urn: orders.urn, name: "Orders", at: 1_700_000_000_123 });
    expect(newestIn(answered(newest({ urn: orders.urn, properties: null }, "1")))?.name).toBe("shop.orders");
    expect([null, { searchResults: [] }, newest(null, "1"), newest(orders, null), newest(orders, "soon"), { searchResults: [{ entity: orders, extraProperties: null }] }].map((each) => newestIn(answered(each)))).toEqual(Array(6).fill(null));
    expect(variablesFor("urn:li:corpuser:a", [], []).newest.sortInput).toEqual({ sortCriteria: [{ field: "systemCreated", sortOrder: "DESCENDING" }] });
  });

  it("reads announcements of which everything but the URN is null or of another type", () => {
    const none = { urn: "urn:li:post:a", title: "", text: "", link: undefined };
    expect(postsIn(answered({ posts: [null, {}, { urn: "urn:li:post:b", postType: "NEW" }, post(null), post({ title: {}, description: [], link: "javascript:1" })] }))).toEqual([none, none]);
    expect([postsIn(null), ending(null, 0), ending(answered({ tokens: "x" }), 0)]).toEqual([[], [], []]);
  });

  it("calls nothing all that is not", () => {
    expect([percent(999, 1000), percent(10, 10), percent(0, 0), percent(1, 3)]).toEqual([99, 100, 0, 33]);
  });

  it("leads nowhere by a script", () => {
    expect([safeLink("https://wiki.example/x"), safeLink("javascript:alert(1)"), safeLink(null)]).toEqual(["https://wiki.example/x", undefined, undefined]);
  });
});
