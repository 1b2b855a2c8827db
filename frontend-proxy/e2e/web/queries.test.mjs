// The queries of a dataset: search, create, change and delete.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
const path = `/dataset/${encodeURIComponent(orders)}/Queries`;

describe("queries", unlessMissing("queries"), () => {
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

  const stored = async () =>
    (await stack.graphql("query($i: ListQueriesInput!) { listQueries(input: $i) { queries { properties { name source statement { value } } } } }", { i: { datasetUrn: orders } })).listQueries.queries.map(({ properties }) => properties);
  const heading = (page, name) => page.getByRole("main").getByRole("heading", { name, exact: true });

  it("shows when one ran last and who ran it, tells those of people from those found in logs, finds, and exports what was found", () =>
    pages.visit(
      path,
      async (page, opened) => {
        await heading(page, "Orders of last week").waitFor();
        fewRequests(opened);
        const one = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Orders of last week", exact: true }) });
        await one.getByText(/Last run .*, 545 runs in 30 days by/).waitFor();
        await one.getByRole("link", { name: "Poppy Chart" }).waitFor();
        await opened.picture("queries-used");
        assert.equal(await page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Share of returning customers", exact: true }) }).getByText("Last run").count(), 0);

        await page.getByText("Found in logs", { exact: true }).first().click();
        await heading(page, "Orders of last week").waitFor({ state: "detached" });
        assert.match(page.url(), /show=found/);
        await page.getByText("Highlighted", { exact: true }).click();
        await heading(page, "Orders of last week").waitFor();
        await page.getByLabel("Find a query").fill("returning");
        await heading(page, "Orders of last week").waitFor({ state: "detached" });
        await heading(page, "Share of returning customers").waitFor();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        const text = await readFile(await download.path(), "utf8");
        assert.match(text, /Share of returning customers,,"select avg/);
        assert.doesNotMatch(text, /Orders of last week/);
      },
      { as },
    ));

  it("writes, changes and deletes one by keyboard alone on a narrow page", () =>
    pages.visit(
      path,
      async (page, opened) => {
        const add = page.getByRole("button", { name: "New query" });
        await add.waitFor();
        await tabTo(page, add, 90);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name").waitFor();
        await tabTo(page, dialog.getByLabel("Name"));
        await page.keyboard.type("Late <b>orders</b>");
        await tabTo(page, dialog.getByRole("button", { name: "Create query" }));
        await page.keyboard.press("Enter");
        await page.getByText("A query needs its text.").waitFor();
        await opened.picture("queries-new");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await tabTo(page, dialog.getByLabel("SQL"));
        await page.keyboard.type("select 1 from late");
        await tabTo(page, dialog.getByRole("button", { name: "Create query" }));
        await page.keyboard.press("Enter");
        await heading(page, "Late <b>orders</b>").waitFor();
        assert.deepEqual(
          (await stored()).filter(({ name }) => name?.startsWith("Late")),
          [{ name: "Late <b>orders</b>", source: "MANUAL", statement: { value: "select 1 from late" } }],
        );

        await dialog.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Edit Late <b>orders</b>", exact: true }).click();
        await dialog.getByLabel("SQL").fill("select 2 from late");
        await dialog.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("region", { name: "SQL of Late <b>orders</b>" }).getByText("select 2 from late").waitFor();
        await page.reload();
        await page.getByRole("region", { name: "SQL of Late <b>orders</b>" }).getByText("select 2 from late").waitFor();

        await page.getByRole("button", { name: "Delete Late <b>orders</b>", exact: true }).click();
        await dialog.getByRole("button", { name: "Delete query" }).click();
        await heading(page, "Late <b>orders</b>").waitFor({ state: "detached" });
        assert.ok((await stored()).every(({ name }) => !name?.startsWith("Late")));
      },
      { as, size: sizes[2] },
    ));
});
