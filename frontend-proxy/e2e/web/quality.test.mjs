// The history of an asset: check results, incidents and changes.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, go, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const dataset = (name) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.${name},PROD)`;
const [orders, products] = ["marts.fct_orders", "marts.dim_products"].map(dataset);
const revenue = "urn:li:dashboard:(looker,dashboards.revenue)";
const copying = "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop_to_warehouse,prod),copy_orders)";
const pathOf = (urn, tab) => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}/${tab}`;

describe("the tabs about an asset over time", unlessMissing("the tabs about an asset over time"), () => {
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

  const incidents = async (urn) => (await stack.graphql("query($u: String!) { dataset(urn: $u) { incidents(start: 0, count: 50) { incidents { title priority assignees { ... on CorpGroup { urn } ... on CorpUser { urn } } incidentStatus { state stage message } } } } }", { u: urn })).dataset.incidents.incidents;

  it("leads from the head to the runs of a check, and shows what fails first", () =>
    pages.visit(
      pathOf(orders, "Schema"),
      async (page, opened) => {
        await page.getByRole("link", { name: "6 checks pass", exact: true }).click();
        await page.getByText("All 6 checks pass").waitFor();
        await page.getByRole("button", { name: /^Orders change at least every two hours/ }).click();
        const panel = page.getByRole("region", { name: "Check Orders change at least every two hours." });
        await panel.getByText("every 2 hours").waitFor();
        const runs = panel.getByRole("list", { name: "Runs, newest first" }).getByRole("listitem");
        await runs.nth(13).waitFor();
        assert.equal(await runs.count(), 14);
        await opened.picture("quality-check");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.reload();
        await panel.getByText("every 2 hours").waitFor();
        await page.getByRole("searchbox", { name: "Find a check" }).fill("revenue");
        await page.getByRole("button", { name: /^Orders change/ }).waitFor({ state: "detached" });

        // Failed checks come first.
        await go(page, pathOf(products, "Quality"));
        await page.getByText("1 of 2 checks fails").last().waitFor();
        await page.getByRole("table", { name: "Incidents" }).getByText("Open", { exact: true }).waitFor();
        assert.match(await page.getByRole("table", { name: "Checks" }).locator("tbody tr").first().innerText(), /Reviews stay kind/);
      },
      { as },
    ));

  it("raises an incident by keyboard alone, which is worked on and resolved", () =>
    pages.visit(
      pathOf(orders, "Quality"),
      async (page, opened) => {
        const raise = page.getByRole("button", { name: "Raise an incident" });
        await raise.waitFor();
        await tabTo(page, raise, 120);
        await page.keyboard.press("Enter");
        const title = page.getByRole("textbox", { name: "What is wrong" });
        await title.waitFor();
        await page.keyboard.press("Enter");
        await page.getByText("Tell in a few words what is wrong.").waitFor();
        await tabTo(page, title);
        await page.keyboard.type("Orders of May are there twice");
        await page.keyboard.press("Tab");
        await page.keyboard.type("Sums of May are too high");
        await tabTo(page, page.getByRole("combobox", { name: "Priority" }));
        await page.keyboard.press("H");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await opened.picture("quality-raise");
        await tabTo(page, page.getByRole("button", { name: "Raise incident", exact: true }));
        await page.keyboard.press("Enter");
        const panel = page.getByRole("region", { name: "Incident Orders of May are there twice" });
        await panel.waitFor();
        await page.getByRole("link", { name: "1 open incident" }).waitFor();

        await panel.getByRole("combobox", { name: "Priority" }).selectOption("Critical");
        await panel.getByRole("combobox", { name: "Stage" }).selectOption("Investigation");
        await panel.getByRole("button", { name: "Edit title of the incident" }).click();
        await panel.getByRole("textbox", { name: "title of the incident" }).fill("Orders of May are doubled");
        await page.keyboard.press("Enter");
        const renamed = page.getByRole("region", { name: "Incident Orders of May are doubled" });
        await renamed.waitFor();
        await renamed.getByRole("button", { name: "Choose who works on it" }).click();
        await page.getByLabel("Find a person or group").fill("Data platform");
        await page.getByRole("checkbox", { name: "Data Platform", exact: true }).click();
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await renamed.getByRole("link", { name: /^Data Platform/ }).waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" }); // the change is stored
        await opened.picture("quality-incident");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.reload();
        await renamed.getByRole("link", { name: /^Data Platform/ }).waitFor();
        await renamed.getByRole("textbox", { name: "What ended it" }).fill("May was loaded anew");
        await renamed.getByRole("button", { name: "Resolve incident" }).click();
        await renamed.getByText("May was loaded anew").first().waitFor(); // the field also contains it until the response arrives
        await renamed.getByRole("button", { name: "Open it again" }).waitFor();
        await page.getByRole("link", { name: "1 open incident" }).waitFor({ state: "detached" });
        const [one] = (await incidents(orders)).filter((each) => each.title === "Orders of May are doubled");
        assert.equal(one.priority, "CRITICAL");
        assert.equal(one.assignees.length, 1);
        assert.deepEqual(one.incidentStatus, { state: "RESOLVED", stage: "INVESTIGATION", message: "May was loaded anew" });
      },
      { as },
    ));

  it("tells who changed what, kept to a kind by keyboard and by the address", () =>
    pages.visit(
      pathOf(orders, "History"),
      async (page, opened) => {
        await stack.graphql("mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", { i: { resourceUrn: orders, description: "What orders are today", subResource: "status", subResourceType: "DATASET_FIELD" } });
        await page.reload();
        const kind = page.getByRole("button", { name: "Kind of change" });
        await kind.waitFor();
        await page.getByText("What orders are today").waitFor();
        await page.getByRole("heading", { name: "Today" }).waitFor();
        await tabTo(page, kind, 120);
        await page.keyboard.press("Enter");
        await page.getByRole("menuitemradio", { name: /^Columns, \d+$/ }).press("Enter");
        await page.waitForURL(/about=TECHNICAL_SCHEMA/);
        await page.getByText("What orders are today").waitFor({ state: "detached" });
        await page.getByRole("button", { name: /^Show the \d+ changes$/ }).first().click();
        const find = page.getByRole("searchbox", { name: "Find in the history" });
        await find.fill("gross_eur");
        await page.getByText("NUMBER(10,2) → NUMBER(12,2)").waitFor();
        await opened.picture("history-columns");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.goBack();
        await page.getByText("What orders are today").waitFor();
        await page.getByRole("radio", { name: "By programs" }).check({ force: true });
        await page.waitForURL(/by=programs/);
        await page.getByText("What orders are today").waitFor({ state: "detached" });
        await page.getByRole("radio", { name: "By people" }).check({ force: true });
        await page.getByText("What orders are today").waitFor();
        await find.fill("juniper");
        await page.getByText(/the owner/).first().waitFor();
        await find.fill("no such words");
        await page.getByRole("button", { name: "Show everything" }).click();
        await page.getByText("What orders are today").waitFor();
      },
      { as },
    ));

  it("compares two versions of the columns, which the address keeps, below the history on a phone, and not at all without a schema", () =>
    pages.visit(
      pathOf(orders, "History"),
      async (page, opened) => {
        const panel = page.getByRole("region", { name: "Compare schemas" });
        const pick = (place) => panel.getByRole("group", { name: "Versions to compare" }).getByRole("button").nth(place);
        await panel.getByText("1 column added, 1 removed.").waitFor();
        await panel.getByText("8 stay as they were.").waitFor();
        await panel.getByText("voucher_eur feeds nothing that is known. No query of the last 30 days is known to read it.").waitFor();
        assert.equal(await page.getByRole("heading", { name: "Owners" }).count(), 0, "the comparison is beside what is known about the asset");
        const [find, kind] = await Promise.all([page.getByRole("searchbox", { name: "Find in the history" }), page.getByRole("button", { name: "Kind of change" })].map((each) => each.boundingBox()));
        assert.ok(Math.abs(find.y - kind.y) < find.height, "the tools take more than one line");
        await opened.picture("history-compare");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");

        await page.getByRole("button", { name: "Compare with version 0.0.0" }).press("Enter");
        await page.waitForURL(/compare=1-2/);
        assert.ok(await panel.evaluate((element) => element === document.activeElement), "the comparison has no focus");
        await panel.getByText("NUMBER(10,2)", { exact: true }).waitFor();
        assert.equal(await pick(0).innerText(), "Version 0.0.0");
        assert.equal(await pick(1).innerText(), "Version 1.0.0");
        await panel.getByText("gross_eur feeds 2 assets").waitFor();

        await tabTo(page, pick(1));
        await page.keyboard.press("Enter");
        await page.getByRole("menuitemradio", { name: /^2\.0\.0/ }).press("Enter");
        await page.waitForURL(/compare=1-0/);
        await panel.getByText("3 columns added, 2 changed.").waitFor();
        const told = await panel.getByRole("list").innerText();
        await panel.getByRole("button", { name: "Copy differences" }).click();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), /gross_eur\tchanged\tNUMBER\(10,2\) → NUMBER\(12,2\)/);
        await page.reload();
        await panel.getByText("NUMBER(10,2)", { exact: true }).waitFor();
        assert.equal(await panel.getByRole("list").innerText(), told);
        await page.goBack();
        await pick(1).filter({ hasText: "Version 1.0.0" }).waitFor();

        // The older version is shown first, regardless of the order in the address.
        await page.goto(`${stack.proxy}${pathOf(orders, "History")}?compare=1-2`);
        await pick(0).filter({ hasText: "Version 0.0.0" }).waitFor();
        await page.goto(`${stack.proxy}${pathOf(orders, "History")}?compare=2-1`);
        await pick(1).filter({ hasText: "Version 1.0.0" }).waitFor();
        assert.equal(await pick(0).innerText(), "Version 0.0.0");

        await panel.getByRole("link", { name: "2 assets" }).click();
        await page.waitForURL(/\/Lineage\?column=gross_eur$/);
        await page.getByText("Column gross_eur", { exact: true }).first().waitFor();
        await page.goBack();
        await panel.getByRole("link", { name: "Open version 0.0.0" }).press("Enter");
        await page.waitForURL(/\/Schema\?version=1$/);
        await page.getByText("As of version 0.0.0").waitFor();

        // On a phone the comparison is below the history.
        await page.setViewportSize(sizes[2]);
        await page.goto(stack.proxy + pathOf(orders, "History"));
        await panel.getByText("1 column added, 1 removed.").waitFor();
        const [list, side] = await Promise.all([page.getByRole("button", { name: "Compare with version 0.0.0" }), panel].map((each) => each.boundingBox()));
        assert.ok(side.y > list.y + list.height, "the comparison is above the history");
        await page.getByRole("button", { name: "Compare with version 0.0.0" }).click();
        await panel.getByText("3 columns added, 2 changed.").waitFor();
        await page.waitForFunction((element) => element.getBoundingClientRect().top < innerHeight, await panel.elementHandle());
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
        await opened.picture("history-compare-400");
        await page.goto(stack.proxy + pathOf(revenue, "History"));
        await page.getByRole("heading", { name: "Today" }).waitFor();
        await page.getByRole("heading", { name: "Owners" }).waitFor();
        assert.equal(await panel.count(), 0);
      },
      { as },
    ));

  it("shows figures over time, as tables too, of the days in the address, and one column, saying where far more is empty than before", () =>
    pages.visit(
      pathOf(orders, "Stats"),
      async (page, opened) => {
        const year = page.getByRole("radio", { name: "1 year" });
        await year.waitFor();
        await page.getByRole("img", { name: /^Rows in millions, from/ }).waitFor();
        fewRequests(opened);
        await tabTo(page, page.getByRole("radio", { name: "30 days" }), 120);
        await page.keyboard.press("ArrowRight");
        await page.waitForURL(/days=90/);
        await page.keyboard.press("ArrowRight");
        await page.waitForURL(/days=365/);
        await page.getByRole("img", { name: /^Queries by day: most on 7 days from/ }).waitFor();
        await page.getByRole("radiogroup", { name: "Shown as" }).getByText("Table", { exact: true }).click();
        await page.getByRole("table", { name: "Rows" }).getByText("1.21").waitFor();
        await page.getByRole("table", { name: "Statistics of columns" }).getByText("net_revenue_eur").waitFor();
        await page.getByRole("table", { name: "Operations" }).getByText("Update").first().waitFor();
        await opened.picture("stats-table");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.reload();
        await page.getByRole("table", { name: "Queries by day" }).waitFor();

        await page.goto(stack.proxy + pathOf(orders, "Stats"));
        await page.getByRole("img", { name: /^Empty in net_revenue_eur, from 0 on .* to 214 on/ }).waitFor();
        await page.getByRole("figure").getByText("More than usual: 214 rows, at most 12 before").waitFor();
        await page.getByRole("row", { name: /net_revenue_eur/ }).getByText("214 rows, at most 12 before").waitFor();
        await tabTo(page, page.getByRole("button", { name: "Column", exact: true }), 120);
        await page.keyboard.press("Enter");
        await page.getByRole("searchbox", { name: "Find a column" }).fill("order");
        await page.keyboard.press("Enter");
        await page.waitForURL(/column=order_id/);
        await page.getByRole("img", { name: /^Empty in order_id, from 0/ }).waitFor();
        await page.getByRole("button", { name: "Measure" }).click();
        await page.getByRole("menuitemradio", { name: "Distinct" }).click();
        await page.waitForURL(/measure=distinct/);
        await page.getByRole("img", { name: /^Distinct in order_id in millions, from 1\.16 on .* to 1\.21 on/ }).waitFor();
        await page.reload();
        await page.getByRole("img", { name: /^Distinct in order_id in millions/ }).waitFor();

        await go(page, pathOf(products, "Stats"));
        await page.getByRole("row", { name: /stars_avg A check on this column fails/ }).getByText("1,240 rows, at most 315 before").waitFor();
        assert.equal(await page.getByText("A check on this column fails").count(), 1);
        await go(page, pathOf(revenue, "Stats"));
        await page.getByRole("img", { name: /^Views by day: most on/ }).waitFor();
        await go(page, pathOf("urn:li:chart:(looker,dashboard_elements.102)", "Stats"));
        await page.getByText("Views in 30 days").waitFor();
      },
      { as },
    ));

  it("tells the runs of a task and of a pipeline, a long list page by page, and by keyboard those that wrote or read a dataset", async () => {
    const job = "urn:li:dataJob:(urn:li:dataFlow:(airflow,many,prod),work)";
    const items = Array.from({ length: 27 }, (_, n) => {
      const urn = `urn:li:dataProcessInstance:many-${n}`;
      const stamp = { time: 1_700_000_000_000 + n * 60_000, actor: "urn:li:corpuser:datahub" };
      const aspect = (aspectName, json) => ({ entityType: "dataProcessInstance", entityUrn: urn, changeType: "UPSERT", aspectName, aspect: { json } });
      return [aspect("dataProcessInstanceProperties", { name: `run ${n}`, created: stamp }), aspect("dataProcessInstanceRelationships", { parentTemplate: job, upstreamInstances: [] })];
    }).flat();
    const made = { entityType: "dataJob", entityUrn: job, changeType: "UPSERT", aspectName: "dataJobInfo", aspect: { json: { name: "work", type: { string: "COMMAND" } } } };
    const folder = await mkdtemp(path.join(tmpdir(), "runs-"));
    try {
      await writeFile(path.join(folder, "runs.json"), JSON.stringify([made, ...items]));
      await stack.load(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
    await pages.visit(
      pathOf(copying, "Runs"),
      async (page, opened) => {
        await page.getByRole("table", { name: "Runs" }).getByText("Failed").waitFor();
        fewRequests(opened);
        await go(page, pathOf("urn:li:dataFlow:(airflow,shop_to_warehouse,prod)", "Runs"));
        const line = page.getByRole("row", { name: /shop_to_warehouse.hourly #27/ });
        await line.getByText("try 2").waitFor();
        await line.getByText("28 min 0 s").waitFor();
        assert.equal(await line.getByRole("link", { name: /^Open/ }).getAttribute("href"), "https://airflow.fernhill.example.org/dags/shop_to_warehouse/runs/27");

        await go(page, pathOf(job, "Runs"));
        await page.getByText("1 to 25 of 27").waitFor();
        await page.getByRole("button", { name: "Next" }).click();
        await page.getByText("26 to 27 of 27").waitFor();
        await page.getByRole("table", { name: "Runs" }).getByText("run 0", { exact: true }).waitFor();

        await go(page, pathOf(dataset("raw.raw_orders"), "Runs"));
        await page.getByRole("status").getByText("7 runs").waitFor();
        await page.getByRole("row", { name: /copy_orders #31/ }).getByRole("link", { name: /^ORDERS/i }).first().waitFor();
        await tabTo(page, page.getByRole("radio", { name: "Wrote it" }), 120);
        await page.keyboard.press("ArrowRight");
        await page.waitForURL(/way=reading/);
        await page.getByText("No run is known to have read it").waitFor();
        await page.goBack();
        await page.getByRole("status").getByText("7 runs").waitFor();
      },
      { as },
    );
  });
});
