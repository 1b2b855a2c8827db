// A user with read privileges only: buttons and pages name the missing privilege, and a text that the service
// refuses stays in its field, with the reason.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { go, Pages, settled, unlessMissing } from "./visit.mjs";

const dataset = (name) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.${name},PROD)`;
const [orders, products] = ["marts.fct_orders", "marts.dim_products"].map(dataset);
const pathOf = (urn, tab = "") => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}${tab && `/${tab}`}`;

describe("what a reader may not do", unlessMissing("what a reader may not do"), () => {
  let stack, pages, reader, nobody, test;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    reader = await stack.person("Plain Reader", "Reader");
    nobody = await stack.person("Robin Sparrow");
    // Deletes the policy that allows all users to create tokens.
    await stack.graphql('mutation { deletePolicy(urn: "urn:li:dataHubPolicy:7") }');
    test = (await stack.graphql("mutation($input: CreateTestInput!) { createTest(input: $input) }", { input: { name: "Has an owner <b>", category: "Ownership", definition: { json: '{"on": {"types": ["dataset"]}, "rules": {"property": "owners", "operator": "exists"}}' } } })).createTest;
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  // refused asserts that a button has no effect, and shows the missing privilege when it has the focus.
  async function refused(page, path, name, reason) {
    await go(page, path);
    const button = page.getByRole("main").getByRole("button", { name, exact: true });
    try {
      await button.and(page.locator('[aria-disabled="true"]')).waitFor();
      await button.focus();
      await page.getByText(reason).first().waitFor();
      await page.keyboard.press("Enter");
    } catch (error) {
      assert.fail(`${name} on ${path}: ${error.message}`);
    }
    assert.equal(await page.getByRole("dialog").count(), 0, `${name} on ${path} opens a dialog`);
  }

  it("names at each button the privilege that it needs", () =>
    pages.visit(
      "/tags",
      async (page) => {
        for (const [path, name, reason] of [
          ["/tags", "Create tag", "You need the privilege Create Tags."],
          ["/domains", "Create domain", "You need the privilege Create Domains."],
          [pathOf("urn:li:domain:operations.growing"), "New sub-domain", "You need the privilege Create Domains."],
          ["/applications", "Create application", "You need the privilege Manage Applications."],
          ["/structured-properties", "Create property", "Manage Structured Properties"],
          ["/forms", "Create form", "Manage Documentation Forms"],
          ["/settings/announcements", "Announce something", "You need the privilege Manage Home Page Posts."],
          ["/settings/tokens", "Generate personal access token", "You need the privilege Generate Personal Access Tokens. Ask an administrator to add you to a policy that has it."],
          [pathOf(orders, "Queries"), "New query", "It needs the privilege Edit Dataset Queries: ask the owner,"],
          [pathOf(orders, "Properties"), "Edit Data class", "It needs the privilege Edit Properties: ask the owner,"],
          [pathOf(orders, "Documentation"), "Edit documentation", "It needs the privilege Edit Description: ask the owner,"],
          [pathOf(orders, "Governance"), "Answer: Where does one ask about it?", "Care of tables is for the owners to fill in."],
          [pathOf(products, "Quality"), "Raise an incident", /You may not change this of .*It needs the privilege Edit Incidents/],
        ]) {
          await refused(page, path, name, reason);
        }
        await page.getByRole("table", { name: "Incidents" }).getByRole("button").first().click();
        await page.getByRole("button", { name: "Resolve incident" }).and(page.locator('[aria-disabled="true"]')).waitFor();

        await go(page, pathOf("urn:li:form:care-of-tables"));
        await page.getByRole("table", { name: "Questions" }).waitFor();
        for (const name of ["Delete form", "Edit", "Add question", "Assign by rule", "Add assets", "Take the form off MART_PLANT_SURVIVAL"]) {
          await page.getByRole("button", { name, exact: true }).and(page.locator('[aria-disabled="true"]')).waitFor();
        }

        for (const [path, menu, reason] of [
          ["/domains", "More for Finance", "You need the privilege Manage Domains."],
          ["/forms", "More for Care of tables", "Manage Documentation Forms"],
          [pathOf("urn:li:glossaryTerm:net-revenue"), "More for Net revenue", "You need the privilege Manage Glossaries"],
        ]) {
          await go(page, path);
          await page.getByRole("button", { name: menu }).click();
          await page.getByRole("menu").getByText(reason).first().waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("menu").waitFor({ state: "detached" });
        }
      },
      { as: reader },
    ));

  it("says on pages that are not for everybody which privilege they need", () =>
    pages.visit(
      "/settings/users",
      async (page, opened) => {
        const suspend = async () => {
          const role = page.getByRole("button", { name: /^Role of Plain Reader/ });
          await role.waitFor();
          assert.equal(await role.getAttribute("aria-disabled"), "true");
          await page.getByRole("button", { name: "More for Plain Reader" }).click();
          await page.getByText("You need the privilege Manage Users & Groups.").first().waitFor();
          await page.getByRole("menuitem", { name: "Suspend" }).click({ force: true });
          assert.equal(await page.getByRole("dialog").count(), 0);
          await page.keyboard.press("Escape");
        };
        await suspend();
        await refused(page, "/settings/users", "Invite", "You need the privilege Manage User Credentials.");
        for (const [path, said] of [
          ["/settings/groups", "You may not see the groups"],
          ["/settings/service-accounts", "You may not see the service accounts"],
          ["/settings/policies", "You may not see the policies"],
          ["/tests", "You may not see the metadata tests"],
          ["/ingestion", "You may not see the ingestion sources"],
          ["/ingestion/secrets", "You may not see the secrets"],
          ["/operations", "You may not see the index sizes"],
          ["/operations?tab=tasks", "You may not see the tasks"],
          ["/operations?tab=health", "Who has the privilege Manage System Operations"],
          ["/operations?tab=backups", "You may not see the backups"],
          ["/operations?tab=rebuild", "You may not see the rebuilds"],
        ]) {
          await go(page, path);
          await settled(page, () => page.getByRole("main").getByText(said).first().waitFor()).catch((error) => assert.fail(`${path}: ${error.message}`));
          assert.equal(await page.getByRole("main").getByRole("heading", { level: 1 }).count(), 1, `${path} has no heading`);
          assert.equal(await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Ingestion", exact: true }).count(), 0);
        }
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByRole("main").getByRole("button", { name: "Rebuild search" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Rebuild search" }).click();
        await page.getByText("Search was not rebuilt").waitFor();
        await page.keyboard.press("Escape");

        await refused(page, "/settings/policies", "New policy", "You need the privilege Manage Policies.");
        await refused(page, `/tests/${encodeURIComponent(test)}`, "Save", "You need the privilege Manage Tests.");
        await go(page, "/settings/tokens");
        await page.getByRole("heading", { level: 1, name: "Access tokens" }).waitFor();
        assert.equal(await page.getByText("Everyone’s").count(), 0);
      },
      { as: nobody, expected: [/status of 40[13]/] },
    ));

  it("keeps what was written when the service refuses it, and gives back what was there", () =>
    pages.visit(
      "/tags",
      async (page) => {
        for (const [path, before, label] of [
          ["/tags", "Reviewed by analytics and safe to build upon.", "description of certified"],
          ["/data-products", undefined, /^description of /],
          [pathOf("urn:li:glossaryTerm:net-revenue"), undefined, "definition"],
        ]) {
          await go(page, path);
          await page.getByRole("button", { name: label instanceof RegExp ? /^Edit description of / : `Edit ${label}`, exact: true }).first().click();
          const field = page.getByRole("textbox", { name: label });
          await field.fill("Mine now");
          await page.keyboard.press("Control+Enter");
          await page.getByRole("main").getByRole("alert").waitFor();
          assert.equal(await field.inputValue(), "Mine now", path);
          await page.keyboard.press("Escape");
          await page.getByText("Discard what you wrote?").waitFor();
          await page.keyboard.press("Escape");
          await page.getByText("Mine now").waitFor({ state: "detached" });
          if (before) {
            await page.getByText(before).waitFor();
          }
        }

        const dialog = page.getByRole("dialog");
        const name = dialog.getByLabel("Name", { exact: true });
        await go(page, "/data-products");
        await page.getByRole("button", { name: "Create data product" }).click();
        await name.fill("Not allowed");
        await dialog.getByLabel("Find a domain").last().fill("finance");
        await dialog.getByRole("radio", { name: /Finance/ }).click();
        await dialog.getByRole("button", { name: "Create data product" }).click();
        await dialog.getByText("No data product was created").waitFor();
        assert.equal(await name.inputValue(), "Not allowed");
        await page.keyboard.press("Escape");

        await go(page, "/applications");
        await page.getByRole("button", { name: "More for Fernhill Shop" }).click();
        await page.getByRole("menuitem", { name: "Rename" }).click();
        await name.fill("Mine now");
        await page.keyboard.press("Enter");
        await dialog.getByRole("alert").waitFor();
        assert.equal(await name.inputValue(), "Mine now");
        await page.keyboard.press("Escape");
        await page.getByRole("link", { name: /^Fernhill Shop/ }).waitFor();

        // The user lost the privilege after the page was opened.
        await page.route("**/openapi/v1/access/explain*", (route) => route.fulfill({ json: { allowed: true } }));
        await page.goto(`${stack.proxy}/forms`);
        await page.getByRole("button", { name: "Create form" }).click();
        await name.fill("Not allowed");
        await dialog.getByRole("button", { name: "Create form" }).click();
        await dialog.getByText("No form was created").waitFor();
        assert.equal(await name.inputValue(), "Not allowed");
      },
      { as: reader, expected: [/403/] },
    ));
});
