// The lineage of an asset as graph, table and list, for the sample company and for graphs that are larger
// than a page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack, admin } from "./stack.mjs";
import { Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const dataset = (platform, name) => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const orders = dataset("snowflake", "fernhill_prod.marts.fct_orders");
const lineage = (urn, search = "") => `/dataset/${encodeURIComponent(urn)}/Lineage${search}`;

const head = (page, urn) => page.locator(`[data-urn="${urn}"]`);
// inOneLine asserts that the bar of a wide page is a single line without overlaps.
async function inOneLine(page) {
  const boxes = await page.evaluate(() => {
    const bar = document.querySelector("[aria-label=View]").parentElement.parentElement;
    return [...bar.firstElementChild.children, ...[...bar.children].slice(1)].map((each) => each.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
  });
  const high = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
  assert.ok(boxes.length > 6 && high < 48, `the bar is ${high} px high`);
  boxes.slice(1).forEach(({ left }, at) => assert.ok(left >= boxes[at].right, `part ${at + 1} of the bar begins at ${left}, before ${boxes[at].right}`));
}

const view = (page, name) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });

const upstreamsOf = (urns) => ({
  upstreamLineage: { upstreams: urns.map((urn) => ({ dataset: urn, type: "TRANSFORMED", auditStamp: { time: 1_700_000_000_000, actor: admin } })) },
});

// write stores aspects of datasets by the OpenAPI, up to 2,000 datasets per request.
async function write(stack, entities, token) {
  const credential = token ?? (await stack.token("writer", admin));
  for (let from = 0; from < entities.length; from += 2000) {
    const body = entities.slice(from, from + 2000).map(({ urn, aspects }) => ({ urn, ...Object.fromEntries(Object.entries(aspects).map(([name, value]) => [name, { value }])) }));
    await stack.call(credential, "POST", "/openapi/v3/entity/dataset?async=false&createIfNotExists=false", body);
  }
}

