// Policies: the list, and creating, testing, changing, deactivating and deleting a policy, with the entries
// in the audit log.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, Pages, shown, sizes, tabTo, unlessMissing } from "./visit.mjs";

const field = (page, name) => page.getByRole("combobox", { name });

// choose types a text into a field and selects an option.
async function choose(page, name, text, option = text) {
  await field(page, name).fill(text);
  await page.getByRole("option", { name: option, exact: true }).click();
  await page.keyboard.press("Tab"); // a multi-select field stays open
}

describe("policies and the audit log", unlessMissing("policies and the audit log"), () => {
  let stack, pages, as, plain;
  const rows = (page) => page.getByRole("table", { name: "Policies" });

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.demo();
    plain = await stack.person("Plain Reader");
    const policy = { type: "PLATFORM", state: "INACTIVE", privileges: ["MANAGE_TAGS"], actors: { users: [plain.urn], allUsers: false, allGroups: false, resourceOwners: false } };
    for (const name of ["first", "second"]) {
      await stack.graphql("mutation ($input: PolicyUpdateInput!) { createPolicy(input: $input) }", { input: { ...policy, name } });
    }
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const may = async (privilege) =>
    (await stack.graphql(`{ getGrantedPrivileges(input: {actorUrn: "${plain.urn}"}) { privileges } }`)).getGrantedPrivileges.privileges.includes(privilege);

  it("makes a policy that is tried first, changes it, turns it off and deletes it", () =>
    pages.visit(
      "/settings/policies",
      async (page, opened) => {
        await page.getByText("All people may").first().waitFor();
        await page.getByText(/assets$/).first().waitFor();
        fewRequests(opened);
        await page.getByRole("link", { name: "New policy" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Plain <b>tags</b>");
        await choose(page, "People and groups", "Plain Reader");
        await page.getByRole("checkbox", { name: "Edit Tags", exact: true }).check();
        await page.getByText("It covers all assets, also those that come later.").waitFor();
        await page.getByRole("button", { name: "Add a condition" }).click();
        await choose(page, "Values of Type", "Datasets");
        await page.getByText("It covers all assets").waitFor({ state: "detached" });
        await page.getByText("Reaches 1 person").waitFor();

        // A policy can be tested before it is created.
        await choose(page, "Person to try", "Plain Reader");
        await field(page, "Privilege to try").selectOption({ label: "Edit Tags" });
        await field(page, "Asset to try").click();
        await page.locator('[role="listbox"] [role="option"]:visible').first().click();
        await page.getByText("Plain Reader is named").waitFor();
        await page.getByText("Edit Tags is chosen").waitFor();
        await field(page, "Privilege to try").selectOption({ label: "Edit Owners" });
        await page.getByText("Edit Owners is not chosen").first().waitFor();
        await page.getByText("No", { exact: true }).waitFor();
        await opened.picture("policy-tried");
        await page.evaluate(() => scrollTo(0, 0)); // a target partly covered by the top bar would count as too small
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");

        // A part of the summary links to its field.
        await page.getByRole("link", { name: "datasets", exact: true }).click();
        assert.equal(await page.evaluate(() => document.activeElement.closest("[data-step]")?.dataset.step), "on");

        await page.getByRole("button", { name: "Make policy" }).click();
        await page.getByText("Plain <b>tags</b> was made").waitFor();
        await page.getByRole("heading", { name: "Plain <b>tags</b>", level: 1 }).waitFor();
        await page.getByRole("checkbox", { name: "Edit Owners", exact: true }).check();
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("Plain <b>tags</b> was saved").waitFor();

        await page.getByRole("link", { name: "Policies" }).first().click();
        await page.getByLabel("Find by name, person, privilege").fill("plain reader may edit tags and owners on datasets");
        await rows(page).getByText("Plain Reader may edit tags and owners on datasets.").waitFor();
        await rows(page).getByRole("row").nth(2).waitFor({ state: "detached" });
        assert.match(page.url(), /find=plain/);
        await page.getByRole("switch", { name: "Plain <b>tags</b>" }).locator("..").click();
        await page.getByText("Plain <b>tags</b> is off").waitFor();
        await page.getByRole("button", { name: "More for Plain <b>tags</b>" }).click();
        await page.getByRole("menuitem", { name: "Delete" }).click();
        await page.getByRole("button", { name: "Delete policy" }).click();
        await page.getByText("No policy matches").waitFor();
      },
      { as },
    ));

  it("makes a policy by keyboard alone, which holds for the next request; keeps the change of somebody else; and changes none that comes with the product", () =>
    pages.visit(
      "/settings/policies/new",
      async (page) => {
        await page.getByLabel("Name", { exact: true }).waitFor();
        await tabTo(page, page.getByRole("radio", { name: "Asset policy" }));
        await page.keyboard.press("ArrowRight");
        await tabTo(page, page.getByLabel("Name", { exact: true }));
        await page.keyboard.type("Plain secrets");
        await tabTo(page, field(page, "People and groups"));
        await page.keyboard.type("Plain Reader");
        await page.getByRole("option", { name: "Plain Reader" }).waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await tabTo(page, page.getByLabel("Find a privilege"));
        await page.keyboard.type("manage secrets");
        await tabTo(page, page.getByRole("checkbox", { name: "Manage Secrets" }));
        await page.keyboard.press("Space");
        await page.getByText("Reaches 1 person, for the catalog as a whole").waitFor();
        assert.equal(await may("MANAGE_SECRETS"), false);
        const make = page.getByRole("button", { name: "Make policy" });
        await make.focus();
        await page.keyboard.press("Enter");
        await page.getByText("Plain secrets was made").waitFor();
        assert.equal(await may("MANAGE_SECRETS"), true);

        await page.goto(`${stack.proxy}/settings/policies?find=plain+secrets`);
        await page.getByRole("link", { name: "Plain secrets" }).click();
        await page.getByLabel("What it is for").fill("mine");
        const urn = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1));
        await stack.graphql("mutation ($urn: String!, $input: PolicyUpdateInput!) { updatePolicy(urn: $urn, input: $input) }", {
          urn,
          input: { type: "PLATFORM", name: "Plain secrets", state: "ACTIVE", description: "theirs", privileges: ["MANAGE_SECRETS"], actors: { users: [plain.urn], allUsers: false, allGroups: false, resourceOwners: false } },
        });
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("Somebody else changed this policy meanwhile").waitFor();
        assert.equal(await page.getByLabel("What it is for").inputValue(), "mine");
        await page.getByRole("button", { name: "Drop my changes and show theirs" }).click();
        await page.waitForFunction(() => document.querySelector("textarea")?.value === "theirs");

        await page.goto(`${stack.proxy}/settings/policies/${encodeURIComponent("urn:li:dataHubPolicy:0")}`);
        await page.getByText("This policy comes with the product and is changed by the service alone. What it says").waitFor();
        assert.equal(await page.getByRole("button", { name: "Save changes" }).getAttribute("aria-disabled"), "true");
        await page.getByRole("checkbox", { name: "All people" }).click({ force: true });
        assert.equal(await page.getByRole("checkbox", { name: "All people" }).isChecked(), false);
      },
      { as, size: sizes[2], expected: [/status of 412/] },
    ));

  it("lists many policies page by page", async () => {
    const token = await stack.token("many", "urn:li:corpuser:datahub");
    const policy = (index) => ({
      urn: `urn:li:dataHubPolicy:many-${index}`,
      dataHubPolicyInfo: {
        value: { displayName: `Many ${index}`, description: "", type: "METADATA", state: "ACTIVE", privileges: ["EDIT_ENTITY_TAGS"], actors: { users: ["urn:li:corpuser:datahub"] }, resources: { filter: { criteria: [{ field: "TAG", values: [`urn:li:tag:t${index}`] }] } } },
      },
    });
    const policies = Array.from({ length: 500 }, (_, index) => policy(index));
    await stack.call(token, "POST", "/openapi/v3/entity/datahubpolicy?async=false", policies);
    await pages.visit(
      "/settings/policies?find=many&page=3",
      async (page, opened) => {
        await page.getByText("41 to 60 of 500").waitFor();
        assert.equal(await rows(page).getByRole("row").count(), 21);
        assert.ok(opened.operations <= 4, `${opened.operations} GraphQL requests`);
        await page.getByLabel("Find by name, person, privilege").fill("tag t499");
        await rows(page).getByText("DataHub may edit tags on all assets with the tag t499.").waitFor();
      },
      { as },
    );
  });

  it("finds a refusal in the audit log, and shows less of it to whom it is not for", async () => {
    await fetch(`${stack.proxy}/logIn`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username: plain.username, password: plain.password }) });
    const token = await stack.token("refused", plain.urn);
    await assert.rejects(stack.call(token, "POST", "/openapi/v3/entity/tag?async=false", [{ urn: "urn:li:tag:no", tagProperties: { value: { name: "no" } } }]), /403/);
    await pages.visit(
      "/settings/audit",
      async (page, opened) => {
        await page.getByRole("table", { name: "Records" }).waitFor();
        fewRequests(opened);
        await page.getByRole("radio", { name: "Refused" }).check();
        await page.getByText("lacked a privilege").first().waitFor();
        await page.getByRole("button", { name: "Did what", exact: true }).click();
        await page.getByRole("menuitemradio", { name: "Missing privileges" }).waitFor();
        assert.deepEqual(await opened.accessibilityWithin("[role=menu]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("menuitemradio", { name: "Missing privileges" }).click();
        await page.getByRole("button", { name: "Remove the filter Did what is Missing privileges" }).waitFor();
        assert.match(page.url(), /outcome=refused&what=rights/);
        await page.getByRole("button", { name: /^Details of/ }).first().click();
        await page.getByText("It needs").first().waitFor();
        await opened.picture("audit-details");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Clear all" }).click();
        await page.getByText("signed in").first().waitFor();
      },
      { as },
    );
    // Other users see fewer entries.
    await pages.visit(
      "/settings/audit",
      async (page) => {
        await page.getByText("are shown to those who have the privilege Manage System Operations").waitFor();
        await page.getByRole("table", { name: "Records" }).waitFor();
        await page.getByRole("button", { name: "Did what", exact: true }).click();
        await page.getByRole("menuitemradio", { name: "Sign-ins" }).waitFor();
        assert.equal(await page.getByRole("menuitemradio", { name: "Missing privileges" }).count(), 0);
      },
      { as: plain },
    );
  });

  it("keeps filters in the address, by keyboard alone", () =>
    pages.visit(
      "/settings/audit",
      async (page, opened) => {
        await page.getByRole("table", { name: "Records" }).waitFor();
        await tabTo(page, page.getByRole("button", { name: "Who", exact: true }));
        await page.keyboard.press("Enter");
        await page.locator('input[aria-label^="Find a"]:focus').waitFor();
        await page.keyboard.type("Plain");
        await page.getByRole("checkbox", { name: "DataHub" }).waitFor({ state: "detached" });
        await page.getByRole("checkbox", { name: "Plain Reader" }).waitFor();
        await opened.picture("audit-who");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Space");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Remove the filter Who is Plain Reader" }).waitFor();

        await tabTo(page, page.getByRole("button", { name: "When", exact: true }));
        await page.keyboard.press("Enter");
        await page.getByRole("menuitemradio", { name: "Last hour" }).and(page.locator(":focus")).waitFor();
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Remove the filter When is All that is kept" }).waitFor();
        const kept = new URL(page.url()).searchParams;
        assert.deepEqual([kept.get("who"), kept.get("when")], [plain.urn, "all"]);
        await page.reload();
        await page.getByRole("button", { name: "Remove the filter Who is Plain Reader" }).waitFor();
        await page.getByRole("table", { name: "Records" }).waitFor();
        assert.deepEqual([...new Set(await page.getByRole("table", { name: "Records" }).locator("td:nth-child(2)").allInnerTexts())].map((text) => text.split("\n").at(-1)), ["Plain Reader"]);
        await opened.picture("audit-filtered");
        await tabTo(page, page.getByRole("button", { name: "Clear all" }));
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Clear all" }).waitFor({ state: "detached" });
        assert.equal(new URL(page.url()).search, "");
      },
      { as },
    ));

  it("follows the newest records by keyboard alone, on a narrow page that shows which of the settings is open", () =>
    pages.visit(
      "/settings/audit?what=policies",
      async (page) => {
        const follow = page.getByRole("button", { name: "Follow newest" });
        await page.getByText("made the policy").first().waitFor();
        const chosen = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Audit" });
        const { left, right } = await chosen.evaluate((link) => ({ left: link.getBoundingClientRect().left, right: link.getBoundingClientRect().right }));
        assert.ok(left >= 0 && right <= 400, `the chosen one of the settings lies from ${left} to ${right} in a window of 400`);
        await tabTo(page, follow);
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Following newest" }).waitFor();
        const { listPolicies } = await stack.graphql("{ listPolicies(input: {count: 100}) { policies { urn name } } }");
        await stack.graphql("mutation ($urn: String!) { deletePolicy(urn: $urn) }", { urn: listPolicies.policies.find(({ name }) => name === "second").urn });
        await page.getByText("deleted the policy").first().waitFor();
        await tabTo(page, page.getByRole("button", { name: /^Details of/ }).first());
        await page.keyboard.press("Enter");
        await page.getByText("DeletePolicyEvent").waitFor();
      },
      { as, size: sizes[2] },
    ));
});
