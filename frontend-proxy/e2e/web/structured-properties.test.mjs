// The page on which structured properties are defined.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { shown, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const path = "/structured-properties";

describe("structured properties", unlessMissing("structured properties"), () => {
  let stack, as, plain;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader", "Reader");
  });
  after(() => stack?.stop());

  const stored = async (id) =>
    (await stack.graphql("query($u: String!) { structuredProperty(urn: $u) { exists definition { displayName cardinality allowedValues { value { ... on StringValue { stringValue } } } } settings { showInSearchFilters } } }", { u: `urn:li:structuredProperty:${id}` })).structuredProperty;

  it("lists what is defined", () => shown(stack, path, "structured-properties", (page) => page.getByRole("link", { name: "Retention (days)" }).waitFor(), { as }));

  it("creates, widens and deletes a property", () =>
    visit(stack, path, async (page, opened) => {
      await page.getByRole("button", { name: "Create property" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("Care tier");
      await dialog.getByLabel("Qualified name").fill("fernhill.data_class");
      await dialog.getByLabel("Allowed values").fill("gold\nsilver");
      await opened.picture("structured-properties-create");
      assert.deepEqual(await opened.accessibility(), []);
      await dialog.getByRole("button", { name: "Create property" }).click();
      await dialog.getByText("No property was created").waitFor(); // the id is taken
      assert.equal(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Care tier");
      await dialog.getByLabel("Qualified name").fill("fernhill.care_tier");
      await dialog.getByRole("button", { name: "Create property" }).click();
      await page.getByRole("link", { name: "Care tier" }).waitFor();

      await page.getByRole("button", { name: "More for Care tier" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await dialog.getByLabel("More allowed values").fill("bronze");
      await dialog.getByLabel("A filter of the search").check();
      await dialog.getByLabel("Assets may have several values").check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("gold, silver, bronze").waitFor();
      await page.reload();
      await page.getByText("gold, silver, bronze").waitFor();
      const { definition, settings } = await stored("fernhill.care_tier");
      assert.equal(definition.cardinality, "MULTIPLE");
      assert.deepEqual(definition.allowedValues.map(({ value }) => value.stringValue), ["gold", "silver", "bronze"]);
      assert.equal(settings.showInSearchFilters, true);

      await page.getByRole("button", { name: "More for Care tier" }).click();
      await page.getByRole("menuitem", { name: "Delete property" }).click();
      await dialog.getByText("No asset has a value of it.").waitFor();
      await dialog.getByRole("textbox").fill("Care tier");
      await dialog.getByRole("button", { name: "Delete property" }).click();
      await page.getByRole("link", { name: "Care tier" }).waitFor({ state: "detached" });
    }, { as }));

  it("counts the assets that lose a value, by keyboard alone on a narrow page", () =>
    visit(stack, path, async (page) => {
      const more = page.getByRole("button", { name: "More for Data class" });
      await more.waitFor();
      await tabTo(page, more, 90);
      await page.keyboard.press("Enter");
      const remove = page.getByRole("menuitem", { name: "Delete property" });
      await remove.waitFor();
      for (let pressed = 0; pressed < 6 && !(await remove.evaluate((element) => element === document.activeElement)); pressed++) {
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByText(/\d+ assets have a value of it/u).waitFor();
      await page.keyboard.press("Escape");
    }, { as, size: sizes[2] }));

  it("says which privilege creating needs", () =>
    visit(stack, path, async (page) => {
      const create = page.getByRole("button", { name: "Create property" });
      await create.waitFor();
      assert.equal(await create.getAttribute("aria-disabled"), "true");
      await create.focus();
      await page.getByText("Manage Structured Properties").first().waitFor();
    }, { as: { username: plain.username, password: plain.password } }));
});
