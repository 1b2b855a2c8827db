import { expect, it } from "vitest";

import { groupsOf, heldBy, rightsOf, teamsOf } from "./rights";

const related = (...entities: (object | null)[]) => ({ total: entities.length, relationships: entities.map((entity) => ({ entity })) }) as never;
const editor = { urn: "urn:li:dataHubRole:Editor", roleName: "Editor", description: "May edit." };
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

it("calls a privilege that it does not know by a name made of its id", () => {
  const appConfig = { policiesConfig: { platformPrivileges: [{ type: "MANAGE_TAGS", displayName: "Manage Tags", description: null }], resourcePrivileges: [{ privileges: [{ type: "EDIT_ENTITY", displayName: "Edit Entity", description: "All of it" }] }] } };
  expect(rightsOf({ getGrantedPrivileges: { privileges: ["NEW_ONE", "MANAGE_TAGS", "MANAGE_TAGS", "EDIT_ENTITY"] }, appConfig })).toEqual([
    { type: "MANAGE_TAGS", name: "Manage Tags", description: "" },
    { type: "EDIT_ENTITY", name: "Edit Entity", description: "All of it" },
    { type: "NEW_ONE", name: "New One", description: "" },
  ]);
  expect(rightsOf({ getGrantedPrivileges: null, appConfig: null })).toEqual([]);
});

it("reads teams apart by commas, each once", () => {
  expect(teamsOf(" Sales data, Data Platform,, Sales data ")).toEqual(["Sales data", "Data Platform"]);
  expect(teamsOf(" ")).toEqual([]);
});
