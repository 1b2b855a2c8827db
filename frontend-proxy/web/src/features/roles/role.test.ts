import { expect, it } from "vitest";

import { givenOf, holdersOf } from "./role";

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
    holdersOf({
      relationships: [
        { entity: { urn: "urn:li:corpuser:jo", type: "CORP_USER" } },
        { entity: { urn: "urn:li:corpGroup:data", type: "CORP_GROUP", groupProperties: { displayName: "Data" } } as never },
        { entity: null },
      ],
    }),
  ).toEqual([
    { urn: "urn:li:corpuser:jo", name: "jo", shape: "person" },
    { urn: "urn:li:corpGroup:data", name: "Data", shape: "group" },
  ]);
  expect(holdersOf(null)).toEqual([]);
});
