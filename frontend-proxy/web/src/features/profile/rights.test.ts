import { expect, it } from "vitest";

import { nothing, type Draft } from "../../shared/policies/policy";
import { byWhat, sentenceToYou } from "../../shared/policies/to-you";
import { answered } from "../../lib/test-answer";
import { groupsOf, heldBy, meIn, teamsOf, titlesIn } from "./rights";

const related = (...entities: (object | null)[]) => ({ total: entities.length, relationships: entities.map((entity) => ({ entity })) }) as never;
const editor = { urn: "urn:li:dataHubRole:Editor", name: "Editor", description: "May edit." };
const data = { urn: "urn:li:corpGroup:data", name: "data", properties: { displayName: "Data" }, roles: related(editor, { urn: "urn:li:dataHubRole:gone" }) };

it("names the group that brings a role, and a role that one has anyway once", () => {
  expect(heldBy({ roles: related(), groups: related(data) }).map(({ name, by }) => [name, by])).toEqual([["Editor", "Data"], ["gone", "Data"]]);
  expect(heldBy({ roles: related(editor), groups: related(data) }).map(({ name, by }) => [name, by])).toEqual([["Editor", null], ["gone", "Data"]]);
  expect(heldBy({ roles: null, groups: null })).toEqual([]);
});

it("lists groups by name, each once, without those that are gone", () => {
  const alpha = { urn: "urn:li:corpGroup:z", name: "alpha", properties: null };
  expect(groupsOf({ groups: related(data, null, alpha, data) }).map(({ name }) => name)).toEqual(["alpha", "Data"]);
});

const appConfig = {
  policiesConfig: {
    platformPrivileges: [{ type: "MANAGE_TAGS", displayName: "Manage Tags" }],
    resourcePrivileges: [{ resourceType: "dataset", resourceTypeDisplayName: "Datasets", privileges: [{ type: "EDIT_ENTITY_TAGS", displayName: "Edit Tags" }] }],
  },
};
const known = { ...titlesIn({ appConfig }, [{ urn: "urn:li:dataHubPolicy:new", draft: { ...nothing, privileges: ["NEW_ONE"] } }]), names: new Map([["urn:li:dataHubRole:Editor", "Editor"], ["urn:li:corpGroup:data", "Data"], ["urn:li:domain:shop", "Shop"]]) };
const me = "urn:li:corpuser:noor";
const told = (draft: Partial<Draft>) => [sentenceToYou({ ...nothing, ...draft }, known), byWhat({ ...nothing, ...draft }, known, me)];

it("says in a sentence what a policy lets somebody do, and by what", () => {
  expect(told({ kind: "PLATFORM", privileges: ["MANAGE_TAGS"], roles: ["urn:li:dataHubRole:Editor"] })).toEqual(["You may manage tags.", "by the role Editor"]);
  expect(told({ privileges: ["EDIT_ENTITY_TAGS"], people: ["urn:li:corpGroup:data"], criteria: [{ field: "TYPE", condition: "EQUALS", values: ["dataset"] }, { field: "DOMAIN", condition: "EQUALS", values: ["urn:li:domain:shop"] }] })).toEqual([
    "You may edit tags on datasets in the domain Shop.",
    "by the group Data",
  ]);
  expect(told({ privileges: ["EDIT_ENTITY"], owners: "any" })).toEqual(["You may edit everything on all assets that you own.", "owners have it"]);
  expect(told({ privileges: ["VIEW_ENTITY_PAGE"], allUsers: true })).toEqual(["You may view on all assets.", "everybody has it"]);
  expect(told({ privileges: ["NEW_ONE"], people: [me], owners: "any" })).toEqual(["You may new one on all assets.", "you are named"]);
});

it("has no titles where the server gives none", () => {
  expect(titlesIn({ appConfig: null }, []).privileges.size).toBe(0);
});

it("reads teams apart by commas, each once", () => {
  expect(teamsOf(" Sales data, Data Platform,, Sales data ")).toEqual(["Sales data", "Data Platform"]);
  expect(teamsOf(" ")).toEqual([]);
});

it("reads a user of which everything but the URN is null or of another type", () => {
  const none = { urn: me, username: null, isNativeUser: null, properties: null, editableProperties: null, roles: null, groups: null };
  const blank = { urn: me, username: "", name: "noor", title: "", about: "", teams: [], email: "", roles: [], groups: [], moreGroups: 0 };
  expect(meIn(none)).toEqual(blank);
  expect(meIn(answered({ urn: me, username: {}, properties: "x", editableProperties: { teams: "x", title: [] }, roles: { relationships: "x" }, groups: { total: "2", relationships: [null, {}] } }))).toEqual({ ...blank, moreGroups: 1 });
  expect([null, undefined, answered<typeof none>({ ...none, urn: null })].map(meIn)).toEqual([undefined, undefined, undefined]);
});
