import { expect, it } from "vitest";

import { groupsOf, hindrancesOf, questionOf, rolesOf, stateOf } from "./user";

const related = (...entities: ({ urn: string; [name: string]: unknown } | null)[]) => ({ total: entities.length, relationships: entities.map((entity) => ({ entity })) }) as never;

it("takes a state that there is none of for all", () => {
  expect(["active", "suspended", "", "INVITED"].map(stateOf)).toEqual(["active", "suspended", "all", "all"]);
});

it("asks for those that are not suspended where active ones are sought, since few users have a state", () => {
  expect(questionOf("", "active", 25).page).toMatchObject({ query: "*", start: 25, orFilters: [{ and: [{ field: "status", values: ["SUSPENDED"], negated: true }] }] });
  expect(questionOf("", "suspended", 0).page.orFilters).toEqual([{ and: [{ field: "status", values: ["SUSPENDED"] }] }]);
  expect(questionOf("", "all", 0).page.orFilters).toBeUndefined();
});

it("orders all users by URN, and those found by how well they match", () => {
  expect(questionOf(" ", "all", 0).page.sortInput).toBeDefined();
  expect(questionOf(" jo ", "all", 0).page).toMatchObject({ query: "jo" });
  expect(questionOf("jo", "all", 0).page.sortInput).toBeUndefined();
});

it("names roles and groups that are not there any more by their ids", () => {
  expect(rolesOf({ roles: related({ urn: "urn:li:dataHubRole:Admin", name: "Admin" }, { urn: "urn:li:dataHubRole:gone" }, null) })).toEqual([
    { urn: "urn:li:dataHubRole:Admin", name: "Admin" },
    { urn: "urn:li:dataHubRole:gone", name: "gone" },
  ]);
  expect(rolesOf({ roles: null })).toEqual([]);
  expect(groupsOf({ groups: related({ urn: "urn:li:corpGroup:b", name: "b", properties: { displayName: "Beta" } }, { urn: "urn:li:corpGroup:a" }) })).toEqual({ names: ["a", "Beta"], more: 0 });
  expect(groupsOf({ groups: null })).toEqual({ names: [], more: 0 });
});

it("says which privilege is missing", () => {
  const user = { urn: "urn:li:corpuser:jo", isNativeUser: true };
  expect(hindrancesOf(user, "urn:li:corpuser:me", {})).toEqual({
    role: "You need the privilege Manage Policies.",
    suspend: "You need the privilege Manage Users & Groups.",
    reset: "You need the privilege Manage User Credentials.",
    signOut: "You need the privilege Manage User Credentials.",
    remove: "You need the privilege Manage Users & Groups.",
  });
});

it("keeps people from shutting themselves out, and resets no password that is not here", () => {
  const all = { manageIdentities: true, managePolicies: true, manageUserCredentials: true };
  const me = "urn:li:corpuser:me";
  expect(hindrancesOf({ urn: "urn:li:corpuser:jo", isNativeUser: true }, me, all)).toEqual({ role: null, suspend: null, reset: null, signOut: null, remove: null });
  expect(hindrancesOf({ urn: me, isNativeUser: true }, me, {}).signOut).toBe(null);
  expect(hindrancesOf({ urn: me, isNativeUser: false }, me, all)).toMatchObject({ suspend: expect.stringContaining("you"), remove: expect.stringContaining("you"), reset: expect.stringContaining("no password") });
});
