import { expect, it } from "vitest";

import { privilegesOf } from "./privileges";

const offered = {
  platformPrivileges: [
    { type: "MANAGE_TAGS", displayName: "Manage Tags", description: "All of them" },
    { type: "MANAGE_POLICIES", displayName: null, description: null },
  ],
  resourcePrivileges: [{ privileges: [{ type: "EDIT_ENTITY_TAGS", displayName: "Edit Tags", description: null }] }, { privileges: [{ type: "EDIT_ENTITY_TAGS", displayName: "Edit Tags", description: null }] }],
};

it("names privileges in the order in which policies offer them, and those of single calls last", () => {
  const named = privilegesOf(["SEARCH_PRIVILEGE", "EDIT_ENTITY_TAGS", "GET_ES_TASK_STATUS_PRIVILEGE", "MANAGE_POLICIES", "MANAGE_TAGS", "MANAGE_TAGS"], offered);
  expect(named.map(({ name }) => name)).toEqual(["Manage Tags", "Manage Policies", "Edit Tags", "Get ES Task Status", "Search"]);
  expect(named[0]?.description).toBe("All of them");
});

it("names privileges also where nothing is offered", () => {
  expect(privilegesOf(["VIEW_ENTITY_PAGE"], null)).toEqual([{ type: "VIEW_ENTITY_PAGE", name: "View Entity Page", description: "" }]);
});
