// The asset page: head, side panel and columns.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
const pathOf = (urn, tab = "") => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}${tab ? `/${tab}` : ""}`;
const column = (page, name) => page.getByRole("table", { name: "Columns" }).getByRole("button", { name, exact: true });
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });

describe("an asset", unlessMissing("an asset"), () => {
  let stack, pages, as, plain;
  const wide = "urn:li:dataset:(urn:li:dataPlatform:hive,pages.wide,PROD)";
  const field = (fieldPath, more = {}) => ({ fieldPath, nativeDataType: "STRING", type: { type: { "com.linkedin.schema.StringType": {} } }, ...more });
  const schema = (fields) => ({ value: { schemaName: "wide", platform: "urn:li:dataPlatform:hive", version: 0, hash: String(fields.length), platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } }, fields } });

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader");
    const token = await stack.token("wide", "urn:li:corpuser:datahub");
    const write = (type, body) => stack.call(token, "POST", `/openapi/v3/entity/${type}?async=false`, body);
    const many = Array.from({ length: 4000 }, (_, at) => field(`column_${at}`));
    await write("dataset", [{ urn: wide, schemaMetadata: schema([field("old_column"), ...many]) }]);
    const tags = Array.from({ length: 300 }, (_, at) => ({ urn: `urn:li:tag:pages-${at}`, tagProperties: { value: { name: at === 0 ? "<b>bold</b>" : `pages ${at}` } } }));
    await write("tag", tags);
    await write("dataset", [
      {
        urn: wide,
        schemaMetadata: schema([field("outer"), field("outer.inner"), field("outer.inner.deep", { description: "<script>alert(1)</script>" }), field("اسم العميل", { description: "اسم العميل كما هو في العقد" }), ...many]),
        datasetProperties: { value: { name: `${"a_very_long_name_".repeat(7)}1`, description: "<img src=x onerror=alert(1)> **bold**" } },
        globalTags: { value: { tags: tags.map((tag) => ({ tag: tag.urn })) } },
      },
    ]);
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const stored = async (fields) => (await stack.graphql(`query($u: String!) { dataset(urn: $u) { ${fields} } }`, { u: orders })).dataset;

  it("says on its tabs how much they hold, opens by a pasted URN, and leads from a column to its lineage", async () => {
    const { schemaMetadata, up, down } = await stored(
      "schemaMetadata { fields { fieldPath } } up: lineage(input: { direction: UPSTREAM, separateSiblings: true }) { relationships { degree } } down: lineage(input: { direction: DOWNSTREAM, separateSiblings: true }) { relationships { degree } }",
    );
    const columns = schemaMetadata.fields.length;
    const nearest = up.relationships.length + down.relationships.length;
    assert.ok(columns > 0 && nearest > 0);
    await pages.visit(
      pathOf(orders),
      async (page) => {
        const tabs = page.getByRole("navigation", { name: "Parts of this asset" });
        await tabs.getByRole("link", { name: `Schema ${columns}`, exact: true }).waitFor();
        await tabs.getByRole("link", { name: `Lineage ${nearest}`, exact: true }).waitFor();
        await tabs.getByRole("link", { name: /^Governance [1-9]/ }).waitFor();
        await page.getByRole("link", { name: "Feeds 5 dashboards", exact: true }).click();
        await page.waitForURL(/\/Lineage$/);
      },
      { as },
    );
    await pages.visit(`/dataset/${orders}/Schema?column=status`, (page) => page.getByRole("region", { name: "Column status" }).waitFor(), { as });
    await pages.visit(
      pathOf(orders),
      async (page) => {
        await page.getByRole("button", { name: "order_id", exact: true }).press("Enter");
        const detail = page.getByRole("region", { name: "Column order_id" });
        await detail.getByRole("region", { name: "Made from 5 assets" }).getByRole("link", { name: "stg_orders" }).waitFor();
        await detail.getByRole("region", { name: "Feeds 5 assets" }).getByRole("link", { name: "Orders per day" }).waitFor();
        await detail.getByRole("link", { name: "Show the column in the lineage" }).press("Enter");
        await page.getByText("Column order_id", { exact: true }).first().waitFor();
        assert.match(page.url(), /Lineage\?column=order_id$/);
      },
      { as },
    );
  });

  const version = (page, name) => page.getByRole("button", { name: `Version ${name}, today` });
  const note = (page, name) => page.getByRole("note").filter({ hasText: `As of version ${name}` });

  it("shows its columns as an older version had them, and what became of them, which the address keeps", async () => {
    await pages.visit(
      pathOf(orders, "Schema"),
      async (page, opened) => {
        await tabTo(page, version(page, "2.0.0"), 120);
        await page.keyboard.press("Enter");
        await page.getByRole("menuitemradio", { name: "Version 2.0.0, today 1 column added, 1 removed" }).waitFor();
        await opened.picture("asset-versions");
        assert.deepEqual(await opened.accessibility(), [], "the menu against WCAG 2.2 A and AA");
        await page.getByRole("menuitemradio", { name: /^Version 1\.0\.0/ }).press("Enter");
        await note(page, "1.0.0").waitFor();
        await page.waitForURL(/\?version=\d+$/);
        await row(page, "voucher_eur").getByText("Removed since").waitFor();
        await row(page, "paid").getByText("Added since").waitFor();
        await page.getByText("All9", { exact: true }).waitFor();
        assert.equal(await page.getByRole("table", { name: "Columns" }).getByRole("button", { name: /^(Edit|Add a) description|^Choose terms/ }).count(), 0);

        await column(page, "voucher_eur").press("Enter");
        const detail = page.getByRole("region", { name: "Column voucher_eur" });
        await detail.getByText("Vouchers", { exact: true }).waitFor();
        const edit = detail.getByRole("button", { name: "Edit description of voucher_eur" });
        assert.equal(await edit.getAttribute("aria-disabled"), "true");
        await edit.focus();
        await page.getByRole("tooltip", { name: "This is version 1.0.0 as it was. Go back to the newest to edit." }).waitFor();
        await opened.picture("asset-older");

        await page.reload();
        await detail.waitFor();
        await version(page, "1.0.0").click();
        await page.getByRole("menuitemradio", { name: /^Version 0\.0\.0/ }).click();
        await note(page, "0.0.0").waitFor();
        await row(page, "gross_eur").getByText("Type changed since").waitFor();
        await row(page, "gross_eur").getByText("NUMBER(10,2)").waitFor();
        await row(page, "gross_eur").getByText("NUMBER(12,2)").waitFor();
        await page.goBack();
        await note(page, "1.0.0").waitFor();
        await page.getByRole("button", { name: "Back to the newest" }).press("Enter");
        await page.getByRole("note").waitFor({ state: "detached" });
        await column(page, "voucher_eur").waitFor({ state: "detached" });
        assert.equal(new URL(page.url()).searchParams.get("version"), null);
        assert.ok(await version(page, "2.0.0").evaluate((element) => element === document.activeElement), "the focus is lost");
        await page.goBack();
        await note(page, "1.0.0").waitFor();
        await page.getByRole("button", { name: "Compare with the newest" }).click();
        const panel = page.getByRole("region", { name: "Compare schemas" });
        await panel.getByText("1 column added, 1 removed.").waitFor();
        assert.deepEqual(await opened.accessibility(), [], "the comparison against WCAG 2.2 A and AA");
        await panel.getByRole("button", { name: "Close the comparison" }).press("Enter");
        await panel.waitFor({ state: "detached" });
      },
      { as },
    );
    await pages.visit(
      pathOf(orders, "Schema?version=9.9.9"),
      async (page) => {
        await page.getByText("There is no version 9.9.9 of this schema").waitFor();
        await page.getByRole("button", { name: "Show the newest" }).click();
        await column(page, "paid").waitFor();
        await version(page, "2.0.0").waitFor();
        await page.goto(stack.proxy + pathOf(orders.replace("fct_orders", "dim_products")));
        const only = page.getByRole("button", { name: "Only version, today" });
        await only.focus();
        await page.getByRole("tooltip", { name: /^There is no other version yet/ }).waitFor();
        assert.equal(await only.getAttribute("aria-disabled"), "true");
      },
      { as },
    );
  });

  it("is described, owned and linked by keyboard alone", () =>
    pages.visit(
      pathOf(orders),
      async (page, opened) => {
        const pencil = page.getByRole("button", { name: "Edit description", exact: true });
        await pencil.waitFor();
        await page.getByRole("button", { name: "Choose tags", exact: true }).click();
        await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
        assert.deepEqual(await opened.accessibility(), [], "the list to choose from against WCAG 2.2 A and AA");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await tabTo(page, pencil, 120);
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Every order, by keyboard");
        await page.keyboard.press("Control+Enter");
        await page.getByText("Every order, by keyboard").waitFor();

        await tabTo(page, page.getByRole("button", { name: "Add owners" }));
        await page.keyboard.press("Enter");
        await page.getByLabel("Find a person or group").and(page.locator(":focus")).waitFor();
        await page.keyboard.type("Juniper");
        await page.waitForFunction(() => document.querySelector('[role="dialog"] [type="checkbox"]')?.closest("label").innerText.includes("Juniper"));
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Space");
        await page.keyboard.press("Enter");
        await page.getByRole("complementary").getByRole("link", { name: /Juniper/ }).waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.waitForFunction(() => document.activeElement.ariaLabel === "Add owners"); // otherwise the focus moves back there later

        await tabTo(page, page.getByRole("button", { name: "Add a link" }), 120);
        await page.keyboard.press("Enter");
        await page.keyboard.type("javascript:alert(1)");
        await page.keyboard.press("Enter");
        await page.getByText("The address begins with https://").waitFor();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("https://docs.example/orders");
        await page.keyboard.press("Tab");
        await page.keyboard.type("Order handbook");
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "Order handbook" }).waitFor();
        await page.getByLabel("Shown as").waitFor({ state: "detached" }); // the page shows the link before it is stored
        const { editableProperties, ownership, institutionalMemory } = await stored("editableProperties { description } ownership { owners { owner { ... on CorpUser { urn } } } } institutionalMemory { elements { url } }");
        assert.equal(editableProperties.description, "Every order, by keyboard");
        assert.ok(ownership.owners.some(({ owner }) => /juniper/.test(owner.urn ?? "")));
        assert.ok(institutionalMemory.elements.some(({ url }) => url === "https://docs.example/orders"));
      },
      { as },
    ));

  it("says that somebody else changed a text meanwhile, and keeps what was typed over a reload", () =>
    pages.visit(
      pathOf(orders),
      async (page) => {
        await page.getByRole("button", { name: "Edit description", exact: true }).click();
        const field = page.getByRole("textbox", { name: "description", exact: true });
        await field.fill("What I think it is");
        await page.reload();
        await field.waitFor();
        assert.equal(await field.inputValue(), "What I think it is");
        await stack.graphql("mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", { i: { resourceUrn: orders, description: "What Ilse thinks" } });
        await field.press("Control+Enter");
        await page.getByText("Somebody changed this meanwhile. It now says: “What Ilse thinks”").waitFor();
        assert.equal(await field.inputValue(), "What I think it is");
        const saved = page.waitForResponse((response) => response.request().postData()?.includes("What I think it is") ?? false);
        await field.press("Control+Enter");
        await page.getByText("What I think it is").waitFor();
        await saved; // the page shows the text before it is stored
        assert.equal((await stored("editableProperties { description }")).editableProperties.description, "What I think it is");
      },
      { as },
    ));

  it("is deprecated with a day and what to use instead, and takes back what is refused", async () => {
    await pages.visit(
      pathOf(orders),
      async (page, opened) => {
        const more = page.getByRole("button", { name: "More for FCT_ORDERS" });
        await more.press("Enter");
        await page.getByRole("menuitem", { name: "Deprecate" }).press("Enter");
        await page.getByLabel("Why it should not be used any more").fill("Counted twice <b>");
        await page.getByLabel("Goes on").fill("2031-02-03");
        await page.getByRole("combobox", { name: "Use instead" }).fill("FCT_ORDER_ITEMS");
        await page.getByRole("option", { name: /FCT_ORDER_ITEMS/ }).first().click();
        await opened.picture("asset-deprecate");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Deprecate", exact: true }).click();
        await page.getByText("Deprecated, goes on 3 Feb 2031").waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByText("Counted twice <b>").waitFor();
        const fields = "deprecation { deprecated note decommissionTime replacement { urn } }";
        const after = await stored(fields);
        assert.equal(new Date(after.deprecation.decommissionTime).toDateString(), "Mon Feb 03 2031");
        assert.match(after.deprecation.replacement.urn, /fct_order_items/i);
        await opened.picture("asset-deprecated");

        await page.reload();
        await more.click();
        await page.getByRole("menuitem", { name: "Change the deprecation" }).click();
        assert.equal(await page.getByLabel("Goes on").inputValue(), "2031-02-03");
        await page.getByLabel("Goes on").fill("");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("Deprecated", { exact: true }).waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        assert.equal((await stored(fields)).deprecation.decommissionTime, null);
        await more.click();
        await page.getByRole("menuitem", { name: "End the deprecation" }).click();
        await page.getByRole("button", { name: "End the deprecation" }).click();
        await page.getByText("Counted twice <b>").waitFor({ state: "detached" });
        await page.getByRole("dialog").waitFor({ state: "detached" });
        assert.equal((await stored(fields)).deprecation.deprecated, false);
      },
      { as },
    );
    await pages.visit(
      pathOf(orders),
      async (page) => {
        const heading = page.getByRole("heading", { level: 1, name: "FCT_ORDERS" });
        await heading.waitFor();
        const name = "FCT_ORDERS";
        await page.route("**/api/graphql", async (route) => {
          const changes = /mutation (RenameAsset|Deprecate)/.test(route.request().postDataJSON().query);
          return changes ? route.fulfill({ json: { data: null, errors: [{ message: "Unauthorized to change this.", extensions: { code: 403 } }] } }) : route.continue();
        });
        await page.getByRole("button", { name: /^More for/ }).click();
        await page.getByRole("menuitem", { name: "Rename" }).click();
        await page.getByRole("textbox", { name: "Name" }).fill("Mine");
        await page.keyboard.press("Enter");
        await page.getByText("Unauthorized to change this.").waitFor();
        await page.getByRole("heading", { level: 1, name, exact: true, includeHidden: true }).waitFor();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("button", { name: /^More for/ }).click();
        await page.getByRole("menuitem", { name: "Deprecate" }).click();
        await page.getByRole("button", { name: "Deprecate", exact: true }).click();
        await page.getByText("Unauthorized to change this.").waitFor();
        await page.getByRole("button", { name: "Cancel" }).click();
        assert.equal(await page.getByText("No reason was given.").count(), 0);
      },
      { as },
    );
  });

  it("says to whom may change nothing what they need", () =>
    pages.visit(
      pathOf(orders),
      async (page) => {
        const button = page.getByRole("button", { name: "Choose tags", exact: true });
        await button.waitFor();
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        await button.focus();
        await page.getByText("It needs the privilege Edit Tags: ask the owner,").waitFor();
        await button.click({ force: true });
        assert.equal(await page.getByRole("checkbox").count(), 0);
        await page.getByRole("button", { name: /^More for/ }).click();
        await page.getByText("It needs the privilege Edit Properties: ask the owner,").waitFor();
        await page.getByText("It needs the privilege Edit Deprecation: ask the owner,").waitFor();
      },
      { as: plain },
    ));

  it("says that nothing is filed by a URN or of an unknown type, and what is close to it", () =>
    pages.visit(
      pathOf("urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_ord,PROD)"),
      async (page) => {
        await page.getByRole("heading", { name: "Nothing is filed here" }).waitFor();
        await page.getByRole("table", { name: "Names close to it" }).getByRole("link", { name: /FCT_ORDERS/i }).first().click();
        await page.getByRole("heading", { level: 1, name: /ORDERS/i }).waitFor();
        await page.goto(`${stack.proxy}/dataset/${encodeURIComponent("urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_ordres,PROD)")}`);
        await page.getByRole("table", { name: "Names close to it" }).getByRole("link", { name: /FCT_ORDERS/i }).first().waitFor(); // a URN with a typing error
        await page.goto(`${stack.proxy}/gadget/urn:li:gadget:(one,two)/Schema`);
        await page.getByRole("heading", { level: 1, name: "Nothing is filed here" }).waitFor();
        assert.equal(await page.getByRole("main").getByText("urn:li:gadget:(one,two)").count(), 1);
      },
      { as, expected: [/status of 40[04]/] },
    ));
  it("finds a column of 4,004, opens what is inside, and keeps the chosen one in the address, also in an older version", async () => {
    await pages.visit(
      pathOf(wide),
      async (page) => {
        await column(page, "outer").waitFor();
        assert.ok((await page.getByRole("row").count()) < 150);
        await page.getByRole("button", { name: "Open inner, 1 field inside" }).click();
        await column(page, "deep").click();
        await page.getByRole("region", { name: "Column outer.inner.deep" }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get("column"), "outer.inner.deep");
        await page.goBack();
        await page.getByRole("region", { name: "Column outer.inner.deep" }).waitFor({ state: "detached" });
        await page.getByLabel("Find a column").fill("column_3999");
        await column(page, "column_3999").waitFor();
        assert.equal(await page.getByRole("row").count(), 2);
        await page.getByRole("button", { name: /^Version / }).click();
        await page.getByRole("menuitem", { name: "Compare two versions" }).click();
        const panel = page.getByRole("region", { name: "Compare schemas" });
        await panel.getByText("4 columns added, 1 removed.").waitFor();
        await panel.getByText("4,000 stay as they were.").waitFor();
        await panel.getByText("old_column").first().waitFor();
        await panel.getByRole("button", { name: "Close the comparison" }).click();
        await panel.waitFor({ state: "detached" });
      },
      { as, size: sizes[1] },
    );
    await pages.visit(
      pathOf(wide, "Schema?version=1"),
      async (page) => {
        await column(page, "old_column").waitFor();
        await page.getByText("Since then 4 columns added, 1 removed.").waitFor();
        assert.ok((await page.getByRole("row").count()) < 150);
        await page.getByLabel("Find a column").fill("اسم العميل");
        await row(page, "اسم العميل").getByText("Added since").waitFor();
      },
      { as },
    );
  });

  it("exports all columns, also those inside of closed ones, and those that match alone", () =>
    pages.visit(
      pathOf(wide),
      async (page) => {
        const exported = async () => {
          const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
          return (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
        };
        await column(page, "outer").waitFor();
        const all = await exported();
        assert.match(all[0], /Column,Type,Description,Terms,Tags,May be empty,Key,"Queries, 30 days"$/);
        assert.equal(all.length, 4005);
        assert.ok(all.some((line) => line.startsWith("outer.inner.deep,")));
        await page.getByLabel("Find a column").fill("column_3999");
        await page.getByRole("status").getByText("1 column", { exact: true }).waitFor({ state: "attached" });
        assert.equal((await exported()).length, 2);
        await page.getByLabel("Find a column").fill("no such column");
        await page.getByText("No column matches").waitFor();
        await tabTo(page, page.getByRole("button", { name: "Export CSV" }));
        await page.getByText("There is no column to export.").waitFor();
      },
      { as },
    ));
});
