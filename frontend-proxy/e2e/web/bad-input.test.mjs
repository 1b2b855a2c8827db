// Unwanted input and situations: entities without view privilege, unknown types, markup in every text field,
// and edits that are interrupted. Other cases are tested with their pages: many columns and tags in asset,
// expensive Markdown in documentation, cycles and very large graphs in lineage, broken responses and all
// types in asset-types.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { Pages, sizes, unlessMissing, visit } from "./visit.mjs";

const table = (name) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.${name},PROD)`;
const [orders, raw, nothing] = [table("marts.fct_orders"), table("raw.raw_orders"), table("raw.no_such_table")];
const pathOf = (urn, tab = "") => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}${tab ? `/${tab}` : ""}`;

const update = "mutation($urn: String!, $input: PolicyUpdateInput!) { updatePolicy(urn: $urn, input: $input) }";
const create = "mutation($input: PolicyUpdateInput!) { createPolicy(input: $input) }";
const everybody = { users: [], groups: [], allUsers: true, allGroups: true, resourceOwners: false };

// tabsOn returns the tabs of the current page.
const tabsOn = (page) => page.getByRole("navigation", { name: "Parts of this asset" }).getByRole("link").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
const rested = (page) => page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector('[class*="bones"]'));

// written replaces every text in a response, except values fixed by the schema, with a text of more than 120
// characters that contains markup and both writing directions.
let counted = 0;
const hostile = () => `<img src=x onerror="window.hit=1"><b onmouseover="window.hit=1">ملف العميل</b> ${"a_long_name_".repeat(4)}${String((counted += 1)).padStart(8, "0")}`;
const fixed = new Set(["__typename", "urn", "type"]);
function written(value, name = "") {
  if (typeof value === "string") {
    return fixed.has(name) || value === "" || value.startsWith("urn:") ? value : hostile();
  }
  if (Array.isArray(value)) {
    return value.map((inner) => written(inner, name));
  }
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner, key)])) : value;
}

describe("what may not be seen", unlessMissing("what may not be seen"), () => {
  let stack, pages, plain;

  // All users see people and the vocabulary. One user may also see one table, and no other assets.
  before(async () => {
    stack = await Stack.start({ service: { CARTULARY_AUTH_VIEW_AUTHORIZATION: "true" } });
    pages = new Pages(stack);
    await stack.demo();
    plain = await stack.person("Plain Reader");
    const policy = { type: "METADATA", state: "INACTIVE", name: "All Users - View Entity Page", description: "", privileges: ["VIEW_ENTITY_PAGE"], actors: everybody };
    await stack.graphql(update, { urn: "urn:li:dataHubPolicy:view-entity-page-all", input: policy });
    await stack.graphql(create, {
      input: { ...policy, name: "One table", state: "ACTIVE", resources: { filter: { criteria: [{ field: "URN", values: [orders], condition: "EQUALS" }] } }, actors: { ...everybody, users: [plain.urn], allUsers: false, allGroups: false } },
    });
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("is told by its link with what it takes, and tells nothing else, of tables and of types whose names say it all", async () => {
    await pages.visit(
      pathOf(raw),
      async (page, opened) => {
        await page.getByRole("heading", { level: 1, name: "You may not see this asset" }).waitFor();
        const text = await page.getByRole("main").innerText();
        assert.match(text, /It needs the privilege View Entity Page\b/);
        assert.doesNotMatch(text, /Data Platform|Copy of shop|hourly|load_orders/);
        await page.getByRole("button", { name: "Copy a request" }).click();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), /Plain Reader asks for the privilege View Entity Page over urn:li:dataset:.*raw_orders/);
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        for (const tab of ["Lineage", "Quality", "Queries", "History", "Facts"]) {
          await page.goto(stack.proxy + pathOf(raw, tab));
          await page.getByRole("heading", { level: 1, name: "You may not see this asset" }).waitFor();
        }
        // An asset that does not exist gets the same response as one without view privilege.
        const shown = await page.getByRole("main").innerText();
        await page.goto(stack.proxy + pathOf(nothing));
        await page.getByRole("heading", { level: 1, name: "You may not see this asset" }).waitFor();
        assert.equal(await page.getByRole("main").innerText(), shown.replace(raw, nothing));
      },
      { as: plain, expected: [/status of 403/] },
    );
    // For these types the GraphQL response does not indicate that an entity exists but is hidden.
    await pages.visit(
      pathOf("urn:li:tag:certified"),
      async (page) => {
        for (const urn of ["urn:li:tag:certified", "urn:li:domain:commerce", "urn:li:query:cold-gardens", "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customers,PROD),email)"]) {
          await page.goto(stack.proxy + pathOf(urn));
          await page.getByRole("heading", { level: 1, name: "You may not see this asset" }).waitFor();
          assert.doesNotMatch(await page.getByRole("main").innerText(), /Only its name is known/);
        }
      },
      { as: plain, expected: [/status of 403/] },
    );
  });

  it("stands in the lineage without a name, in the picture and in the table", () =>
    pages.visit(
      pathOf(orders, "Lineage"),
      async (page, opened) => {
        await page.getByText("You may not view it", { exact: true }).nth(3).waitFor();
        await opened.picture("lineage-restricted");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByText("Table", { exact: true }).last().click();
        await page.getByRole("row", { name: /Restricted asset.*You may not view it/ }).first().waitFor();
        assert.doesNotMatch(await page.getByRole("main").innerText(), /stg_orders|REV_DAILY|Orders per day/i);
        assert.equal(await page.getByRole("row", { name: /Restricted asset/ }).first().getByRole("link").count(), 0, "it leads nowhere");
      },
      { as: plain },
    ));

  it("is in no list, and on no tab of what may be seen", () =>
    pages.visit(
      "/search?query=orders",
      async (page, opened) => {
        await page.getByRole("link", { name: /^FCT_ORDERS/ }).first().waitFor();
        const hidden = /raw_orders|stg_orders|FCT_ORDER_ITEMS|Orders per day/i;
        assert.doesNotMatch(await page.getByRole("main").innerText(), hidden);
        await page.getByRole("combobox").or(page.getByRole("searchbox")).first().fill("raw_ord");
        await page.waitForResponse((response) => response.request().postData()?.includes("raw_ord") ?? false);
        await rested(page);
        assert.doesNotMatch(await page.locator("body").innerText(), hidden);
        await page.goto(stack.proxy + pathOf(orders));
        await rested(page);
        await page.getByRole("button", { name: "order_id", exact: true }).click();
        await page.getByRole("region", { name: "Column order_id" }).waitFor();
        await opened.settled();
        assert.doesNotMatch(await page.getByRole("main").innerText(), hidden);
        for (const tab of await tabsOn(page)) {
          await page.goto(stack.proxy + tab);
          await rested(page);
          await opened.settled();
          // Descriptions and SQL statements are user content and may contain any name. Links show asset names
          // from the catalog.
          const names = await page.getByRole("main").getByRole("link").allInnerTexts();
          assert.doesNotMatch(names.join("\n"), hidden, tab);
        }
      },
      // Only users with the privilege to read time series see query usage.
      { as: plain, expected: [/status of 401.*getTimeseriesStats/] },
    ));
});