// markOf returns the short identifier of an asset in addresses.
function markOf(urn) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < urn.length; at++) {
    hash = Math.imul(hash ^ urn.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

describe("lineage", unlessMissing("lineage"), () => {
  let stack, pages, as, plain;
  const root = dataset("hive", "large.root");
  const wide = dataset("hive", "wide.root");
  const many = Number(process.env.DOWNSTREAMS ?? 20_000);

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.demo();
    plain = await stack.person("Plain Reader", "Reader");
    const token = await stack.token("large", admin);
    const name = (at) => dataset("hive", `large.t${String(at).padStart(3, "0")}`);
    await write(
      stack,
      [{ urn: root, aspects: { status: { removed: false } } }, ...Array.from({ length: 499 }, (_, at) => ({ urn: name(at), aspects: upstreamsOf([at < 100 ? root : name(Math.floor((at - 100) / 4))]) }))],
      token,
    );
    await write(
      stack,
      [{ urn: wide, aspects: { status: { removed: false } } }, ...Array.from({ length: many }, (_, at) => ({ urn: dataset("hive", `wide.t${at}`), aspects: upstreamsOf([wide]) }))],
      token,
    );
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("follows a column, shows more around an asset, and lets Back undo each", () =>
    pages.visit(
      lineage(orders),
      async (page, opened) => {
        const choice = page.getByRole("button", { name: "Column", exact: true });
        await choice.waitFor();
        await inOneLine(page);
        await choice.click();
        await page.getByRole("searchbox", { name: "Find a column" }).fill("no such column");
        await page.getByText("No column matches").waitFor();
        await page.getByRole("searchbox", { name: "Find a column" }).fill("REVENUE_eur");
        await opened.picture("lineage-columns");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByRole("list", { name: "Columns" }).getByRole("button", { name: "net_revenue_eur" }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator("path[data-look=hot]").first().waitFor({ state: "attached" });
        await page.getByText("Column net_revenue_eur").first().waitFor();
        await inOneLine(page);
        const daily = dataset("bigquery", "fernhill-marketing.campaigns.attribution_daily");
        await head(page, daily).click();
        await page.getByRole("heading", { name: "attribution_daily" }).waitFor();
        await page.getByRole("heading", { name: "Path of the column" }).waitFor();
        const panel = page.getByRole("complementary", { name: "Chosen asset" });
        assert.match(await panel.getByRole("list").last().innerText(), /FCT_ORDERS\s+net_revenue_eur[\s\S]*attribution_daily/);
        await opened.picture("lineage-column");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");

        await page.getByRole("button", { name: "Show 2 more downstream of attribution_daily" }).click();
        await page.getByText(/^12 of \d+ assets shown$/).waitFor();
        assert.match(page.url(), /open=[0-9a-z]+\.d50/);
        await page.reload();
        await page.getByText(/^12 of \d+ assets shown$/).waitFor();
        await page.goBack();
        await page.getByText(/^10 of \d+ assets shown$/).waitFor();
        await page.goBack();
        await page.getByRole("heading", { name: "Path of the column" }).waitFor({ state: "detached" });
        await page.goBack();
        await page.getByRole("button", { name: "Column", exact: true }).waitFor();
      },
      { as },
    ));

  it("is walked by keyboard alone", () =>
    pages.visit(
      lineage(orders),
      async (page) => {
        const root = head(page, orders);
        await root.waitFor();
        await tabTo(page, root);
        await page.keyboard.press("ArrowLeft");
        await page.waitForFunction((urn) => (document.activeElement?.dataset.urn ?? urn) !== urn, orders);
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction((urn) => document.activeElement?.dataset.urn === urn, orders);
        await page.keyboard.press("ArrowLeft");
        await page.waitForFunction((urn) => (document.activeElement?.dataset.urn ?? urn) !== urn, orders);
        const chosen = await page.evaluate(() => document.activeElement.dataset.urn);
        await page.keyboard.press("+");
        await page.getByText(/^10 of \d+ assets shown$/).waitFor({ state: "detached" });
        await page.waitForFunction((urn) => document.activeElement?.dataset.urn === urn, chosen);
        await page.keyboard.press("-");
        await page.getByText(/^10 of \d+ assets shown$/).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("complementary", { name: "Chosen asset" }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get("node"), chosen);
        await tabTo(page, page.getByRole("button", { name: "Open", exact: true }));
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => decodeURIComponent(url.pathname).includes(chosen) && !url.pathname.endsWith("Lineage"));
      },
      { as },
    ));

  it("lights the path to another asset, says where there is none, and leaves out what filters name", async () => {
    await pages.visit(
      lineage(orders),
      async (page, opened) => {
        await page.getByRole("button", { name: "Path to" }).click();
        await page.getByRole("combobox", { name: "The other asset" }).fill("Morning coffee");
        await page.getByRole("option", { name: /Morning coffee/ }).first().click();
        await page.getByRole("button", { name: "Show path" }).click();
        await page.getByText(/paths? down to Morning coffee, the shortest of \d+ steps/).waitFor();
        await page.locator("path[data-look=hot]").nth(1).waitFor({ state: "attached" });
        await opened.picture("lineage-path");
        await page.goto(`${stack.proxy}${lineage(orders, `?to=${encodeURIComponent(dataset("kafka", "nobody.knows"))}`)}`);
        await page.getByText("No path is known between the two").waitFor();
      },
      { as },
    );
    await pages.visit(
      lineage(orders, "?steps=2&direction=down"),
      async (page, opened) => {
        await page.getByRole("button", { name: "Filters" }).click();
        await page.getByRole("group", { name: "Type" }).getByRole("radio", { name: /^Datasets/ }).check();
        await opened.picture("lineage-filters");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.getByText("Through what is left out").waitFor();
        assert.equal(await page.locator('[data-urn^="urn:li:dataJob"]').count(), 0);
        assert.equal(new URL(page.url()).searchParams.get("kind"), "DATASET");
      },
      { as },
    );
  });

  it("exports all that is reached", () =>
    pages.visit(
      lineage(orders, "?view=impact"),
      async (page) => {
        const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        assert.equal(file.suggestedFilename(), "fernhill_prod.marts.fct_orders-downstream.csv");
        const text = await readFile(await file.path(), "utf8");
        const { scrollAcrossLineage } = await stack.graphql(`query($u: String!) { scrollAcrossLineage(input: { urn: $u, direction: DOWNSTREAM, query: "*", searchFlags: { includeSoftDeleted: true } }) { total } }`, { u: orders });
        assert.match(text, /^\uFEFFurn,name,type,platform,path,steps,owners,health,state\r\n/);
        assert.equal(text.trim().split("\r\n").length - 1, scrollAcrossLineage.total);
        await page.getByText(/rows exported/).waitFor();
      },
      { as },
    ));

  it("says to whom may not edit the lineage what they need", () =>
    pages.visit(
      lineage(orders),
      async (page) => {
        const button = page.getByRole("button", { name: "Edit lineage" });
        await button.waitFor();
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        await tabTo(page, button);
        await page.getByText("It needs the privilege Edit Lineage").waitFor();
        await page.keyboard.press("Enter");
        assert.equal(await page.getByRole("dialog").count(), 0);
      },
      { as: plain },
    ));

  it("shows at an asset what could not be read of it, and tries again", () =>
    pages.visit(
      lineage(orders),
      async (page, opened) => {
        const more = page.getByRole("button", { name: /^Show \d+ more upstream of build_marts$/ });
        await more.waitFor();
        const retry = page.getByRole("button", { name: /upstream of build_marts could not be read/ });
        await stack.withoutService(async () => {
          await more.click();
          await retry.waitFor();
          await opened.picture("lineage-failed");
          await head(page, orders).waitFor();
        });
        await retry.click();
        await page.getByText(/^10 of \d+ assets shown$/).waitFor({ state: "detached" });
      },
      { as, expected: [/status of 50[234]/] },
    ));

  it("draws removed and unknown assets dashed, and cycles without end", async () => {
    const [a, b, gone, ghost] = ["loop.a", "loop.b", "loop.gone", "loop.ghost"].map((name) => dataset("hive", name));
    await write(stack, [a, b, gone].map((urn) => ({ urn, aspects: { status: { removed: urn === gone } } })));
    await write(stack, [
      { urn: a, aspects: upstreamsOf([b, a, gone, ghost]) },
      { urn: b, aspects: upstreamsOf([a]) },
    ]);
    await pages.visit(
      lineage(a, "?steps=3"),
      async (page, opened) => {
        await head(page, gone).waitFor();
        assert.equal(await page.locator("article[data-dashed]").count(), 2);
        await page.getByText("Not in the catalog").waitFor();
        await page.getByText("Removed", { exact: true }).waitFor();
        await opened.picture("lineage-cycle");
        await view(page, "Table").click();
        await page.getByRole("row", { name: /loop.gone.*Removed/ }).waitFor();
      },
      { as },
    );
  });

  it("asks before it shows more than a hundred, in groups and each by itself", () =>
    pages.visit(
      lineage(root, "?steps=2"),
      async (page, opened) => {
        await page.getByText(/^\d+ of 500 assets, in \d+ groups?$/).waitFor();
        const more = page.getByRole("button", { name: /^Show [\d,]+ more\?$/ });
        await more.waitFor();
        await opened.picture("lineage-large");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await more.click();
        await page.waitForURL(/most=/);
        // A worker computes the layout of all 500 assets; assets outside the viewport are not rendered.
        const mark = new URL(page.url()).searchParams;
        mark.set("most", "1000");
        mark.set("group", "off");
        mark.set("open", `${markOf(root)}.d100`);
        await page.goto(`${stack.proxy}${lineage(root, `?${mark}`)}`);
        await page.getByText("500 of 500 assets shown").waitFor();
        await head(page, root).waitFor();
        assert.ok((await page.locator("[data-urn]").count()) < 200);
        assert.ok(page.workers().length > 0, "there is no worker");
        await opened.picture("lineage-500");
      },
      { as },
    ));

  it("lists as many downstream assets as there are, a page at a time, and shows the first of them around the asset", async () => {
    await pages.visit(
      lineage(wide, "?view=impact"),
      async (page, opened) => {
        const state = page.getByRole("status").filter({ hasText: "assets downstream" });
        await state.filter({ hasText: /^50 of [\d,]+/ }).waitFor();
        const before = opened.operations;
        await page.keyboard.press("End");
        await state.filter({ hasText: /^100 of [\d,]+/ }).waitFor();
        assert.ok(opened.operations - before <= 3, `${opened.operations - before} requests for a page`);
        console.log(await state.innerText());
        await page.getByRole("button", { name: "Export CSV" }).click();
        await page.getByText(/rows read$/).waitFor();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("button", { name: "Export CSV" }).waitFor();
      },
      { as },
    );
    await pages.visit(
      lineage(wide),
      async (page) => {
        await page.getByText(/^51 of [\d,]+( or more)? assets, in 1 group$/).waitFor();
        await page.getByRole("button", { name: /^Show [\d,]+ more downstream of wide.root$/ }).click();
        await page.getByRole("button", { name: "Show 50 more?" }).or(page.getByText(/^101 of [\d,]+/)).first().waitFor();
      },
      { as, size: sizes[0] },
    );
  });
});
