// Five tasks of a new user, from the home page on, using only the visible content. Each test asserts the
// number of clicks.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, unlessMissing } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";

describe("a newcomer", unlessMissing("a newcomer"), () => {
  let stack, pages, admin, newcomer;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    admin = { username: "datahub", password: await stack.adminPassword() };
    newcomer = await stack.person("Ivy Newcomer");
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  // task opens the home page and provides a click function that counts its calls. Typed text goes to the
  // focused element.
  const task = (as, story) =>
    pages.visit(
      "/",
      async (page, opened) => {
        let clicks = 0;
        const click = async (locator) => {
          await locator.click();
          clicks += 1;
        };
        const find = async (text, shown) => {
          await page.getByRole("combobox", { name: "Search" }).and(page.locator(":focus")).waitFor();
          await page.keyboard.type(text);
          await click(page.getByRole("option").filter({ hasText: shown }));
        };
        await page.getByRole("heading", { level: 1 }).waitFor();
        await story({ page, opened, click, find, clicks: () => clicks });
      },
      { as },
    );
  const grant = (person, role) => stack.graphql("mutation($i: BatchAssignRoleInput!) { batchAssignRole(input: $i) }", { i: { roleUrn: `urn:li:dataHubRole:${role}`, actors: [person.urn] } });

  it("finds who owns the orders with one click, what breaks when a column goes with two, and what failed, where and since when with one", async () => {
    await task(newcomer, async ({ page, find, clicks }) => {
      await find("orders", /^orders, Table.*shop\/public/);
      const owners = page.getByRole("region", { name: "Owners" });
      await owners.getByRole("link", { name: "Willow Label" }).waitFor();
      assert.equal(clicks(), 1);
    });
    await task(newcomer, async ({ page, click, find, clicks }) => {
      await find("fct_orders", /^FCT_ORDERS, Table/);
      await click(page.getByRole("button", { name: "net_revenue_eur", exact: true }));
      await page.getByRole("region", { name: "Feeds 4 assets" }).getByRole("link", { name: "Revenue by channel" }).waitFor();
      assert.equal(clicks(), 2);
    });
    await task(newcomer, async ({ page, click, opened, clicks }) => {
      await click(page.getByRole("link", { name: "Show what fails" }));
      await page.getByRole("heading", { level: 1, name: "Failing now" }).waitFor();
      const failed = page.getByRole("row", { name: /A share lies between 0 and 1/ });
      await failed.getByRole("link", { name: "MART_PLANT_SURVIVAL" }).waitFor();
      await failed.getByText("3 unexpected").waitFor();
      await opened.picture("newcomer-failing");
      assert.equal(clicks(), 1);
    });
  });

  it("describes a column with three clicks", async () => {
    const editor = await stack.person("Edith Editor");
    await grant(editor, "Editor");
    await task(editor, async ({ page, click, find, clicks }) => {
      await find("fct_orders", /^FCT_ORDERS, Table/);
      await click(page.getByRole("table", { name: "Columns" }).getByText("Last status"));
      await page.keyboard.press("Control+A");
      await page.keyboard.type("Where the order stands");
      await click(page.getByRole("button", { name: "Save", exact: true }));
      await page.getByRole("textbox").and(page.locator("textarea")).waitFor({ state: "detached" });
      await page.reload();
      await page.getByText("Where the order stands", { exact: true }).waitFor();
      assert.equal(clicks(), 3);
    });
    const { dataset } = await stack.graphql("query($u: String!) { dataset(urn: $u) { editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description } } } }", { u: orders });
    assert.equal(dataset.editableSchemaMetadata.editableSchemaFieldInfo.find(({ fieldPath }) => fieldPath === "status").description, "Where the order stands");
  });

  it("gives a colleague the right to read with four clicks, and no form", async () => {
    const colleague = await stack.person("Cole League");
    const policy = { type: "METADATA", state: "INACTIVE", name: "All Users - View Entity Page", description: "", privileges: ["VIEW_ENTITY_PAGE"], actors: { users: [], groups: [], allUsers: true, allGroups: true, resourceOwners: false } };
    await stack.graphql("mutation($urn: String!, $input: PolicyUpdateInput!) { updatePolicy(urn: $urn, input: $input) }", { urn: "urn:li:dataHubPolicy:view-entity-page-all", input: policy });
    await pages.visit(`/dataset/${orders}`, (page) => page.getByRole("heading", { level: 1, name: "You may not see this asset" }).waitFor(), { as: colleague, expected: [/status of 403/] });
    await task(admin, async ({ page, click, clicks }) => {
      await click(page.getByRole("link", { name: "Settings", exact: true }));
      await click(page.getByRole("link", { name: "Users", exact: true }));
      await click(page.getByRole("row", { name: /Cole League/ }).getByText("No role", { exact: true }));
      await click(page.getByRole("option", { name: /^Reader/ }).or(page.getByRole("menuitemradio", { name: /^Reader/ })));
      await page.getByRole("row", { name: /Cole League/ }).getByText("Reader", { exact: true }).waitFor();
      assert.equal(clicks(), 4);
    });
    await pages.visit(`/dataset/${orders}`, (page) => page.getByRole("heading", { level: 1, name: "FCT_ORDERS" }).waitFor(), { as: colleague });
  });
});
