import { beforeEach, describe, expect, it } from "vitest";

import { noteQuery, noteViewed, queries, viewed } from "./recent";

beforeEach(() => localStorage.clear());

describe("what was looked at", () => {
  it("is kept for each person, the newest first and each thing once", () => {
    noteViewed("urn:li:corpuser:a", "urn:li:tag:x", 1);
    noteViewed("urn:li:corpuser:a", "urn:li:tag:y", 2);
    noteViewed("urn:li:corpuser:a", "urn:li:tag:x", 3);
    expect(viewed("urn:li:corpuser:a")).toEqual([
      { urn: "urn:li:tag:x", at: 3 },
      { urn: "urn:li:tag:y", at: 2 },
    ]);
    expect(viewed("urn:li:corpuser:b")).toEqual([]);
  });

  it("is no more than a dozen things", () => {
    for (let at = 0; at < 50; at++) {
      noteViewed("a", `urn:li:tag:${at}`, at);
    }
    expect(viewed("a")).toHaveLength(12);
    expect(viewed("a")[0]?.urn).toBe("urn:li:tag:49");
  });

  it("is nothing where the storage holds something else", () => {
    localStorage.setItem("cartulary-viewed-a", "{");
    expect(viewed("a")).toEqual([]);
    localStorage.setItem("cartulary-viewed-a", '[null, 5, {"urn": "javascript:x", "at": 1}, {"urn": "urn:li:tag:x"}]');
    expect(viewed("a")).toEqual([]);
  });
});

describe("what was searched for", () => {
  it("is kept once each, without what finds everything", () => {
    noteQuery("a", "orders");
    noteQuery("a", " * ");
    noteQuery("a", "net sales");
    noteQuery("a", "orders");
    expect(queries("a")).toEqual(["orders", "net sales"]);
  });

  it("takes what was typed on for one search", () => {
    noteQuery("a", "cust");
    noteQuery("a", "customer email");
    expect(queries("a")).toEqual(["customer email"]);
  });
});