describe("what nobody hopes for", unlessMissing("what nobody hopes for"), () => {
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

  const stored = async (fields) => (await stack.graphql(`query($u: String!) { dataset(urn: $u) { ${fields} } }`, { u: orders })).dataset;
  const about = (page) => page.getByRole("textbox", { name: "description", exact: true });
  const begin = async (page, text) => {
    await page.getByRole("button", { name: "Edit description", exact: true }).click();
    await about(page).fill(text);
  };

  it("keeps the text when the service goes away, and saves it when it is back", () =>
    pages.visit(
      pathOf(orders),
      async (page) => {
        await begin(page, "Written while nobody listened");
        await stack.withoutService(async () => {
          await about(page).press("Control+Enter");
          await page.getByRole("complementary").getByRole("alert").waitFor();
          assert.equal(await about(page).inputValue(), "Written while nobody listened");
        });
        await page.getByText("The catalog does not answer.").waitFor({ state: "detached" });
        assert.equal(await about(page).inputValue(), "Written while nobody listened");
        await about(page).press("Control+Enter");
        await page.getByRole("button", { name: "Edit description", exact: true }).waitFor();
        assert.equal((await stored("editableProperties { description }")).editableProperties.description, "Written while nobody listened");
      },
      { as, expected: [/status of 50[234]/] },
    ));

  it("keeps the text when the session ends, over the sign-in", () =>
    visit(
      stack,
      pathOf(orders),
      async (page) => {
        await begin(page, "Written as the session ended");
        await page.context().clearCookies();
        await about(page).press("Control+Enter");
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        await page.getByLabel("User name").fill(as.username);
        await page.getByLabel("Password", { exact: true }).fill(as.password);
        await page.keyboard.press("Enter");
        await about(page).waitFor();
        assert.equal(decodeURIComponent(new URL(page.url()).pathname), `/dataset/${orders}`);
        assert.equal(await about(page).inputValue(), "Written as the session ended");
        await about(page).press("Control+Enter");
        await page.getByRole("button", { name: "Edit description", exact: true }).waitFor();
        assert.equal((await stored("editableProperties { description }")).editableProperties.description, "Written as the session ended");
      },
      { as, expected: [/status of 401/] },
    ));

  it("keeps both tags that two people put on at once", async () => {
    for (const name of ["first-of-two", "second-of-two"]) {
      await stack.graphql("mutation($i: CreateTagInput!) { createTag(input: $i) }", { i: { id: name, name } });
    }
    const other = await Browser.launch();
    try {
      const ilse = await stack.person("Ilse Two");
      await stack.graphql("mutation($i: BatchAssignRoleInput!) { batchAssignRole(input: $i) }", { i: { roleUrn: "urn:li:dataHubRole:Editor", actors: [ilse.urn] } });
      await other.signIn(stack.proxy, ilse.username, ilse.password);
      const { page: hers } = await other.open(stack.proxy + pathOf(orders), sizes[0]);
      const choose = async (page, tag) => {
        await page.getByRole("button", { name: "Choose tags", exact: true }).click();
        await page.getByLabel("Find a tag", { exact: true }).fill(tag);
        await page.getByRole("checkbox", { name: tag }).click();
      };
      await pages.visit(
        pathOf(orders),
        async (page) => {
          await Promise.all([choose(page, "first-of-two"), choose(hers, "second-of-two")]);
          await Promise.all([page, hers].map((each) => each.getByRole("button", { name: "Save", exact: true }).click()));
          await Promise.all([page, hers].map((each) => each.getByRole("dialog").waitFor({ state: "detached" })));
          const names = (await stored("tags { tags { tag { urn } } }")).tags.tags.map(({ tag }) => tag.urn);
          assert.ok(names.includes("urn:li:tag:first-of-two") && names.includes("urn:li:tag:second-of-two"), names.join(" "));
          await page.reload();
          await page.getByRole("complementary").getByRole("link", { name: "second-of-two" }).waitFor();
        },
        { as },
      );
    } finally {
      await other.close();
    }
  });

  it("keeps the text about a column when the columns cannot be read anew", () =>
    pages.visit(
      `${pathOf(orders)}/Schema`,
      async (page) => {
        await stack.graphql("mutation($i: CreateTagInput!) { createTag(input: $i) }", { i: { id: "put-on-meanwhile", name: "put-on-meanwhile" } });
        await page.getByRole("button", { name: /^Edit description of status/ }).click();
        const field = page.getByRole("textbox", { name: "description of status" });
        await field.fill("Being written");
        await page.route("**/api/graphql", (route) => (route.request().postData().includes("query Schema(") ? route.fulfill({ status: 500, body: "" }) : route.continue()));
        await page.getByRole("button", { name: "Choose tags", exact: true }).click();
        await page.getByLabel("Find a tag", { exact: true }).fill("put-on-meanwhile");
        await page.getByRole("checkbox", { name: "put-on-meanwhile" }).click();
        const refused = () => page.waitForResponse((response) => response.status() === 500);
        const first = refused();
        await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
        await first;
        await refused(); // the page retries once before it reports a failure
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await rested(page);
        assert.equal(await field.inputValue(), "Being written");
        await page.unroute("**/api/graphql");
        await field.press("Control+Enter");
        await page.getByRole("button", { name: "Edit description of status: Being written" }).waitFor();
      },
      { as, expected: [/status of 500/] },
    ));

  it("shows markup, long names and both directions in every text as text on each tab of each type, at both widths", async () => {
    const types = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "DOMAIN", "DATA_PRODUCT", "TAG", "GLOSSARY_TERM", "GLOSSARY_NODE", "CORP_USER", "CORP_GROUP", "MLMODEL", "MLFEATURE_TABLE", "APPLICATION"];
    assert.ok(hostile().length > 120);
    const found = await Promise.all(
      types.map(async (type) => (await stack.graphql("query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { searchResults { entity { urn } } } }", { i: { types: [type], query: "*", start: 0, count: 1 } })).searchAcrossEntities.searchResults),
    );
    const urns = [orders, ...found.flatMap(([first]) => (first ? [first.entity.urn] : []))];
    assert.equal(urns.length, types.length + 1);
    await pages.visit(
      "/",
      async (page, opened) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.route(/\/api\/graphql$|\/openapi\//, async (route) => {
          const response = await route.fetch();
          const json = await response.json().catch(() => undefined);
          return json === undefined ? route.fulfill({ response }) : route.fulfill({ response, json: json.data ? { ...json, data: written(json.data) } : written(json) });
        });
        let seen = 0;
        const shown = new Map(); // the number of visits per tab, since several types share tabs
        for (const urn of urns) {
          await page.goto(stack.proxy + pathOf(urn), { waitUntil: "load" });
          await rested(page);
          const tabs = await tabsOn(page);
          for (const tab of [pathOf(urn), ...tabs.slice(1)]) {
            const name = tab.split("/")[3];
            if (name && (shown.get(name) ?? 0) > 1) {
              continue;
            }
            shown.set(name, (shown.get(name) ?? 0) + 1);
            await page.evaluate((to) => history.pushState(null, "", to), tab);
            await rested(page);
            await opened.settled();
            assert.equal(await page.getByText("Something went wrong").count(), 0, `${tab}: a part is lost`);
            assert.equal(await page.evaluate(() => window.hit), undefined, tab);
            assert.equal(await page.locator("[onerror], [onmouseover], img[src=x]").count(), 0, tab);
            for (const size of [sizes[0], sizes.at(-1)]) {
              await page.setViewportSize(size);
              const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
              assert.ok(wide <= room, `${tab} is ${wide} px wide in a window of ${room}`);
            }
            seen += 1;
          }
          await opened.picture(`markup-${urn.split(":")[2]}`);
        }
        console.log(`${seen} tabs of ${urns.length} assets`);
        assert.ok(seen > 40, `${seen} tabs`);
      },
      { as },
    );
  });
});
