// Changes by others reach the open pages, and the notifications of the owners.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { answered, Pages, settled, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const dataset = (name) => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;
const orders = dataset("orders");
const address = (urn, tab = "") => `/dataset/${encodeURIComponent(urn)}${tab && `/${tab}`}`;

describe("changes that come in", unlessMissing("changes that come in"), () => {
  let stack, pages, as, robin, token;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    robin = await stack.person("Robin Sparrow", "Editor");
    token = await stack.token("elsewhere", "urn:li:corpuser:datahub");
    await write(orders, {
      datasetProperties: { name: "orders" },
      ownership: { owners: [{ owner: robin.urn, type: "TECHNICAL_OWNER" }] },
      editableDatasetProperties: { description: "What was ordered." },
    });
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  // write simulates another program or user: it writes by REST as the administrator.
  const write = (urn, aspects) =>
    stack.call(token, "POST", "/openapi/v3/entity/dataset?async=false", [{ urn, ...Object.fromEntries(Object.entries(aspects).map(([name, value]) => [name, { value }])) }]);
  const describeOrders = (description) => write(orders, { editableDatasetProperties: { description } });
  const bell = (page, name) => page.getByRole("link", { name });
  const connected = (page) => page.waitForFunction(() => document.querySelector('a[aria-label^="Changes on what you own"][data-live="true"]'));

  it("shows in the bell what another one changed on what one owns, without a reload, and lists it", () =>
    pages.visit(
      "/",
      async (page, opened) => {
        await bell(page, "Changes on what you own").waitFor();
        await connected(page);
        await write(orders, { globalTags: { tags: [{ tag: "urn:li:tag:pii" }] } });
        await bell(page, "Changes on what you own, 1 new").waitFor();
        await write(dataset("of-nobody"), { globalTags: { tags: [{ tag: "urn:li:tag:pii" }] } });
        await describeOrders("What customers have ordered.");
        await bell(page, "Changes on what you own, 2 new").waitFor();
        await opened.picture("changes-bell");
        await tabTo(page, bell(page, "Changes on what you own, 2 new"));
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "Changes" }).waitFor();
        const lines = page.getByRole("main").getByRole("listitem").filter({ hasText: "New" });
        await lines.filter({ hasText: /changed the description\s+of orders/ }).waitFor();
        await lines.filter({ hasText: /added the tag\s*pii\s*to orders/ }).waitFor();
        assert.equal(await lines.count(), 2);
        await opened.picture("changes-new");
        await page.getByRole("button", { name: "Mark all as seen" }).click();
        await bell(page, /^Changes on what you own$/).waitFor();
        await lines.first().waitFor({ state: "detached" });
        await page.reload();
        await bell(page, /^Changes on what you own$/).waitFor();
      },
      { as: robin },
    ));

  it("shows on a page what changed elsewhere, once for many changes, and asks nothing for a page seen before", () =>
    visit(
      stack,
      address(orders, "Documentation"),
      async (page, opened) => {
        await settled(page, (each) => each.getByRole("heading", { level: 1, name: "orders" }).waitFor());
        await connected(page);
        const before = opened.operations;
        // In a single request: on a slow machine, forty requests would trigger many refetches.
        const edit = (_, n) => `edit${n}: updateDescription(input: { resourceUrn: $urn, description: "Orders, edition ${n}." })`;
        await stack.graphql(`mutation($urn: String!) { ${Array.from({ length: 40 }, edit).join(" ")} }`, { urn: orders });
        await page.getByText("Orders, edition 39.").first().waitFor();
        const readings = opened.operations - before;
        assert.ok(readings <= 12, `${readings} requests for 40 changes`);

        await page.getByRole("link", { name: "Tags", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
        await opened.settled();
        await page.clock.setSystemTime(Date.now() + 120_000); // longer than the cache lifetime of other responses
        const asked = [];
        page.on("request", (request) => asked.push(request.url()));
        await page.goBack();
        await page.getByText("Orders, edition 39.").first().waitFor();
        await opened.settled();
        assert.deepEqual(asked.filter((url) => url.includes("/api/")), []);
      },
      { as: robin },
    ));

  it("shows on a page of an asset how its check went", () =>
    pages.visit(
      address(orders),
      async (page) => {
        await settled(page, (each) => each.getByRole("heading", { level: 1, name: "orders" }).waitFor());
        await connected(page);
        const urn = "urn:li:assertion:orders-are-many";
        const checks = (parts) => stack.call(token, "POST", "/openapi/v3/entity/assertion?async=false", [{ urn, ...parts }]);
        await checks({ assertionInfo: { value: { type: "DATASET", datasetAssertion: { dataset: orders, scope: "DATASET_ROWS", operator: "GREATER_THAN" } } } });
        for (const [at, type, text] of [[1, "SUCCESS", "1 check passes"], [2, "FAILURE", "1 of 1 checks fails"]]) {
          const run = { timestampMillis: Date.now() + at, runId: `run-${at}`, asserteeUrn: orders, assertionUrn: urn, status: "COMPLETE", result: { type } };
          await checks({ assertionRunEvent: { value: run } });
          await page.getByRole("link", { name: text }).waitFor();
        }
      },
      { as: robin },
    ));

  it("leaves the text of an open editor alone", () =>
    pages.visit(
      address(orders, "Documentation"),
      async (page, opened) => {
        await settled(page, (each) => each.getByRole("heading", { level: 1, name: "orders" }).waitFor());
        await connected(page);
        await page.getByRole("button", { name: /^Edit/ }).first().click();
        const field = page.getByRole("main").locator("textarea").first();
        await field.fill("My own words");
        const before = await bell(page, /^Changes on what you own/).getAttribute("aria-label");
        await describeOrders("Words of somebody else.");
        await write(orders, { globalTags: { tags: [{ tag: "urn:li:tag:seen-behind" }] } });
        await page.waitForFunction((label) => document.querySelector('a[aria-label^="Changes on what you own"]').getAttribute("aria-label") !== label, before);
        await opened.settled();
        assert.equal(await field.inputValue(), "My own words");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Discard what I wrote" }).click();
        await page.getByText("seen-behind").first().waitFor();
        await page.getByText("Words of somebody else.").first().waitFor();
      },
      { as: robin },
    ));

  const removed = (page) => page.getByRole("status").getByText("Somebody removed this meanwhile.");
  const kept = dataset("kept");

  it("keeps what is written into a property and about a column that somebody removes, and saves it anew", async () => {
    const properties = (customProperties) => write(kept, { datasetProperties: { name: "kept", customProperties } });
    await properties({ team: "shop", tier: "gold" });
    await pages.visit(
      address(kept, "Properties"),
      async (page, opened) => {
        await connected(page);
        await page.getByRole("button", { name: "Edit value of tier: gold" }).click();
        const field = page.getByRole("textbox", { name: "value of tier" });
        await field.fill("gold, since May");
        await tabTo(page, page.getByRole("button", { name: "Cancel", exact: true })); // updates wait while a field has the focus
        await properties({ team: "shop" });
        await removed(page).waitFor();
        assert.equal(await field.inputValue(), "gold, since May");
        await opened.picture("changes-removed");
        await page.setViewportSize(sizes[2]);
        await opened.picture("changes-removed-400");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Copy text" }).click();
        await page.getByRole("button", { name: "Copied" }).waitFor();
        await page.getByRole("button", { name: "Save anew" }).click();
        await page.getByRole("button", { name: "Edit value of tier: gold, since May" }).waitFor();
        await page.reload();
        await page.getByRole("button", { name: "Edit value of tier: gold, since May" }).waitFor();

        // The last row, found by a filter that matches nothing else.
        await page.getByLabel("Find a property").fill("tier");
        await page.getByRole("button", { name: "Edit value of tier: gold, since May" }).click();
        await field.fill("silver");
        await properties({});
        await page.keyboard.press("Enter");
        await removed(page).waitFor();
        assert.equal(await field.inputValue(), "silver");
        await page.keyboard.press("Escape");
        await page.getByText("Discard what you wrote?").waitFor();
        await page.keyboard.press("Escape");
        await field.waitFor({ state: "detached" });
        await page.getByText("No property matches").waitFor();
      },
      { as },
    );
    const field = (fieldPath) => ({ fieldPath, type: { type: { "com.linkedin.schema.StringType": {} } }, nativeDataType: "text", nullable: true });
    const schema = (...columns) => write(kept, { schemaMetadata: { schemaName: "kept", platform: "urn:li:dataPlatform:postgres", version: 0, hash: "", platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } }, fields: columns.map(field) } });
    await schema("id", "note");
    await pages.visit(
      address(kept, "Schema"),
      async (page) => {
        await page.getByRole("table", { name: "Columns" }).getByRole("button", { name: "Add a description of note" }).click();
        const text = page.getByRole("textbox", { name: "description of note" });
        await text.fill("What the customer asks for");
        await schema("id");
        await page.keyboard.press("Control+Enter");
        await removed(page).waitFor();
        assert.equal(await text.inputValue(), "What the customer asks for");
        await page.getByRole("button", { name: "Save", exact: true }).hover();
        await page.getByText("It was removed: there is nothing to save this in.").waitFor();
        await page.getByRole("button", { name: "Cancel", exact: true }).click();
        await page.getByRole("button", { name: "note", exact: true }).waitFor({ state: "detached" });
        const { dataset: now } = await stack.graphql("query($u: String!) { dataset(urn: $u) { editableSchemaMetadata { editableSchemaFieldInfo { fieldPath } } } }", { u: kept });
        assert.ok(!now.editableSchemaMetadata?.editableSchemaFieldInfo.length);
      },
      { as },
    );
  });

  it("keeps what is written about a tag that somebody deletes, and saves it where the filter no longer finds the tag", async () => {
    const { createTag: tag } = await stack.graphql("mutation($i: CreateTagInput!) { createTag(input: $i) }", { i: { id: "short-lived", name: "short-lived" } });
    await pages.visit(
      "/tags?find=short",
      async (page) => {
        await connected(page);
        await page.getByRole("button", { name: "Edit description of short-lived" }).click();
        const field = page.getByRole("textbox", { name: "description of short-lived" });
        await field.fill("Soon gone");
        await tabTo(page, page.getByRole("button", { name: "Cancel", exact: true }));
        await stack.graphql("mutation($u: String!) { deleteTag(urn: $u) }", { u: tag });
        await removed(page).waitFor();
        assert.equal(await field.inputValue(), "Soon gone");
        await page.getByRole("button", { name: "Cancel", exact: true }).click();
        await page.getByText("No tag matches").waitFor();
      },
      { as },
    );
    const { createTag: misspelt } = await stack.graphql("mutation($i: CreateTagInput!) { createTag(input: $i) }", { i: { id: "a-word", name: "misspelt" } });
    await pages.visit(
      "/tags?find=misspelt",
      async (page) => {
        await connected(page);
        await page.getByRole("button", { name: "Edit description of misspelt" }).click();
        const field = page.getByRole("textbox", { name: "description of misspelt" });
        await field.fill("Still here");
        await tabTo(page, page.getByRole("button", { name: "Cancel", exact: true }));
        const asked = page.waitForResponse((response) => response.request().postData()?.includes("query Exists"));
        await stack.call(token, "POST", "/openapi/v3/entity/tag?async=false", [{ urn: misspelt, tagProperties: { value: { name: "correct" } } }]);
        await (await asked).finished();
        assert.equal(await removed(page).count(), 0);
        await answered(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
        await field.waitFor({ state: "detached" });
        const { tag: now } = await stack.graphql("query($u: String!) { tag(urn: $u) { properties { description } } }", { u: misspelt });
        assert.equal(now.properties.description, "Still here");
      },
      { as },
    );
  });

  // Browsers offer locks only on encrypted connections or localhost, but workers everywhere.
  for (const [by, without] of [["locks", ""], ["a worker", "locks"]]) {
    it(`uses one stream for all windows of a browser, by ${by}`, async () => {
      const browser = await Browser.launch();
      try {
        await browser.signIn(stack.proxy, robin.username, robin.password);
        const windows = [];
        for (let n = 0; n < 8; n++) { // a browser opens at most six connections to a host
          const { page } = await browser.open(`${stack.proxy}${without ? "/login" : "/changes"}`, sizes[0], { cached: true });
          if (without) {
            await page.addInitScript((name) => delete Navigator.prototype[name], without);
            await page.goto(`${stack.proxy}/changes`);
          }
          windows.push(page);
        }
        for (const page of windows) {
          await connected(page);
        }
        await windows.shift().close(); // this window may have owned the stream
        await describeOrders(`Seen in all windows by ${by}.`);
        for (const page of windows) {
          await page.getByText(`Seen in all windows by ${by}.`).first().waitFor();
        }
      } finally {
        await browser.close();
      }
    });
  }

  it("says that changes do not come in, and reads again when they do", () =>
    pages.visit(
      "/changes",
      async (page, opened) => {
        await settled(page, (each) => each.getByRole("heading", { level: 1, name: "Changes" }).waitFor());
        await connected(page);
        await stack.withoutService(async () => {
          await page.getByText("Changes do not come in by themselves at the moment").waitFor();
          await bell(page, /cut off$/).waitFor();
          await opened.picture("changes-cut");
        });
        await connected(page);
        await page.getByText("Changes do not come in by themselves at the moment").waitFor({ state: "detached" });
        await describeOrders("After the break.");
        await page.getByText("After the break.").first().waitFor();
      },
      { as: robin, expected: [/502|503|Failed to load resource/] },
    ));
});
