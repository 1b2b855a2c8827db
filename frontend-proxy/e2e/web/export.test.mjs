// Exported lists: the complete filtered list, not only the visible page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { admin, Stack } from "./stack.mjs";
import { Pages, unlessMissing } from "./visit.mjs";

describe("exports of lists", unlessMissing("exports of lists"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    for (let i = 0; i < 30; i++) {
      await stack.graphql("mutation($i: CreateGroupInput!) { createGroup(input: $i) }", { i: { id: `g${i}`, name: `=Group ${i}` } });
    }
    const people = Array.from({ length: 60 }, (_, i) => ({
      urn: `urn:li:corpuser:member${i}`,
      corpUserInfo: { value: { active: true, displayName: `Member ${i}` } },
      nativeGroupMembership: { value: { nativeGroups: ["urn:li:corpGroup:g0"] } },
    }));
    await stack.call(await stack.token("members", admin), "POST", "/openapi/v3/entity/corpuser?async=false", people);
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  // exported returns the lines of the file that a page saves.
  async function exported(page) {
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const text = await readFile(await (await saved).path(), "utf8");
    return text.replace("\uFEFF", "").trimEnd().split("\r\n");
  }

  const lists = {
    "/settings/groups": (lines) => {
      assert.equal(lines[0], "Group,Description,Members,Kept,URN");
      assert.equal(lines.length, 31, "the second page is in it, too");
      assert.ok(lines.includes("'=Group 7,,0,here,urn:li:corpGroup:g7"), "no name runs as a formula");
    },
    "/group/urn%3Ali%3AcorpGroup%3Ag0/Members": (lines) => {
      assert.equal(lines[0], "Person,User name,URN");
      assert.equal(new Set(lines).size, 61, "all of its pages");
      assert.ok(lines.includes("Member 59,member59,urn:li:corpuser:member59"), lines.at(-1));
    },
    "/settings/groups?find=Group%2029": (lines) => assert.match(lines[1], /Group 29/),
    "/settings/users": (lines) => assert.ok(lines.some((line) => line.endsWith("urn:li:corpuser:datahub"))),
    "/settings/users?state=suspended": (lines) => assert.equal(lines.length, 1),
    "/settings/tokens": (lines) => assert.ok(lines.some((line) => /^tests,.*urn:li:corpuser:datahub,\d{4}-/.test(line)), lines.join("\n")),
    "/settings/policies?state=on": (lines) => assert.ok(lines.some((line) => line.includes("All Users - Base Platform Privileges") && line.includes(",platform,on,"))),
    "/settings/service-accounts": (lines) => assert.deepEqual(lines, ["Name,User name,Made by,Made,URN"]),
    "/settings/audit": (lines) => {
      assert.match(lines[0], /^Time,Type,Outcome,Actor/);
      assert.ok(lines.length > 30, `${lines.length} lines`);
    },
  };
  it("hold all of each list", async () => {
    for (const [path, holds] of Object.entries(lists)) {
      await pages.visit(path, async (page) => holds(await exported(page)), { as });
    }
  });
});
