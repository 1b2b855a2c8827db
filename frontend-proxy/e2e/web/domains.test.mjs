// Domains, data products and applications in a real browser against both binaries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, shown, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const growing = `/domain/${encodeURIComponent("urn:li:domain:operations.growing")}`;
const domainOf = async (stack, urn) =>
  (await stack.graphql("query($u: String!) { domain(urn: $u) { properties { name description } parentDomains { domains { urn } } entities(input: {count: 10}) { searchResults { entity { urn } } } } }", { u: urn })).domain;

describe("domains", unlessMissing("domains"), () => {
  let stack, as, plain;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader", "Reader");
  });
  after(() => stack?.stop());

  const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name: new RegExp(`^${name}`) }) });
  const act = async (page, name, item) => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };

  it("shows the domains with how well each is kept", () =>
    shown(stack, `/domains?open=${encodeURIComponent("urn:li:domain:operations")}`, "domains", (page) => page.getByRole("link", { name: /^Growing/ }).waitFor(), { as }));

  const operations = "urn:li:domain:operations";
  const overview = `/domain/${encodeURIComponent(operations)}`;
  const signs = (page) => page.getByRole("list", { name: "How well its assets are kept" });

  it("opens a domain with its overview", () =>
    shown(
      stack,
      overview,
      "domain",
      async (page) => {
        await signs(page).waitFor();
        await page.getByRole("table", { name: "Sub-domains" }).getByRole("link", { name: /^Growing/ }).waitFor();
      },
      { as },
    ));

  it("tells of a domain what the service counts, and leads to what it counted", () =>
    visit(
      stack,
      growing,
      async (page, opened) => {
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
      },
      { as },
    ));

  it("tells of a data product what the service counts", () =>
    visit(
      stack,
      `/dataProduct/${encodeURIComponent("urn:li:dataProduct:orders")}`,
      async (page) => {
        const { listDataProductAssets } = await stack.graphql("query($u: String!) { listDataProductAssets(urn: $u, input: { query: \"*\", start: 0, count: 0 }) { total } }", { u: "urn:li:dataProduct:orders" });
        assert.ok(listDataProductAssets.total > 0);
        await signs(page).getByText(`${listDataProductAssets.total} assets`, { exact: true }).waitFor();
        await page.getByRole("link", { name: `Assets ${listDataProductAssets.total}`, exact: true }).waitFor();
      },
      { as },
    ));

  it("describes a domain where it is read, makes a product and a sub-domain there, and says what a reader may not do", async () => {
    const { createDomain: urn } = await stack.graphql('mutation { createDomain(input: { id: "overview-e2e", name: "Gardens" }) }');
    const here = `/domain/${encodeURIComponent(urn)}`;
    await visit(
      stack,
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
    await visit(
      stack,
      here,
      async (page) => {
        const make = page.getByRole("button", { name: "New sub-domain" });
        await make.waitFor();
        await tabTo(page, make, 90);
        await page.getByText("You need the privilege Create Domains.").first().waitFor();
      },
      { as: plain },
    );
  });

  it("shows the assets of a domain", () => shown(stack, `${growing}/Assets`, "domain-assets", (page) => page.getByRole("table", { name: "Assets" }).waitFor(), { as }));

  it("creates a domain, nests another, moves and renames it, puts an asset in, and deletes it", () =>
    visit(
      stack,
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
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
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

  it("says why a domain with sub-domains is not deleted", () =>
    visit(
      stack,
      "/domains",
      async (page) => {
        await row(page, "Operations").waitFor();
        await act(page, "Operations", "Delete domain");
        await page.getByText("It has 2 sub-domains").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Delete domain" }).click();
        await page.getByText("Nothing was changed").waitFor();
      },
      { as, expected: [/400/, /409/] },
    ));

  it("adds and takes out assets on the page of a domain by keyboard alone, on a narrow page", () =>
    visit(
      stack,
      `${growing}/Assets`,
      async (page) => {
        const take = page.getByRole("button", { name: /^Take out/ }).first();
        await take.waitFor();
        const label = await take.getAttribute("aria-label");
        await tabTo(page, take, 120);
        await page.keyboard.press("Enter");
        const verb = page.getByRole("dialog").getByRole("button", { name: "Take out", exact: true });
        await verb.waitFor();
        await tabTo(page, verb);
        await page.keyboard.press("Enter");
        await page.getByText(/was taken out$/).waitFor();
        await page.getByRole("button", { name: label, exact: true }).waitFor({ state: "detached" });
      },
      { as, size: sizes[2] },
    ));

  it("finds at the server with the way to each domain, and exports all", () =>
    visit(
      stack,
      "/domains",
      async (page) => {
        await page.getByLabel("Find a domain").fill("stock");
        await page.getByRole("link", { name: "Operations / Logistics / Stock" }).waitFor();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        assert.match(await readFile(await download.path(), "utf8"), /Stock,Operations \/ Logistics,What lies where/);
      },
      { as },
    ));

  it("says to whom may not manage domains what they need", () =>
    visit(
      stack,
      "/domains",
      async (page) => {
        const create = page.getByRole("button", { name: "Create domain" });
        await create.waitFor();
        await tabTo(page, create);
        await page.getByText("You need the privilege Create Domains.").first().waitFor();
        await page.getByRole("button", { name: "More for Finance" }).click();
        await page.getByText("You need the privilege Manage Domains.").first().waitFor();
      },
      { as: plain },
    ));

  it("shows the data products", () =>
    shown(stack, "/data-products", "data-products", (page) => row(page, "Plant health").getByText("1 fails a check").waitFor(), { as }));

  for (const [path, label] of [["/data-products", "Data products"], ["/applications", "Applications"]]) {
    it(`sets the numbers of ${path} at the right, below their caption`, () =>
      visit(
        stack,
        path,
        async (page) => {
          const table = page.getByRole("table", { name: label });
          await table.waitFor();
          const aligned = (cell) => cell.evaluate((element) => getComputedStyle(element).textAlign);
          assert.equal(await aligned(table.getByRole("columnheader", { name: "Assets" })), "right");
          assert.equal(await aligned(table.locator('td[data-label="Assets"]').first()), "right");
        },
        { as },
      ));
  }

  it("tells in the head of a data product how well its assets are kept", () =>
    visit(
      stack,
      `/dataProduct/${encodeURIComponent("urn:li:dataProduct:plant-health")}`,
      async (page) => {
        await signs(page).getByText("4 assets", { exact: true }).waitFor();
        await signs(page).getByRole("link", { name: "1 asset fails a check" }).waitFor();
        await signs(page).getByRole("link", { name: "1 asset has an open incident" }).waitFor();
      },
      { as },
    ));

  it("tells in one request what is in trouble in the data products, and leads there", () =>
    visit(
      stack,
      "/data-products",
      async (page, opened) => {
        await row(page, "Campaign results").getByText("Nothing fails").waitFor();
        const { searchAcrossEntities: products } = await stack.graphql('{ searchAcrossEntities(input: { types: [DATA_PRODUCT], query: "*", start: 0, count: 50 }) { searchResults { entity { ... on DataProduct { properties { name } entities(input: { query: "*", start: 0, count: 0, orFilters: [{ and: [{ field: "hasActiveIncidents", values: ["true"] }] }] }) { total } } } } } }');
        const troubled = products.searchResults.map(({ entity }) => entity).filter(({ entities }) => entities.total > 0);
        assert.ok(troubled.length > 1);
        await Promise.all(troubled.map(({ properties, entities }) => row(page, properties.name).getByText(`${entities.total} with an open incident`, { exact: true }).waitFor()));
        assert.equal(await page.getByText("with an open incident").count(), troubled.length);
        assert.equal(opened.operations, 3, "GraphQL requests: the session, the list, and what is in trouble in all of it");
        await row(page, "Plant health").getByRole("link", { name: "1 fails a check in Plant health" }).press("Enter");
        await page.getByRole("heading", { level: 1, name: "Failing now" }).waitFor();
        await page.goBack();
        await row(page, "Plant health").getByRole("link", { name: "1 with an open incident in Plant health" }).press("Enter");
        await page.getByRole("link", { name: "greenhouse.readings" }).first().waitFor();
        assert.deepEqual([...new URL(page.url()).searchParams.values()].slice(1), ["urn:li:dataProduct:plant-health", "true"]);
      },
      { as },
    ));

  it("shows the applications", () => shown(stack, "/applications", "applications", (page) => page.getByRole("link", { name: /^Fernhill Shop/ }).waitFor(), { as }));

  it("creates a data product in a domain, describes it, sets its assets, and deletes it", () =>
    visit(
      stack,
      "/data-products",
      async (page, opened) => {
        await page.getByRole("button", { name: "Create data product" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Weekly figures");
        await page.getByRole("dialog").getByRole("button", { name: "Create data product" }).click();
        await page.getByText("A data product belongs to a domain.").waitFor();
        await page.getByRole("dialog").getByLabel("Find a domain").last().fill("finance");
        await page.getByRole("radio", { name: /Finance/ }).click();
        await opened.picture("data-product-create");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
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

  it("creates and deletes an application", () =>
    visit(
      stack,
      "/applications",
      async (page) => {
        await page.getByRole("button", { name: "Create application" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Card terminal");
        await page.getByRole("dialog").getByRole("button", { name: "Create application" }).click();
        await row(page, "Card terminal").waitFor();
        await act(page, "Card terminal", "Delete");
        await page.getByRole("button", { name: "Delete application" }).click();
        await page.getByText("Card terminal was deleted").waitFor();
      },
      { as },
    ));

  it("renames a data product and gives it an owner by keyboard alone on a narrow page", () =>
    visit(
      stack,
      "/data-products?find=plant",
      async (page) => {
        const choose = async (name) => {
          const more = page.getByRole("button", { name: "More for Plant health" });
          await more.waitFor();
          await tabTo(page, more, 90);
          await page.keyboard.press("Enter");
          const item = page.getByRole("menuitem", { name });
          await item.waitFor();
          for (let pressed = 0; pressed < 6 && !(await item.evaluate((element) => element === document.activeElement)); pressed++) {
            await page.keyboard.press("ArrowDown");
          }
          await page.keyboard.press("Enter");
        };
        const dialog = page.getByRole("dialog");
        await choose("Owners");
        const find = dialog.getByLabel("Find a person or a group").last();
        await find.waitFor();
        await tabTo(page, find);
        await page.keyboard.type("sorrel");
        const sorrel = dialog.getByRole("radio", { name: /Sorrel/ });
        await sorrel.waitFor();
        await tabTo(page, sorrel);
        await page.keyboard.press("Space");
        await tabTo(page, dialog.getByRole("button", { name: "Add owner" }));
        await page.keyboard.press("Enter");
        await dialog.getByRole("button", { name: /^Remove Sorrel/ }).waitFor();
        await page.keyboard.press("Escape");
        await choose("Rename");
        await dialog.getByLabel("Name").waitFor();
        await page.keyboard.press("Control+a");
        await page.keyboard.type("Plant care");
        await page.keyboard.press("Enter");
        await page.getByText("No data product matches").or(page.getByRole("link", { name: /^Plant care/ })).first().waitFor();
        const { searchAcrossEntities } = await stack.graphql('{ searchAcrossEntities(input: { types: [DATA_PRODUCT], query: "plant", start: 0, count: 5 }) { searchResults { entity { ... on DataProduct { properties { name } ownership { owners { owner { ... on CorpUser { urn } } } } } } } } }');
        const [found] = searchAcrossEntities.searchResults.map(({ entity }) => entity).filter(({ properties }) => properties.name === "Plant care");
        assert.ok(found.ownership.owners.some(({ owner }) => owner.urn === "urn:li:corpuser:sorrel.notebook"));
      },
      { as, size: sizes[2] },
    ));

  it("says why data products and applications are not changed, and takes back what was refused", () =>
    visit(
      stack,
      "/applications",
      async (page) => {
        const create = page.getByRole("button", { name: "Create application" });
        await create.waitFor();
        await tabTo(page, create);
        await page.getByText("You need the privilege Manage Applications.").first().waitFor();
        await act(page, "Fernhill Shop", "Rename");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name").fill("Mine now");
        await page.keyboard.press("Enter");
        await dialog.getByRole("alert").waitFor();
        assert.equal(await dialog.getByLabel("Name").inputValue(), "Mine now");
        await page.keyboard.press("Escape");
        await row(page, "Fernhill Shop").waitFor();

        await page.goto(`${stack.proxy}/data-products`);
        const edit = page.getByRole("button", { name: /^Edit description of / }).first();
        await edit.click();
        const field = page.getByRole("textbox", { name: /^description of / });
        await field.fill("Mine now");
        await page.keyboard.press("Enter");
        await page.getByRole("main").getByRole("alert").waitFor();
        assert.equal(await field.inputValue(), "Mine now");
        await page.keyboard.press("Escape");
        await page.getByText("Discard what you wrote?").waitFor();
        await page.keyboard.press("Escape");
        await page.getByText("Mine now").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Create data product" }).click();
        await dialog.getByLabel("Name", { exact: true }).fill("Not allowed");
        await dialog.getByLabel("Find a domain").last().fill("finance");
        await dialog.getByRole("radio", { name: /Finance/ }).click();
        await dialog.getByRole("button", { name: "Create data product" }).click();
        await dialog.getByText("No data product was created").waitFor();
        assert.equal(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Not allowed");
      },
      { as: plain, expected: [/403/] },
    ));
});
