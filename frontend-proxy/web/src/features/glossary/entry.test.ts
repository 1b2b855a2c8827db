import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { isAddress } from "./address";
import { entryIn, inOrder, wholeIn } from "./entry";

const term = (name: string, urn = `urn:li:glossaryTerm:${name}`) => ({ urn, properties: { name, description: "" } });

it("puts groups first and each in the order people look them up", () => {
  const entries = [term("Äpfel"), term("margin 10"), term("Margin 2"), { urn: "urn:li:glossaryNode:z", properties: { name: "Zoo", description: null }, childrenCount: { termsCount: 2, nodesCount: 1 } }].flatMap((each) => entryIn(answered(each)));
  expect(inOrder(entries).map(({ name, count }) => [name, count])).toEqual([
    ["Zoo", 3],
    ["Äpfel", 0],
    ["Margin 2", 0],
    ["margin 10", 0],
  ]);
});

it("reads relations from both sides, each once, and leaves out ways it does not know", () => {
  const whole = wholeIn(answered({
    ...term("Net sales"),
    outgoing: { relationships: [{ type: "IsA", entity: term("Sales") }, { type: "Resembles", entity: term("Odd") }, { type: "IsRelatedTo", entity: term("Return") }, null] },
    incoming: { relationships: [{ type: "HasA", entity: term("Gross") }, { type: "IsRelatedTo", entity: term("Return") }, { type: "IsA", entity: null }] },
  }));
  expect(whole?.relations.map(({ way, name }) => [way, name])).toEqual([
    ["isA", "Sales"],
    ["related", "Return"],
    ["partOf", "Gross"],
  ]);
});

it("reads a term of which all but the URN is null, and none from what is no entry", () => {
  expect(wholeIn({ ...term(""), properties: null, ownership: null, domain: null, parentNodes: null, privileges: null, institutionalMemory: null, outgoing: null, exists: null })).toMatchObject({
    owners: [],
    domain: null,
    above: [],
    relations: [],
    mayManage: false,
    deprecated: null,
  });
  expect(wholeIn({ urn: "urn:li:dataset:x" })).toBeNull();
  expect(wholeIn(null)).toBeNull();
});

it("leads to addresses of the web and of mail alone", () => {
  expect(["https://a.example", "HTTP://b", "mailto:c@d", "javascript:alert(1)", "data:text/html,x", "//e"].map(isAddress)).toEqual([true, true, true, false, false, false]);
});
