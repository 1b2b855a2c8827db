import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { colourText, merged, tagIn } from "./tag";

it("reads a tag, and one of which nothing but the URN is known", () => {
  expect(tagIn(answered({ urn: "urn:li:tag:pii", properties: { name: "PII", description: null, colorHex: "C0392B" }, ownership: null, uses: { total: 4 } }))).toEqual([
    { urn: "urn:li:tag:pii", name: "PII", description: "", colour: "#c0392b", owners: [], uses: 4 },
  ]);
  expect(tagIn(answered({ urn: "urn:li:tag:bare", properties: null, uses: null }))[0]).toMatchObject({ name: "bare", colour: "", uses: 0 });
});

it("leaves out what is no tag", () => {
  expect([null, {}, { urn: "urn:li:dataset:x" }, "text"].flatMap((each) => tagIn(answered(each)))).toEqual([]);
});

it("writes colours with six digits, and none for what is no colour", () => {
  expect(["#ABC", "12345678", "#1f77b4", "red", "url(x)", ""].map(colourText)).toEqual(["#aabbcc", "#123456", "#1f77b4", "", "", ""]);
});

it("puts what was made just now first, once", () => {
  const [a, c] = ["urn:li:tag:a", "urn:li:tag:c"].map((urn) => tagIn(answered({ urn })));
  expect(merged(c ?? [], [...(a ?? []), ...(c ?? [])]).map(({ name }) => name)).toEqual(["c", "a"]);
});
