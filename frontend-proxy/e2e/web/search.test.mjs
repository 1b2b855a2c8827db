// The search: the field in the top bar, the results page, and the actions on results.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const field = (page) => page.getByRole("combobox", { name: "Search the catalog" });
const count = (page) => page.locator('[role="status"]', { hasText: /results? for|assets?$/ }).innerText();
const box = (page, facet, name) => page.getByRole("group", { name: facet, exact: true }).getByRole("checkbox", { name });

describe("search", unlessMissing("search"), () => {
  let stack, pages, as, plain;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader", "Reader");
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const total = async (input) => (await stack.graphql("query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total } }", { i: { count: 0, ...input } })).searchAcrossEntities.total;

  it("proposes assets while one types, and opens one by keyboard alone", () =>
    pages.visit(
      "/operations",
      async (page, opened) => {
        await page.getByRole("heading", { name: "Operations" }).waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("c");
        assert.equal(await page.getByRole("listbox").count(), 0);
        await page.keyboard.type("ust");
        const list = page.getByRole("listbox", { name: "Suggestions" });
        await list.getByRole("option", { name: /DIM_CUSTOMERS/ }).waitFor();
        await opened.picture("search-suggestions");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.keyboard.press("ArrowDown");
        const active = await field(page).getAttribute("aria-activedescendant");
        assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
        await page.keyboard.press("Escape");
        await list.waitFor({ state: "detached" });
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
        assert.match(await page.locator('[role="option"][aria-selected="true"]').innerText(), /All results for cust/);
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/urn%3Ali%3A/);

        await page.keyboard.press("Control+k");
        await page.keyboard.type("net revenue");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/search\?query=net/);
        await page.keyboard.press("Control+k");
        assert.equal(await page.evaluate(() => getSelection().toString()), "net revenue");
      },
      { as },
    ));

  it("keeps what one types before proposals can be shown, and takes back what it asked when one types on", async () => {
    await pages.visit(
      "/operations",
      async (page) => {
        let release;
        const held = new Promise((resolve) => (release = resolve));
        await page.route(/\/suggestions-[^/]*\.js$/, async (route) => {
          await held;
          await route.continue();
        });
        await page.reload();
        await field(page).waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("cu");
        await page.keyboard.type("st");
        release();
        await page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { name: /DIM_CUSTOMERS/ }).waitFor();
        assert.equal(await field(page).inputValue(), "cust");
      },
      { as },
    );
    await pages.visit(
      "/operations",
      async (page) => {
        const asks = (text) => (request) => request.url().endsWith("/api/graphql") && request.postDataJSON()?.variables?.input?.query === text;
        await page.route("**/api/graphql", (route) => (asks("cu")(route.request()) ? undefined : route.continue())); // the first request gets no response
        const first = page.waitForRequest(asks("cu"));
        const taken = page.waitForEvent("requestfailed", asks("cu"));
        await field(page).fill("cu");
        await first;
        await field(page).fill("custom");
        await taken;
        await page.getByRole("option", { name: /DIM_CUSTOMERS/ }).waitFor();
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
      { as },
    );
  });

  it("narrows by facets whose counts stay, drops a filter, and goes back; on a phone in a sheet", async () => {
    await pages.visit(
      "/search?query=customer",
      async (page, opened) => {
        const snowflake = box(page, "Platform", /Snowflake/);
        const dbt = box(page, "Platform", /dbt/);
        await snowflake.waitFor();
        const before = await dbt.locator("xpath=ancestor::li").innerText();
        await snowflake.click();
        await page.getByText("Platform is").waitFor();
        const platform = { orFilters: [{ and: [{ field: "platform", values: ["urn:li:dataPlatform:snowflake"] }] }] };
        const expected = await total({ query: "customer", ...platform });
        await page.getByText(`${expected} results for`).waitFor();
        assert.equal(await dbt.locator("xpath=ancestor::li").innerText(), before);
        await dbt.click();
        await page.getByText("Snowflake or dbt").waitFor();
        assert.match(decodeURIComponent(page.url()), /filter_platform___false___EQUAL___0=urn:li:dataPlatform:snowflake,urn:li:dataPlatform:dbt/);
        await opened.picture("search-filtered");
        await page.goBack();
        await page.getByText(`${expected} results for`).waitFor();
        await page.getByRole("button", { name: "Remove the filter Platform is Snowflake" }).click();
        await page.getByText(`${await total({ query: "customer" })} results for`).waitFor();
      },
      { as },
    );
    await pages.visit(
      "/search?query=customer",
      async (page, opened) => {
        await page.getByRole("button", { name: "Filters" }).click();
        await page.getByRole("dialog").getByRole("checkbox", { name: /Looker/ }).click();
        await page.getByText("Platform is").waitFor();
        await opened.picture("search-sheet");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: /^Show \d+ results$/ }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        assert.match(await count(page), /results? for/);
      },
      { as, size: sizes[2] },
    );
  });

  it("names the filter to drop where nothing is found, opens addresses that other clients have written, and lives with nonsense", async () => {
    await pages.visit(
      "/search?query=customer&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Asnowflake&filter_tags___false___EQUAL___1=urn%3Ali%3Atag%3Asensor",
      async (page) => {
        await page.getByText("Nothing is found for customer").waitFor();
        const without = await total({ query: "customer", orFilters: [{ and: [{ field: "platform", values: ["urn:li:dataPlatform:snowflake"] }] }] });
        await page.getByText(`Without Tag is sensor there are ${without}.`).waitFor();
        await page.getByRole("button", { name: `Show the ${without}` }).click();
        await page.getByText(`${without} results for`).waitFor();
      },
      { as },
    );
    await pages.visit(
      "/search?filter__entityType___false___EQUAL___0=DASHBOARD&filter_nothing___true___CONTAIN___1=x%2Cy&page=1&query=&unionType=0",
      async (page) => {
        await page.getByText("Type is").waitFor();
        await page.getByText("nothing not contains").waitFor();
        await page.goto(`${stack.proxy}/search?query=${encodeURIComponent('<img src=x onerror=alert(1)> ((" AND')}&page=-9&sort=x&view=y`);
        await page.getByText(/Nothing is found for <img|results? for/).first().waitFor();
        await page.goto(`${stack.proxy}/search?query=customer&page=4000`);
        await page.getByText("There is no page 4,000").waitFor();
        await page.getByRole("button", { name: "Go to the first page" }).click();
        await page.getByRole("list", { name: "Results" }).waitFor();
      },
      { as },
    );
  });

  it("ticks results by keyboard alone, and gives them a tag", () =>
    pages.visit(
      "/search?query=customers&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Adbt",
      async (page, opened) => {
        await page.getByRole("list", { name: "Results" }).waitFor();
        await page.keyboard.press("j");
        const urn = decodeURIComponent((await page.evaluate(() => document.activeElement.getAttribute("href"))).split("/").at(-1));
        await page.keyboard.press("x");
        await page.getByText("1 selected").waitFor();
        await page.setViewportSize(sizes[2]);
        const bar = await page.getByText("1 selected").locator("..").boundingBox();
        assert.ok(bar.width > 0.8 * sizes[2].width, `the bar takes ${bar.width} px of a window of ${sizes[2].width}`);
        await opened.picture("search-selected-400");
        await page.setViewportSize(sizes[0]);
        await opened.picture("search-selection");
        await tabTo(page, page.getByRole("button", { name: "Tag", exact: true }), 120);
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").waitFor();
        await tabTo(page, page.getByRole("dialog").getByRole("combobox", { name: "Tags" }));
        await page.keyboard.type("seasonal");
        await page.waitForFunction(() => [...document.querySelectorAll('[role="option"]')].map((option) => option.textContent).join() === "seasonal");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await tabTo(page, page.getByRole("button", { name: "Add tags" }));
        await page.keyboard.press("Enter");
        await page.getByText("1 tag added to 1 asset").waitFor();
        const { dataset } = await stack.graphql("query($u: String!) { dataset(urn: $u) { tags { tags { tag { urn } } } } }", { u: urn });
        assert.ok(dataset.tags.tags.some(({ tag }) => tag.urn === "urn:li:tag:seasonal"));
      },
      { as },
    ));

  it("says which assets were refused, by name and with the reason", () =>
    pages.visit(
      "/search?query=customers&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Adbt",
      async (page) => {
        await page.getByRole("list", { name: "Results" }).waitFor();
        await page.getByRole("checkbox", { name: /^Select / }).first().click();
        await page.getByRole("button", { name: /^Select all/ }).click();
        await page.getByRole("button", { name: "Deprecate", exact: true }).click();
        await page.getByLabel("Why, and what to use instead").fill("Old");
        await page.getByRole("dialog").getByRole("button", { name: "Deprecate" }).click();
        await page.getByText(/\d+ of \d+ not changed/).waitFor();
        await page.getByText(/Unauthorized|privilege/i).first().waitFor();
      },
      { as: plain },
    ));

  it("saves all results as a file", () =>
    pages.visit(
      "/search?query=*&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Asnowflake",
      async (page) => {
        await page.getByRole("list", { name: "Results" }).waitFor();
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: "Export" }).click();
        const text = await readFile(await (await saved).path(), "utf8");
        const lines = text.split("\r\n");
        assert.match(lines[0], /^\uFEFFName,Kind,Platform/);
        assert.equal(lines.length - 2, await total({ query: "*", orFilters: [{ and: [{ field: "platform", values: ["urn:li:dataPlatform:snowflake"] }] }] }));
      },
      { as },
    ));
});
