// Users, groups, roles, service accounts, and the user's own profile.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { admin, Stack } from "./stack.mjs";
import { fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const heading = (name) => (page) => page.getByRole("heading", { name, exact: true }).waitFor();

// roleOf returns the role of a user, or null.
async function roleOf(stack, urn) {
  const query = 'query($u: String!) { corpUser(urn: $u) { relationships(input: {types: ["IsMemberOfRole"], direction: OUTGOING, count: 5}) { relationships { entity { urn } } } } }';
  const { corpUser } = await stack.graphql(query, { u: urn });
  return corpUser.relationships.relationships[0]?.entity.urn.replace("urn:li:dataHubRole:", "") ?? null;
}

const signIn = async (stack, { username, password }) =>
  (await fetch(`${stack.proxy}/logIn`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username, password }) })).status;

describe("people", unlessMissing("people"), () => {
  let stack, pages, as, robin, jay;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    robin = await stack.person("Robin Sparrow");
    jay = await stack.person("Jay Profile");
    await stack.person("Plain Reader");
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const role = (page, name) => page.getByRole("button", { name: new RegExp(`^Role of ${name}`) });

  it("gives a role, suspends, activates, and makes a link for a new password", () =>
    pages.visit(
      "/settings/users",
      async (page, opened) => {
        await page.getByText("Robin Sparrow").waitFor();
        fewRequests(opened);
        await page.getByLabel("Find a person").fill("spar");
        await page.getByText("Plain Reader").waitFor({ state: "detached" });
        assert.equal(new URL(page.url()).searchParams.get("find"), "spar");
        await role(page, "Robin Sparrow").focus();
        await page.keyboard.press("Enter");
        const editor = page.getByRole("menuitemradio", { name: "Editor" });
        await editor.waitFor();
        for (let pressed = 0; pressed < 6 && !(await editor.evaluate((element) => element === document.activeElement)); pressed++) {
          await page.keyboard.press("ArrowDown"); // past the other options
        }
        assert.equal(await roleOf(stack, robin.urn), null);
        await page.keyboard.press("Enter");
        await page.getByText("Robin Sparrow has the role Editor").waitFor();
        assert.equal(await roleOf(stack, robin.urn), "Editor");

        await page.getByRole("button", { name: "More for Robin Sparrow" }).click();
        await opened.picture("users-menu");
        assert.deepEqual(await opened.accessibilityWithin("[role=menu]"), [], "the menu, against WCAG 2.2 A and AA");
        await page.getByRole("menuitem", { name: "Suspend" }).click();
        await page.getByText("their open sessions and access tokens stop at once").waitFor();
        await opened.picture("users-suspend");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Suspend", exact: true }).click();
        await page.getByText("Robin Sparrow is suspended").waitFor();
        assert.equal(await signIn(stack, robin), 400);

        await page.getByRole("radio", { name: /^Suspended/ }).check();
        await page.getByText("1 to 1 of 1").waitFor();
        await page.getByRole("button", { name: "More for Robin Sparrow" }).click();
        await page.getByRole("menuitem", { name: "Activate" }).click();
        await page.getByRole("button", { name: "Activate", exact: true }).click();
        await page.getByText("Robin Sparrow may sign in again").waitFor();
        await page.getByText("Nobody is found").waitFor();
        assert.equal(await signIn(stack, robin), 200);
        await page.getByRole("button", { name: "Show everybody" }).click();
        await page.getByText("Plain Reader").first().waitFor(); // the row has moved to its new position

        await page.getByRole("button", { name: "More for Robin Sparrow" }).click();
        await page.getByRole("menuitem", { name: "Link for a new password" }).click();
        await page.getByRole("button", { name: "Make link" }).click();
        const link = new URL(await page.getByLabel("Link", { exact: true }).inputValue());
        const answer = await fetch(`${stack.proxy}/resetNativeUserCredentials`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: robin.username, password: "Another word 42", resetToken: link.searchParams.get("reset_token") }),
        });
        assert.equal(answer.status, 200);
        assert.equal(await signIn(stack, { ...robin, password: "Another word 42" }), 200);
      },
      { as },
    ));

  it("invites by a link, which gives its role to who signs up", async () => {
    let link;
    await pages.visit(
      "/settings/users",
      async (page, opened) => {
        await page.getByRole("button", { name: "Invite", exact: true }).click();
        await page.getByLabel("They join as").selectOption({ label: "Editor" });
        await page.getByText("can make an account with the role Editor").waitFor();
        await page.getByRole("button", { name: "Copy link" }).waitFor();
        link = new URL(await page.getByLabel("Link", { exact: true }).inputValue());
        await opened.picture("users-invite");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
      },
      { as },
    );
    await pages.visit(link.pathname + link.search, async (page) => {
      await page.getByLabel("Full name").fill("Wren Newcomer");
      await page.getByLabel("Mail address").fill("wren@people.example");
      await page.getByLabel("Password", { exact: true }).fill("A word for Wren 42");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Account of Wren Newcomer" }).waitFor();
    });
    assert.equal(await roleOf(stack, "urn:li:corpuser:wren@people.example"), "Editor");
  });

  it("creates a group by keyboard, describes it, takes people in and out, and deletes it", () =>
    pages.visit(
      "/settings/groups",
      async (page, opened) => {
        const create = page.getByRole("button", { name: "Create group" });
        await create.waitFor();
        await tabTo(page, create);
        await page.keyboard.press("Enter");
        await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
        await page.keyboard.type("Night <b>shift</b>");
        await page.keyboard.press("Enter");
        await heading("Night <b>shift</b>")(page);
        await page.getByRole("button", { name: "Edit description" }).click();
        await page.getByRole("textbox", { name: "description" }).fill("Watches what runs at night.");
        await page.keyboard.press("Control+Enter");
        await page.getByText("Watches what runs at night.").waitFor();

        await page.getByRole("button", { name: "Add people" }).click();
        await page.getByRole("dialog").getByLabel("Find a person").fill("moss");
        await page.getByRole("checkbox", { name: /Moss Hosepipe/ }).check();
        await opened.picture("group-add");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Add to group" }).click();
        await page.getByRole("button", { name: "Take out Moss Hosepipe" }).click();
        await page.getByRole("button", { name: "Take out", exact: true }).last().click();
        await page.getByText("No member yet").waitFor();

        await page.getByRole("link", { name: "All groups" }).click();
        await page.getByRole("button", { name: "More for Night <b>shift</b>" }).click();
        await page.getByRole("menuitem", { name: "Delete group" }).click();
        await page.getByLabel(/^Type/).fill("Night <b>shift</b>");
        await page.getByRole("button", { name: "Delete group" }).click();
        await page.getByText("Night <b>shift</b> was deleted").waitFor();
        await page.getByRole("link", { name: "Night <b>shift</b>" }).waitFor({ state: "detached" });
      },
      { as, size: sizes[2] },
    ));

  it("gives a role to people, shows who has it, and takes it away", () =>
    pages.visit(
      "/settings/roles",
      async (page, opened) => {
        await page.getByRole("button", { name: "Add people to Reader" }).click();
        await page.getByRole("dialog").getByLabel("Find a person").fill("moss");
        await page.getByRole("checkbox", { name: /Moss Hosepipe/ }).check();
        await page.getByRole("button", { name: "Give the role Reader" }).click();
        await page.getByRole("button", { name: "See all 1 who have Reader" }).click();
        await page.getByRole("button", { name: "Take away the role from Moss Hosepipe" }).waitFor();
        await opened.picture("role-holders");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Take away the role from Moss Hosepipe" }).click();
        await page.getByRole("button", { name: "Take it away" }).click();
        await page.getByText("Moss Hosepipe has no role").waitFor();
        assert.equal(await roleOf(stack, "urn:li:corpuser:moss.hosepipe"), null);
      },
      { as },
    ));

  it("says in sentences what one may do, and by what, and lists what one owns", async () => {
    const group = "urn:li:corpGroup:gardeners";
    await stack.call(await stack.token("profile", admin), "POST", "/openapi/v3/entity/corpgroup?async=false", [{ urn: group, corpGroupInfo: { value: { displayName: "Gardeners", admins: [], members: [], groups: [] } } }]);
    await stack.graphql("mutation($i: AddGroupMembersInput!) { addGroupMembers(input: $i) }", { i: { groupUrn: group, userUrns: [jay.urn] } });
    const who = { users: [admin], groups: [group], allUsers: false, allGroups: false, resourceOwners: false };
    await stack.graphql("mutation($i: PolicyUpdateInput!) { createPolicy(input: $i) }", { i: { type: "PLATFORM", name: "Gardeners keep tags", state: "ACTIVE", description: "", privileges: ["MANAGE_TAGS", "MANAGE_DOMAINS"], actors: who } });
    const tag = (await stack.graphql('mutation { createTag(input: {id: "moss", name: "moss"}) }')).createTag;
    await stack.graphql("mutation($i: AddOwnerInput!) { addOwner(input: $i) }", { i: { ownerUrn: group, ownerEntityType: "CORP_GROUP", type: "TECHNICAL_OWNER", resourceUrn: tag } });
    await pages.visit(
      "/settings/profile",
      async (page, opened) => {
        const sentence = page.getByRole("list", { name: "What you may do" }).getByRole("listitem").filter({ hasText: "Gardeners keep tags" });
        await sentence.getByText("You may manage tags and domains.").waitFor();
        await sentence.getByText("by the group Gardeners").waitFor();
        assert.equal(await sentence.getByRole("link").count(), 0, "a link to a policy that is not to be seen");
        const { policies } = await page.evaluate(async () => (await fetch("/openapi/v1/access/policies")).json());
        assert.ok(!JSON.stringify(policies).includes("corpuser:datahub"), "others are told");
        await page.getByRole("table", { name: "What you own" }).getByRole("link", { name: "moss" }).waitFor();
        await opened.picture("profile-rights");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("region", { name: "You own" }).getByRole("link", { name: "See all" }).click();
        await page.getByRole("list", { name: "Results" }).getByRole("link", { name: "moss" }).waitFor();
      },
      { as: jay },
    );
  });

  it("creates a service account, whose token acts as it until the account is deleted", () =>
    pages.visit(
      "/settings/service-accounts",
      async (page) => {
        await page.getByRole("button", { name: "Create service account" }).click();
        await page.getByLabel("Name", { exact: true }).fill("nightly-export");
        await page.getByRole("button", { name: "Create account" }).click();
        await page.getByRole("button", { name: "Done" }).click();
        await page.getByRole("button", { name: "Generate token for nightly-export" }).click();
        await page.getByLabel("Name", { exact: true }).fill("first");
        await page.getByRole("dialog").getByRole("button", { name: "Generate token", exact: true }).click();
        const token = await page.locator("[data-token]").textContent();
        const { data } = await stack.call(token, "POST", "/api/graphql", { query: "{ me { corpUser { username } } }" });
        assert.match(data.me.corpUser.username, /^service_/);
        await page.getByLabel("I have saved the token").check();
        await page.getByRole("button", { name: "Done" }).click();

        await page.getByRole("button", { name: "More for nightly-export" }).click();
        await page.getByRole("menuitem", { name: "Delete service account" }).click();
        await page.getByLabel(/^Type/).fill("nightly-export");
        await page.getByRole("button", { name: "Delete account" }).click();
        await page.getByText("nightly-export was deleted").waitFor();
        await assert.rejects(stack.call(token, "POST", "/api/graphql", { query: "{ me { corpUser { username } } }" }), /401/);
      },
      { as },
    ));

  it("changes what one says of oneself by keyboard alone, on a narrow page", () =>
    pages.visit(
      "/settings/profile",
      async (page) => {
        const edit = page.getByRole("button", { name: "Edit name" });
        await edit.waitFor();
        await tabTo(page, edit);
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Jay the Second");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Account of Jay the Second" }).waitFor();
        const teams = page.getByRole("button", { name: "Edit teams" });
        await tabTo(page, teams);
        await page.keyboard.press("Enter");
        await page.keyboard.type("Night shift, Stores");
        await page.keyboard.press("Enter");
        await page.getByText("Night shift, Stores").waitFor();
        const { corpUser } = await stack.graphql("query($u: String!) { corpUser(urn: $u) { editableProperties { displayName teams } } }", { u: jay.urn });
        assert.deepEqual(corpUser.editableProperties, { displayName: "Jay the Second", teams: ["Night shift", "Stores"] });
      },
      { as: jay, size: sizes[2] },
    ));

  it("keeps colours, the height of rows and the menu in the browser, on all pages and over a reload", () =>
    pages.visit(
      "/settings/profile",
      async (page, opened) => {
        const chosen = (name) => page.getByRole("radio", { name, exact: true }).isChecked();
        const shownAs = () =>
          page.evaluate(() => ({ ...document.documentElement.dataset, ground: getComputedStyle(document.body).backgroundColor, rail: document.querySelector("nav[aria-label=Main]").offsetWidth }));
        const rowHeight = async () => {
          await page.goto(`${stack.proxy}/settings/users`);
          const row = page.getByRole("table").getByRole("row").nth(1);
          await row.waitFor();
          return (await row.boundingBox()).height;
        };
        const roomy = await rowHeight();
        await page.goto(`${stack.proxy}/settings/profile`);
        await page.getByRole("heading", { name: "This browser" }).waitFor();
        assert.deepEqual([await chosen("System"), await chosen("Roomy, 40 px"), await chosen("Words")], [true, true, true], "what holds unless somebody chooses");

        // The system setting applies until the user chooses a scheme.
        const light = await shownAs();
        await page.emulateMedia({ colorScheme: "dark" });
        await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
        assert.notEqual((await shownAs()).ground, light.ground);
        await page.emulateMedia({ colorScheme: "light" });
        await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "light");

        await page.getByRole("radio", { name: "Dark", exact: true }).check();
        await page.getByRole("radio", { name: "Compact, 32 px" }).check();
        await page.getByRole("radio", { name: "Icons", exact: true }).check();
        await opened.picture("profile-chosen");
        await page.reload();
        await page.getByRole("heading", { name: "This browser" }).waitFor();
        assert.deepEqual([await chosen("Dark"), await chosen("Compact, 32 px"), await chosen("Icons")], [true, true, true]);
        const kept = await shownAs();
        assert.deepEqual([kept.density, kept.mantineColorScheme], ["compact", "dark"]);
        assert.ok(kept.rail < light.rail / 2, `the menu is ${kept.rail} px wide after ${light.rail}`);
        const compact = await rowHeight();
        assert.ok(compact < roomy, `rows are ${compact} px high after ${roomy}`);
        assert.equal((await shownAs()).mantineColorScheme, "dark");

        // Other controls change the same setting.
        await page.getByRole("button", { name: "Icons only" }).click();
        await page.getByRole("button", { name: /^Colours: dark/ }).click();
        await page.goto(`${stack.proxy}/settings/profile`);
        await page.getByRole("heading", { name: "This browser" }).waitFor();
        assert.deepEqual([await chosen("System"), await chosen("Compact, 32 px"), await chosen("Words")], [true, true, true]);
      },
      { as },
    ));
});
