// The browse tree, from a platform down to a table, and back.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

describe("browse", unlessMissing("browse"), () => {
  let stack, pages, as;
  const snowflake = encodeURIComponent("urn:li:dataPlatform:snowflake");
  const column = (page, name) => page.getByRole("region", { name, exact: true });
  const assets = (page) => page.getByRole("table", { name: "Assets" });

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.demo();
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("leads from a platform to a table, column by column, and back; counts in each column what the one below it lists", async () => {
    await pages.visit(
      "/browse",
      async (page) => {
        await column(page, "Platform").getByRole("link", { name: /Snowflake/ }).click();
        await column(page, "Database").getByRole("link").first().click();
        await column(page, "Schema").getByRole("link", { name: /finance/i }).click();
        await page.getByRole("heading", { level: 2, name: /finance/i }).waitFor();
        await assets(page).getByRole("link", { name: /REV_DAILY/i }).first().waitFor();
        const { searchParams } = new URL(page.url());
        assert.equal(searchParams.getAll("path").length, 2);
        // The address alone restores the position.
        await page.reload();
        await assets(page).getByRole("link", { name: /REV_DAILY/i }).first().waitFor();
        await page.goBack();
        await page.waitForFunction(() => new URL(location.href).searchParams.getAll("path").length === 1);
        await page.goForward();
        await page.getByRole("searchbox", { name: "Find an asset" }).fill("rev_daily");
        await page.waitForFunction(() => document.querySelectorAll('table[aria-label="Assets"] tbody tr').length === 1);
        await assets(page).getByRole("link", { name: /REV_DAILY/i }).click();
        await page.getByRole("heading", { level: 1, name: /rev_daily/i }).waitFor();
      },
      { as },
    );
    await pages.visit(
      "/browse",
      async (page) => {
        const link = column(page, "Platform").getByRole("link", { name: /Snowflake/ });
        const count = Number((await link.locator("b").textContent()).replaceAll(",", ""));
        await link.click();
        await page.getByRole("status").filter({ hasText: new RegExp(`^${count} assets$`) }).waitFor();
      },
      { as },
    );
    await pages.visit(`/browse?platform=${snowflake}&path=nowhere`, (page) => page.getByText("No asset is here").waitFor(), { as });
  });

  it("narrows the assets to a kind and orders them, as the address says", () =>
    pages.visit(
      `/browse?platform=${snowflake}`,
      async (page, opened) => {
        const names = () => assets(page).locator("tbody tr td:first-child").allInnerTexts();
        await assets(page).getByRole("row").nth(1).waitFor();
        await page.getByRole("button", { name: "Every kind" }).click();
        const item = page.getByRole("menuitemradio", { name: /^View, \d+$/ });
        const count = Number((await item.innerText()).split(", ").at(-1));
        assert.ok(count > 0);
        await item.click();
        await page.getByRole("status").filter({ hasText: new RegExp(`^${count} assets?$`) }).waitFor();
        await page.getByRole("button", { name: "View", exact: true }).waitFor();
        await page.goBack();
        await page.getByRole("button", { name: "Every kind" }).waitFor();
        await page.getByRole("button", { name: "Most used" }).click();
        await page.getByRole("menuitemradio", { name: "Name", exact: true }).click();
        await page.getByRole("button", { name: "Name", exact: true }).waitFor();
        const { searchAcrossEntities } = await stack.graphql(
          '{ searchAcrossEntities(input: {types: [DATASET, DASHBOARD, CHART, DATA_FLOW, DATA_JOB], query: "*", count: 1, orFilters: [{and: [{field: "platform", values: ["urn:li:dataPlatform:snowflake"]}]}], sortInput: {sortCriteria: [{field: "_entityName", sortOrder: ASCENDING}]}}) { searchResults { entity { urn } } } }',
        );
        const [first] = searchAcrossEntities.searchResults;
        await page.waitForFunction((urn) => decodeURIComponent(document.querySelector('table[aria-label="Assets"] tbody a').href).endsWith(urn), first.entity.urn);
        const before = await names();
        await opened.picture("browse-by-name");
        await page.reload();
        await assets(page).getByRole("row").nth(1).waitFor();
        assert.deepEqual(await names(), before);
        assert.equal(new URL(page.url()).searchParams.get("sort"), "name");
      },
      { as },
    ));

  it("is walked by keyboard alone, and by the way back on a narrow page", () =>
    pages.visit(
      "/browse",
      async (page) => {
        await page.getByText("Choose a platform").waitFor();
        await tabTo(page, column(page, "Platform").getByRole("link", { name: /Snowflake/ }));
        await page.keyboard.press("Enter");
        await tabTo(page, column(page, "Database").getByRole("link").first());
        await page.keyboard.press("Enter");
        await column(page, "Schema").waitFor();
        await tabTo(page, page.getByRole("link", { name: "Back", exact: true }), 80);
        await page.keyboard.press("Enter");
        await column(page, "Database").waitFor();
        assert.equal(await column(page, "Platform").isVisible(), false);
      },
      { as, size: sizes[2] },
    ));
});
