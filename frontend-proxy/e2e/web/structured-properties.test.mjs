// The page that defines structured properties.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, Pages, unlessMissing } from "./visit.mjs";

const path = "/structured-properties";

describe("structured properties", unlessMissing("structured properties"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const stored = async (id) =>
    (await stack.graphql("query($u: String!) { structuredProperty(urn: $u) { exists definition { displayName cardinality allowedValues { value { ... on StringValue { stringValue } } } } settings { showInSearchFilters } } }", { u: `urn:li:structuredProperty:${id}` })).structuredProperty;

  it("creates, widens and deletes a property", () =>
    pages.visit(path, async (page, opened) => {
      await page.getByRole("button", { name: "Create property" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("Care tier");
      await dialog.getByLabel("Qualified name").fill("fernhill.data_class");
      await dialog.getByLabel("Allowed values").fill("gold\nsilver");
      await opened.picture("structured-properties-create");
      assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);
      await dialog.getByRole("button", { name: "Create property" }).click();
      await dialog.getByText("No property was created").waitFor(); // the id exists already
      assert.equal(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Care tier");
      await dialog.getByLabel("Qualified name").fill("fernhill.care_tier");
      await dialog.getByRole("button", { name: "Create property" }).click();
      await page.getByRole("link", { name: "Care tier" }).waitFor();

      await page.getByRole("button", { name: "More for Care tier" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const allowed = dialog.getByLabel("Allowed values");
      assert.equal(await allowed.inputValue(), "gold\nsilver");
      await allowed.fill("bronze | Within a week\ngold");
      await dialog.getByText("Some may be in use already, so they stay.").waitFor();
      await allowed.fill("bronze | Within a week\ngold\nsilver");
      await dialog.getByLabel("A filter of the search").check();
      await dialog.getByLabel("Assets may have several values").check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("bronze (Within a week), gold, silver").waitFor();
      await page.reload();
      await page.getByText("bronze (Within a week), gold, silver").waitFor();
      const { definition, settings } = await stored("fernhill.care_tier");
      assert.equal(definition.cardinality, "MULTIPLE");
      assert.deepEqual(definition.allowedValues.map(({ value }) => value.stringValue), ["bronze", "gold", "silver"]);
      assert.equal(settings.showInSearchFilters, true);

      await page.getByRole("button", { name: "More for Care tier" }).click();
      await page.getByRole("menuitem", { name: "Delete property" }).click();
      await dialog.getByText("No asset has a value of it.").waitFor();
      await dialog.getByRole("textbox").fill("Care tier");
      await dialog.getByRole("button", { name: "Delete property" }).click();
      await page.getByRole("link", { name: "Care tier" }).waitFor({ state: "detached" });
    }, { as }));

  it("limits platforms and what values may be, and tells what a value means", () =>
    pages.visit(path, async (page, opened) => {
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Create property" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Answered within");
      await dialog.getByLabel("Qualified name").fill("fernhill.answered_within");
      await dialog.getByLabel("Allowed values").fill("gold | Within an hour\nsilver");
      await dialog.getByRole("combobox", { name: "On assets of these platforms alone" }).fill("kafka");
      await page.getByRole("option", { name: /kafka/i }).first().click();
      await page.keyboard.press("Escape");
      await opened.picture("structured-properties-limits");
      assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);
      await dialog.getByRole("button", { name: "Create property" }).click();
      await page.getByText("gold (Within an hour), silver").waitFor();
      await page.getByText("on kafka alone").waitFor();
      await page.getByRole("button", { name: "Create property" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Answered by");
      await dialog.getByLabel("Qualified name").fill("fernhill.answered_by");
      await dialog.getByRole("combobox", { name: "Values", exact: true }).click();
      await page.getByRole("option", { name: "Asset", exact: true }).click();
      await dialog.getByRole("combobox", { name: "A value is one of" }).fill("people");
      await page.getByRole("option", { name: "People" }).click();
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "Create property" }).click();
      await page.getByRole("row", { name: /Answered by.*Asset.*people/ }).waitFor();
      const { structuredProperty } = await stack.graphql("query($u: String!) { structuredProperty(urn: $u) { definition { allowedPlatforms { urn } allowedValues { value { ... on StringValue { stringValue } } description } } } }", { u: "urn:li:structuredProperty:fernhill.answered_within" });
      assert.deepEqual(structuredProperty.definition, {
        allowedPlatforms: [{ urn: "urn:li:dataPlatform:kafka" }],
        allowedValues: [{ value: { stringValue: "gold" }, description: "Within an hour" }, { value: { stringValue: "silver" }, description: null }],
      });
      const other = (await stack.graphql("query($u: String!) { structuredProperty(urn: $u) { definition { typeQualifier { allowedTypes { urn } } } } }", { u: "urn:li:structuredProperty:fernhill.answered_by" })).structuredProperty;
      assert.deepEqual(other.definition.typeQualifier, { allowedTypes: [{ urn: "urn:li:entityType:datahub.corpuser" }] });
    }, { as }));

  it("tells how many assets have a value and would lose it, exports, and leads to them", () =>
    pages.visit(
      path,
      async (page, opened) => {
        const uses = page.getByRole("row", { name: /^Data class/ }).getByRole("link", { name: "12 uses" });
        await page.getByRole("link", { name: "Retention (days)" }).waitFor();
        fewRequests(opened);
        await uses.waitFor();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        const text = await readFile(await download.path(), "utf8");
        assert.match(text, /^\uFEFFName,Qualified name,Description,Values,Several,Allowed values,Applies to,Platforms,Values may be,Shown,Uses,URN\r\n/);
        assert.match(text, /Data class,fernhill\.data_class,.*,12,urn:li:structuredProperty:fernhill\.data_class\r\n/);
        await page.getByRole("button", { name: "More for Data class" }).click();
        await page.getByRole("menuitem", { name: "Delete property" }).click();
        await page.getByRole("dialog").getByText("12 assets have a value of it").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await uses.click();
        await page.waitForURL(/\/search\?/u);
        await page.getByText("12", { exact: true }).first().waitFor();
        await page.getByRole("link", { name: /^FCT_ORDERS/ }).first().waitFor();
      },
      { as },
    ));
});
