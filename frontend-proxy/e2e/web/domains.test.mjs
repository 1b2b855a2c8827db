// Domains, data products and applications in a browser against both binaries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, go, Pages, unlessMissing } from "./visit.mjs";

const growing = `/domain/${encodeURIComponent("urn:li:domain:operations.growing")}`;
const domainOf = async (stack, urn) =>
  (await stack.graphql("query($u: String!) { domain(urn: $u) { properties { name description } parentDomains { domains { urn } } entities(input: {count: 10}) { searchResults { entity { urn } } } } }", { u: urn })).domain;

describe("domains", unlessMissing("domains"), () => {
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

  const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name: new RegExp(`^${name}`) }) });
  const act = async (page, name, item) => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };

  const signs = (page) => page.getByRole("list", { name: "How well its assets are kept" });

  it("tells of domains and data products what the service counts, and leads to what it counted", () =>
    pages.visit(
      growing,
      async (page, opened) => {
        await signs(page).waitFor();
        fewRequests(opened);
        const { domain } = await stack.graphql("query($u: String!) { domain(urn: $u) { properties { description } entities(input: {count: 0}) { total } owned: entities(input: {count: 0, filters: [{field: \"owners\", condition: EXISTS}]}) { total } } }", { u: "urn:li:domain:operations.growing" });
        const { total } = domain.entities;
        assert.ok(total > 0);
        await page.getByText(domain.properties.description, { exact: true }).waitFor();
        await signs(page).getByText(`${total} assets`, { exact: true }).waitFor();
        await signs(page).getByText(`${Math.floor((domain.owned.total / total) * 100)} % have an owner`, { exact: true }).waitFor();
        assert.equal(await page.getByRole("complementary").getByRole("heading", { level: 2 }).first().innerText(), "Owners");
        const types = page.getByRole("navigation", { name: "Assets by type" }).getByRole("link");
        await types.first().waitFor();
        const counts = await types.locator("b").allInnerTexts();
        assert.equal(counts.reduce((sum, count) => sum + Number(count.replaceAll(",", "")), 0), total);
        await opened.picture("domain-figures");
        await types.first().click();
        await page.waitForURL(/\/search\b/);
        await page.getByRole("status").filter({ hasText: new RegExp(`\\b${counts[0]}\\b`) }).first().waitFor();
        const { searchParams } = new URL(page.url());
        assert.deepEqual([...searchParams.values()].filter((value) => value.startsWith("urn:li:domain:")), ["urn:li:domain:operations.growing"]);

        await go(page, `/dataProduct/${encodeURIComponent("urn:li:dataProduct:orders")}`);
        const { listDataProductAssets } = await stack.graphql("query($u: String!) { listDataProductAssets(urn: $u, input: { query: \"*\", start: 0, count: 0 }) { total } }", { u: "urn:li:dataProduct:orders" });
        assert.ok(listDataProductAssets.total > 0);
        await signs(page).getByText(`${listDataProductAssets.total} assets`, { exact: true }).waitFor();
        await page.getByRole("link", { name: `Assets ${listDataProductAssets.total}`, exact: true }).waitFor();

        await go(page, `/dataProduct/${encodeURIComponent("urn:li:dataProduct:plant-health")}`);
        await signs(page).getByText("4 assets", { exact: true }).waitFor();
        await signs(page).getByRole("link", { name: "1 asset fails a check" }).waitFor();
        await signs(page).getByRole("link", { name: "1 asset has an open incident" }).waitFor();
      },
      { as },
    ));

  it("describes a domain where it is read, makes a product and a sub-domain there", async () => {
    const { createDomain: urn } = await stack.graphql('mutation { createDomain(input: { id: "overview-e2e", name: "Gardens" }) }');
    const here = `/domain/${encodeURIComponent(urn)}`;
    await pages.visit(
      here,
      async (page) => {
        await page.getByText("No data product yet").waitFor();
        await page.getByText("No asset yet.").waitFor();
        await page.getByRole("button", { name: "Edit description" }).click();
        await page.getByRole("textbox", { name: "description" }).fill("What grows where.");
        await answered(page, () => page.keyboard.press("Control+Enter"));
        await page.getByRole("textbox", { name: "description" }).waitFor({ state: "detached" });
        await page.getByText("What grows where.", { exact: true }).waitFor();
        await page.getByRole("button", { name: "New product" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Bed plans");
        await page.getByRole("dialog").getByRole("button", { name: "Create data product" }).click();
        await page.getByRole("table", { name: "Data products" }).getByRole("link", { name: "Bed plans" }).waitFor();
        await page.getByRole("button", { name: "New sub-domain" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Orchards");
        await page.getByRole("dialog").getByRole("button", { name: "Create sub-domain" }).click();
        await page.getByRole("table", { name: "Sub-domains" }).getByRole("link", { name: "Orchards" }).waitFor();
        await page.reload();
        await page.getByText("What grows where.", { exact: true }).waitFor();
        await page.getByRole("table", { name: "Data products" }).getByRole("link", { name: "Bed plans" }).waitFor();
        await page.getByRole("table", { name: "Sub-domains" }).getByRole("link", { name: "Orchards" }).waitFor();
        const { domain } = await stack.graphql("query($u: String!) { domain(urn: $u) { properties { description } } }", { u: urn });
        assert.equal(domain.properties.description, "What grows where.");
      },
      { as },
    );
  });

  it("finds at the server with the way to each domain, exports all, and says why a domain with sub-domains is not deleted", () =>
    pages.visit(
      "/domains",
      async (page, opened) => {
        await row(page, "Operations").waitFor();
        fewRequests(opened);
        await page.getByLabel("Find a domain").fill("stock");
        await page.getByRole("link", { name: "Operations / Logistics / Stock" }).waitFor();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        assert.match(await readFile(await download.path(), "utf8"), /Stock,Operations \/ Logistics,What lies where/);

        await page.getByLabel("Find a domain").fill("");
        await page.getByRole("link", { name: "Operations / Logistics / Stock" }).waitFor({ state: "detached" });
        await row(page, "Operations").waitFor();
        await act(page, "Operations", "Delete domain");
        await page.getByText("It has 2 sub-domains").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Delete domain" }).click();
        await page.getByText("Nothing was changed").waitFor();
      },
      { as, expected: [/400/, /409/] },
    ));

  it("creates a domain, nests another, moves and renames it, puts an asset in, and deletes it", () =>
    pages.visit(
      "/domains",
      async (page, opened) => {
        await page.getByRole("button", { name: "Create domain" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Retail <em>x</em>");
        await page.getByRole("dialog").getByRole("button", { name: "Create domain" }).click();
        await row(page, "Retail").waitFor();
        await act(page, "Retail <em>x</em>", "New sub-domain");
        await page.getByLabel("Name", { exact: true }).fill("Tills");
        await page.getByLabel("What is in it").fill("ماكينات الدفع");
        await page.getByRole("dialog").getByRole("button", { name: "Create sub-domain" }).click();
        await page.getByRole("button", { name: "Open Retail <em>x</em>" }).click();
        await row(page, "Tills").waitFor();
        assert.match(page.url(), /open=urn/);
        const urn = decodeURIComponent((await row(page, "Tills").getByRole("link").first().getAttribute("href")).split("/").at(-1));

        await act(page, "Tills", "Move below");
        await page.getByRole("dialog").getByLabel("Find a domain").last().fill("Finance");
        await page.getByRole("radio", { name: /Finance/ }).click();
        await opened.picture("domain-move");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Move", exact: true }).click();
        await page.getByText("Tills was moved below Finance").waitFor();
        await page.getByRole("button", { name: "Open Finance" }).click();
        await act(page, "Tills", "Rename");
        await page.getByRole("dialog").getByLabel("Name").fill("Tills and cards");
        await page.getByRole("button", { name: "Rename", exact: true }).click();
        await row(page, "Tills and cards").waitFor();

        await act(page, "Tills and cards", "Add assets");
        await page.getByRole("dialog").getByLabel("Find an asset").last().fill("fct_orders");
        await page.getByRole("checkbox", { name: /fct_orders/ }).first().check();
        await page.getByRole("button", { name: "Add to domain" }).click();
        await page.getByText("1 asset added to Tills and cards").waitFor();
        await page.reload();
        await row(page, "Tills and cards").waitFor();

        const domain = await domainOf(stack, urn);
        assert.deepEqual(domain.properties, { name: "Tills and cards", description: "ماكينات الدفع" });
        assert.equal(domain.parentDomains.domains[0].urn, "urn:li:domain:finance");
        assert.match(domain.entities.searchResults[0].entity.urn, /fct_orders/);

        await act(page, "Tills and cards", "Delete domain");
        await page.getByText("1 asset", { exact: true }).waitFor();
        await page.getByLabel(/^Type/).fill("Tills and cards");
        await page.getByRole("dialog").getByRole("button", { name: "Delete domain" }).click();
        await page.getByText("Tills and cards was deleted").waitFor();
        await row(page, "Tills and cards").waitFor({ state: "detached" });
      },
      { as },
    ));

  it("tells in one request what is in trouble in the data products, leads there, and sets numbers at the right below their caption", () =>
    pages.visit(
      "/data-products",
      async (page, opened) => {
        await row(page, "Campaign results").getByText("Nothing fails").waitFor();
        const { searchAcrossEntities: products } = await stack.graphql('{ searchAcrossEntities(input: { types: [DATA_PRODUCT], query: "*", start: 0, count: 50 }) { searchResults { entity { ... on DataProduct { properties { name } entities(input: { query: "*", start: 0, count: 0, orFilters: [{ and: [{ field: "hasActiveIncidents", values: ["true"] }] }] }) { total } } } } } }');
        const troubled = products.searchResults.map(({ entity }) => entity).filter(({ entities }) => entities.total > 0);
        assert.ok(troubled.length > 1);
        await Promise.all(troubled.map(({ properties, entities }) => row(page, properties.name).getByText(`${entities.total} with an open incident`, { exact: true }).waitFor()));
        assert.equal(await page.getByText("with an open incident").count(), troubled.length);
        assert.equal(opened.operations, 3, "GraphQL requests: the session, the list, and what is in trouble in all of it");
        const table = page.getByRole("table", { name: "Data products" });
        const aligned = (cell) => cell.evaluate((element) => getComputedStyle(element).textAlign);
        assert.equal(await aligned(table.getByRole("columnheader", { name: "Assets" })), "right");
        assert.equal(await aligned(table.locator('td[data-label="Assets"]').first()), "right");
        await row(page, "Plant health").getByRole("link", { name: "1 fails a check in Plant health" }).press("Enter");
        await page.getByRole("heading", { level: 1, name: "Failing now" }).waitFor();
        await page.goBack();
        await row(page, "Plant health").getByRole("link", { name: "1 with an open incident in Plant health" }).press("Enter");
        await page.getByRole("link", { name: "greenhouse.readings" }).first().waitFor();
        assert.deepEqual([...new URL(page.url()).searchParams.values()].slice(1), ["urn:li:dataProduct:plant-health", "true"]);
      },
      { as },
    ));

  it("creates a data product in a domain, describes it, sets its assets, and deletes it", () =>
    pages.visit(
      "/data-products",
      async (page, opened) => {
        await page.getByRole("button", { name: "Create data product" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Weekly figures");
        await page.getByRole("dialog").getByRole("button", { name: "Create data product" }).click();
        await page.getByText("A data product belongs to a domain.").waitFor();
        await page.getByRole("dialog").getByLabel("Find a domain").last().fill("finance");
        await page.getByRole("radio", { name: /Finance/ }).click();
        await opened.picture("data-product-create");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("dialog").getByRole("button", { name: "Create data product" }).click();
        await row(page, "Weekly figures").waitFor();
        await page.getByRole("button", { name: "Edit description of Weekly figures" }).click();
        await page.getByRole("textbox", { name: "description of Weekly figures" }).fill("What the week brought.");
        await page.keyboard.press("Enter");
        await page.getByText("What the week brought.").waitFor();

        const href = await row(page, "Weekly figures").getByRole("link").first().getAttribute("href");
        const urn = decodeURIComponent(href.split("/").at(-1));
        await page.goto(`${stack.proxy}${href}/Assets`);
        await page.getByRole("button", { name: "Add assets" }).click();
        await page.getByRole("dialog").getByLabel("Find an asset", { exact: true }).last().fill("rev_daily");
        await page.getByRole("checkbox", { name: /REV_DAILY/i }).first().check();
        await page.getByRole("dialog").getByRole("button", { name: "Add assets" }).click();
        await page.getByRole("table", { name: "Assets" }).getByText(/REV_DAILY/i).waitFor();
        const { dataProduct } = await stack.graphql("query($u: String!) { dataProduct(urn: $u) { properties { name description numAssets } domain { domain { urn } } } }", { u: urn });
        assert.deepEqual(dataProduct.properties, { name: "Weekly figures", description: "What the week brought.", numAssets: 1 });
        assert.equal(dataProduct.domain.domain.urn, "urn:li:domain:finance");

        await page.goto(`${stack.proxy}/data-products`);
        await act(page, "Weekly figures", "Delete");
        await page.getByLabel(/^Type/).fill("Weekly figures");
        await page.getByRole("button", { name: "Delete data product" }).click();
        await page.getByText("Weekly figures was deleted").waitFor();
      },
      { as },
    ));
});
