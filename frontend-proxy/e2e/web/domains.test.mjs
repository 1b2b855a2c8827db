// Domains, data products and applications in a real browser against both binaries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { shown, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

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

  it("shows the data products", () => shown(stack, "/data-products", "data-products", (page) => page.getByRole("link", { name: /^Plant health/ }).waitFor(), { as }));

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
});
