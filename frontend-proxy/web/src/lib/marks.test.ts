import { describe, expect, it } from "vitest";

import { hasWord, pieces, wordsOf } from "./marks";

const shown = (text: string, query: string) =>
  pieces(text, wordsOf(query))
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join("");

describe("marks", () => {
  it("stand at the words that were searched for, in whatever case", () => {
    expect(shown("One row per Customer account", "customer email")).toBe("One row per [Customer] account");
    expect(shown("dim_customer", "customer")).toBe("dim_[customer]");
  });

  it("stand at other forms of a word, too", () => {
    expect(shown("fct_order", "orders")).toBe("fct_[order]");
    expect(shown("Deliveries", "delivery")).toBe("Deliveries");
  });

  it("stand at the beginning of a word alone where what was typed is short", () => {
    expect(shown("an id, valid", "id")).toBe("an [id], valid");
  });

  it("take nothing of a query for a pattern", () => {
    expect(shown("a.b (c)", "a.b (c) [ .*")).toBe("a.b (c)");
    expect(shown("sales+", '+sales "sales" | -x')).toBe("[sales]+");
    expect(wordsOf("/q name:orders AND tags:pii")).toEqual(["orders", "order", "name", "tags", "tag", "pii"].toSorted((a, b) => b.length - a.length));
  });

  it("stand nowhere without a query", () => {
    expect(pieces("text", wordsOf("*"))).toEqual([{ text: "text", marked: false }]);
    expect(hasWord("text", wordsOf("ext"))).toBe(true);
  });
});
