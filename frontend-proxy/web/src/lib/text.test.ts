import { expect, it } from "vitest";

import { counted, initials, keyOf, percent, plainText, privilegeName, shortOf } from "./text";

it("counts things with their noun", () => {
  expect([counted(1, "test"), counted(2000, "test"), counted(0, "person", "people")]).toEqual(["1 test", "2,000 tests", "0 people"]);
});

it("says 100 percent of all alone, and nothing of nothing", () => {
  expect([percent(999, 1000), percent(3, 3), percent(0, 3), percent(0, 0), percent(5, 3)]).toEqual([99, 100, 0, null, 100]);
});

it("takes letters of a name, whatever it is made of", () => {
  expect(["Noor", "Sales data team", "jo.doe@x.example", "x", "", "数据 团队", "🦊fox"].map(initials)).toEqual(["No", "SD", "JD", "X", "?", "数团", "🦊f"]);
});

it("spells privileges and keys", () => {
  expect(privilegeName("GENERATE_PERSONAL_ACCESS_TOKENS")).toBe("Generate Personal Access Tokens");
  expect(privilegeName("ES_EXPLAIN_QUERY_PRIVILEGE")).toBe("ES Explain Query");
  expect(keyOf("urn:li:corpuser:jo")).toBe("jo");
});

it("reads Markdown as one line of words", () => {
  expect(plainText("## Orders\n\nOne row per **order**, see [the page](https://x.example) and `order_id`.\n\n* Grain: day\n---\n1. 2 * 3 * 4")).toBe("Orders One row per order, see the page and order_id. Grain: day 2 * 3 * 4");
  expect(plainText(`${"**".repeat(5000)}x`).length).toBeGreaterThan(0);
});

it("names what somebody may not view, where a name is missing", () => {
  expect(["urn:li:restricted:agwOjm4Gy58IgWsf", "urn:li:container:restricted"].map(shortOf)).toEqual(["Restricted asset", "restricted"]);
});
