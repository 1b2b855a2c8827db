import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { givenOf, holdersIn, rolesIn } from "./role";

const admin = "urn:li:dataHubRole:Admin";
const policy = (name: string, state: string, privileges: string[], roles: string[] | null) => ({ urn: `urn:li:dataHubPolicy:${name}`, name, state, privileges, actors: { roles } });
const answer = (...policies: ReturnType<typeof policy>[]) =>
  ({
    listPolicies: { policies },
    appConfig: { policiesConfig: { platformPrivileges: [{ type: "MANAGE_POLICIES", displayName: "Manage Policies" }], resourcePrivileges: [{ privileges: [{ type: "EDIT_ENTITY", displayName: null }] }] } },
  }) as never;

it("names the privileges of policies in force that name the role, each once", () => {
  const all = answer(
    policy("a", "ACTIVE", ["MANAGE_POLICIES", "EDIT_ENTITY"], [admin]),
    policy("b", "ACTIVE", ["MANAGE_POLICIES", "NEW_ONE"], [admin, "urn:li:dataHubRole:Editor"]),
    policy("off", "INACTIVE", ["OFF"], [admin]),
    policy("other", "ACTIVE", ["OTHER"], null),
  );
  expect(givenOf(all, admin)).toEqual({ policies: ["a", "b"], privileges: ["Manage Policies", "Edit Entity", "New One"] });
});

it("gives nothing where nothing is known", () => {
  expect(givenOf({ listPolicies: null, appConfig: null }, admin)).toEqual({ policies: [], privileges: [] });
});

it("tells people from groups, and leaves out who is gone", () => {
  expect(
    holdersIn({
      total: 3,
      relationships: [
        { entity: { urn: "urn:li:corpuser:jo", type: "CORP_USER" } },
        { entity: { urn: "urn:li:corpGroup:data", type: "CORP_GROUP", properties: { displayName: "Data", fullName: null } } },
        { entity: null },
      ],
    }),
  ).toEqual({
    holders: [
      { urn: "urn:li:corpuser:jo", name: "jo", shape: "person" },
      { urn: "urn:li:corpGroup:data", name: "Data", shape: "group" },
    ],
    total: 3,
  });
  expect(holdersIn(null)).toEqual({ holders: [], total: 0 });
});

it("reads roles of which everything but the URN is null or of another type", () => {
  const role = { urn: "urn:li:dataHubRole:a", name: null, description: {}, members: { total: "4", relationships: [null, { entity: { urn: 3 } }, { entity: { urn: "urn:li:corpuser:jo", type: 1, username: [] } }] } };
  expect(rolesIn(answered({ listRoles: { roles: [null, {}, role] } }))).toEqual([
    { urn: role.urn, name: "a", description: "", held: { holders: [{ urn: "urn:li:corpuser:jo", name: "jo", shape: "person" }], total: 4 } },
  ]);
});
