import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { domainIn, rowsOf } from "./domain";

const domain = (name: string) => domainIn(answered({ urn: `urn:li:domain:${name}`, properties: { name } }))[0] as ReturnType<typeof domainIn>[number];

it("reads a domain, and one of which all is null", () => {
  expect(
    domainIn(answered({
      urn: "urn:li:domain:a",
      properties: { name: "A", description: "Text" },
      parentDomains: { domains: [{ urn: "urn:li:domain:b", properties: { name: "B" } }, { urn: "urn:li:domain:c", properties: null }] },
      assets: { total: 4 },
      below: { total: 1 },
    }))[0],
  ).toMatchObject({ name: "A", above: ["c", "B"], assets: 4, below: 1, owned: 0 });
  expect(domainIn(answered({ urn: "urn:li:domain:x", properties: null, ownership: null, parentDomains: null, assets: null }))[0]).toMatchObject({ name: "x", owners: [], above: [], assets: 0 });
  expect([null, {}, { urn: "urn:li:tag:x" }].flatMap((each) => domainIn(answered(each)))).toEqual([]);
});

it("lists the open levels in place and by name, and ends where domains stand in a circle", () => {
  const [a, b, c] = [domain("a"), domain("b"), domain("c")];
  const levels = new Map([
    ["", [c, a]],
    [a.urn, [b]],
    [b.urn, [a]],
  ]);
  expect(rowsOf(levels, new Set([a.urn, b.urn])).map(({ domain: { name }, depth }) => [name, depth])).toEqual([
    ["a", 0],
    ["b", 1],
    ["a", 2],
    ["c", 0],
  ]);
  expect(rowsOf(levels, new Set()).length).toBe(2);
});
