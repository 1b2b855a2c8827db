import { describe, expect, it } from "vitest";

import { credentialOf, headersToSend, template, tokenIn } from "./credential";

describe("headersToSend", () => {
  it.each([
    ["nothing typed", undefined, {}],
    ["nothing in the editor", null, {}],
    ["a whole header goes as it is", { Authorization: "Bearer abc" }, { authorization: "Bearer abc" }],
    ["another scheme goes as it is", { Authorization: "Basic abc=" }, { authorization: "Basic abc=" }],
    ["a token alone gets its scheme", { authorization: " abc.def.ghi " }, { authorization: "Bearer abc.def.ghi" }],
    ["a scheme without a token stays visible to the server", { Authorization: "Bearer " }, { authorization: "Bearer" }],
    ["an empty header is none", { Authorization: "" }, {}],
    ["of two spellings the last counts", { Authorization: "Bearer a", authorization: "Bearer b" }, { authorization: "Bearer b" }],
    ["no text is written as JSON", { "x-depth": 3, "x-flag": true, "x-none": null }, { "x-depth": "3", "x-flag": "true" }],
  ])("%s", (_, typed, want) => {
    expect(headersToSend(typed)).toEqual(want);
  });
});

describe("credentialOf", () => {
  it.each([
    ["none", {}],
    ["empty", { authorization: "Bearer" }],
    ["given", { authorization: "Bearer abc" }],
    ["given", { authorization: "Basic abc=" }],
  ] as const)("%s", (want, headers) => {
    expect(credentialOf(headers)).toBe(want);
  });
});

describe("tokenIn", () => {
  it.each([
    ["an empty editor", "", ""],
    ["a text in the making", '{"Authorization": "Bea', ""],
    ["a list", '["Authorization"]', ""],
    ["another header", '{"X-Trace": "1"}', ""],
    ["the template", template.text, ""],
    ["a token", '{"Authorization": "Bearer abc"}', "Bearer abc"],
    ["a token alone", '{"authorization": "abc"}', "Bearer abc"],
  ])("%s", (_, text, want) => {
    expect(tokenIn(text)).toBe(want);
  });
});

it("puts the cursor of the template behind the scheme", () => {
  const line = template.text.split("\n")[template.line - 1] ?? "";
  expect(line.slice(0, template.column - 1)).toMatch(/"Bearer $/);
});
