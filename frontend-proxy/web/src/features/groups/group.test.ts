import { expect, it } from "vitest";

import { descriptionOf, fixedReason, membersOf } from "./group";

it("shows what was written here before what came with the group", () => {
  expect(descriptionOf({ properties: { displayName: null, description: "from outside" }, editableProperties: { description: "from here" } })).toBe("from here");
  expect(descriptionOf({ properties: { displayName: null, description: "from outside" }, editableProperties: { description: "" } })).toBe("from outside");
  expect(descriptionOf({ properties: null, editableProperties: null })).toBe("");
});

it("says where members are changed that an identity provider keeps", () => {
  expect(fixedReason({ type: "EXTERNAL", externalType: "Okta" })).toContain("Okta");
  expect(fixedReason({ type: "EXTERNAL", externalType: null })).toContain("identity provider");
  expect([fixedReason({ type: "NATIVE" }), fixedReason({ type: "SOMETHING_NEW" }), fixedReason(null)]).toEqual([null, null, null]);
});

it("counts nobody twice who is in by two ways, and leaves out who is gone", () => {
  const jo = { entity: { urn: "urn:li:corpuser:jo" } };
  expect(membersOf({ members: { total: 3, relationships: [jo, jo, { entity: null }] } } as never)).toEqual([{ urn: "urn:li:corpuser:jo" }]);
  expect(membersOf({ members: null } as never)).toEqual([]);
});
