import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { announcementIn, isAddress } from "./announcement";

it("reads an announcement, and one of which all but the URN is null or unknown", () => {
  expect(
    announcementIn(answered({ urn: "urn:li:post:a", postType: "HOME_PAGE_ANNOUNCEMENT", content: { title: "Hello", description: "Text", link: null }, lastModified: { time: 5, actor: "urn:li:corpuser:x" } })),
  ).toEqual([{ urn: "urn:li:post:a", title: "Hello", text: "Text", link: "", home: true, time: 5, actor: "urn:li:corpuser:x" }]);
  expect(announcementIn(answered({ urn: "urn:li:post:b", postType: "SOMETHING_NEW", content: null, lastModified: null }))[0]).toMatchObject({ title: "Without a title", home: true, time: 0 });
  expect([null, {}].flatMap((each) => announcementIn(answered(each)))).toEqual([]);
});

it("leads to addresses of the web and of this catalog alone", () => {
  expect(["https://a.example/x", "/glossary", "javascript:alert(1)", "//evil.example", "/\\evil", "data:x", ""].map(isAddress)).toEqual([true, true, false, false, false, false, false]);
});
