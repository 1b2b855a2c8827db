// The home page: the content of the catalog, the user's own assets, and the user's pending work.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const reviews = "urn:li:dataset:(urn:li:dataPlatform:dbt,fernhill_prod.staging.stg_reviews,PROD)";
const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";

describe("home", unlessMissing("home"), () => {
  let stack, pages, as, owner, newcomer;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    owner = await stack.person("Olive Owner", "Reader");
    newcomer = await stack.person("New Comer", "Reader");
    await stack.graphql("mutation($i: BatchAddOwnersInput!) { batchAddOwners(input: $i) }", {
      i: { owners: [{ ownerUrn: owner.urn, ownerEntityType: "CORP_USER", ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner" }], resources: [reviews, orders].map((resourceUrn) => ({ resourceUrn })) },
    });
    await stack.graphql("mutation($i: CreatePostInput!) { createPost(input: $i) }", {
      i: { postType: "HOME_PAGE_ANNOUNCEMENT", content: { contentType: "LINK", title: "Tidy week <b>", description: "Describe **three** assets.", link: "https://wiki.example/tidy" } },
    });
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("lists what one owns, and what one looked at last", () =>
    pages.visit(
      "/",
      async (page) => {
        await page.getByText("Tidy week <b>").waitFor();
        const owned = page.getByRole("table", { name: "Owned by you" });
        await owned.getByRole("row", { name: /fct_orders/i }).getByText(/^\d+ checks pass$/).waitFor();
        await owned.getByRole("link", { name: /stg_reviews/i }).click();
        await page.waitForURL(/\/dataset\//);
        await page.goto(`${stack.proxy}/`);
        await page.getByRole("heading", { name: "Recently viewed" }).waitFor();
        const counts = page.getByRole("navigation", { name: "Assets by type" });
        await counts.getByRole("link", { name: /Datasets/ }).click();
        await page.getByText("Type is").waitFor();
        await page.goBack();
        await counts.waitFor();
      },
      { as: owner },
    ));

  it("tells who owns nothing what came in last and what others use most, and keeps the memory of others apart", async () => {
    const { createTag: urn } = await stack.graphql("mutation($i: CreateTagInput!) { createTag(input: $i) }", { i: { id: "newest", name: "Newest <b> of all" } });
    const { searchAcrossEntities } = await stack.graphql(
      `query { searchAcrossEntities(input: { query: "*", types: [TAG], start: 0, count: 1, sortInput: { sortCriteria: [{ field: "systemCreated", sortOrder: DESCENDING }] } }) { searchResults { entity { urn } extraProperties { name value } } } }`,
    );
    const [{ entity, extraProperties: [{ value }] }] = searchAcrossEntities.searchResults;
    assert.equal(entity.urn, urn);
    await pages.visit(
      "/",
      async (page) => {
        const line = page.getByText(/in the catalog\. Newest entry/);
        await line.waitFor();
        assert.equal(await line.locator("time").getAttribute("datetime"), new Date(Number(value)).toISOString());
        await line.getByRole("link", { name: "Newest <b> of all" }).click();
        await page.getByRole("heading", { level: 1, name: "Newest <b> of all" }).waitFor();
      },
      { as: newcomer },
    );
    await pages.visit(
      "/",
      async (page) => {
        await page.getByRole("heading", { name: "Needs you" }).waitFor();
        assert.equal(await page.getByRole("heading", { name: "Owned by you" }).count(), 0);
        await page.getByText("Nothing waits for you.").waitFor();
        assert.equal(await page.getByRole("heading", { name: "Recently viewed" }).count(), 0);
      },
      { as: newcomer },
    );
  });

  it("searches by keyboard alone, and remembers the search", () =>
    pages.visit(
      "/",
      async (page) => {
        await page.getByText("in the catalog.").waitFor();
        await tabTo(page, page.getByRole("combobox", { name: "Search the catalog" }));
        await page.keyboard.type("net revenue");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/search\?query=net/);
        await page.getByRole("list", { name: "Results" }).waitFor();
        await page.goBack();
        await page.getByRole("link", { name: "net revenue" }).waitFor();
      },
      { as, size: sizes[2] },
    ));
});
