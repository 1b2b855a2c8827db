import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { descriptionOf, fixedReason, groupIn, groupsIn, membersOf } from "./group";

it("shows what was written here before what came with the group", () => {
  expect(descriptionOf({ properties: { displayName: null, description: "from outside" }, editableProperties: { description: "from here" } })).toBe("from here");
  expect(descriptionOf({ properties: { displayName: null, description: "from outside" }, editableProperties: { description: "" } })).toBe("from outside");
  expect(descriptionOf({ properties: null, editableProperties: null })).toBe("");
});

it("says where members are changed that an identity provider keeps", () => {
  expect(fixedReason({ type: "EXTERNAL", externalType: "Okta" })).toContain("Okta");
  expect(fixedReason({ type: "EXTERNAL", externalType: null })).toContain("identity provider");
  expect([fixedReason({ type: "NATIVE", externalType: null }), fixedReason(answered({ type: "SOMETHING_NEW" })), fixedReason(null)]).toEqual([null, null, null]);
});

it("counts nobody twice who is in by two ways, and leaves out who is gone", () => {
  const jo = { entity: { urn: "urn:li:corpuser:jo" } };
  expect(membersOf({ members: { total: 3, relationships: [jo, jo, { entity: null }] } })).toEqual([{ urn: "urn:li:corpuser:jo", name: "jo", username: "jo", suspended: false }]);
  expect(membersOf({ members: null })).toEqual([]);
});

it("reads groups of which everything but the URN is null or of another type", () => {
  const urn = "urn:li:corpGroup:data";
  const none = { name: null, exists: null, origin: null, properties: null, editableProperties: null, members: null };
  const odd = { name: 3, exists: "yes", origin: "x", properties: { displayName: {}, description: [] }, editableProperties: 1, members: { total: "x", relationships: {} } };
  expect(groupsIn(answered({ listGroups: { total: "2", groups: [null, none, { ...none, urn }, { ...odd, urn }] } }))).toEqual({
    items: [{ urn, name: "data", description: "", total: 0, external: false }, { urn, name: "3", description: "", total: 0, external: false }],
    total: 2,
  });
  expect(groupIn(answered({ ...none, urn }))).toEqual({ urn, name: "data", description: "", email: "", fixed: null, members: [], total: 0 });
  expect([null, none, { ...none, urn, exists: false }].map((each) => groupIn(answered(each)))).toEqual([null, null, null]);
});
