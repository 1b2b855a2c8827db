// Operations: index sizes, removal of old time series, tasks and health.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, Pages, shown, sizes, tabTo, unlessMissing } from "./visit.mjs";

const dryRun = (page) => page.getByRole("button", { name: "Dry run" });
const cutOff = (page) => page.getByLabel("Remove everything before");
const remove = (page) => page.getByRole("button", { name: /^Remove \d/ });

// Yesterday in the format of a date field. Data of today remains.
function yesterday() {
  const day = new Date(Date.now() - 86_400_000);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

describe("operations", unlessMissing("operations"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.demo();
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("removes old rows after a dry run and the name of the aspect, follows the task to its end, and shows sizes before and after", () =>
    pages.visit(
      "/operations",
      async (page, opened) => {
        const bar = page.getByRole("button", { name: /^Profiles of datasets/ });
        await bar.waitFor();
        fewRequests(opened);
        await tabTo(page, bar);
        await page.keyboard.press("Enter");
        await cutOff(page).fill("2999-01-01");
        await page.getByText("The day must not lie in the future").first().waitFor();
        await cutOff(page).fill(yesterday());
        await page.keyboard.press("Enter"); // a dry run
        await page.getByText(/This was a dry run/).waitFor();
        assert.match(await page.getByRole("region", { name: "What the dry run says" }).innerText(), /^Delete \d+ out of \d+ rows/);
        assert.equal(await remove(page).getAttribute("aria-disabled"), "true");
        await remove(page).click({ force: true });
        await page.getByLabel(/^Type datasetProfile/).fill("operation");
        assert.equal(await remove(page).getAttribute("aria-disabled"), "true");
        await page.getByLabel(/^Type datasetProfile/).fill("datasetProfile");
        await opened.picture("operations-truncate");
        assert.deepEqual(await opened.accessibilityWithin("main, [role=complementary], aside"), []);
        // Another date requires another dry run.
        await cutOff(page).fill("2020-01-01");
        await page.getByRole("button", { name: "Remove them" }).waitFor();
        await cutOff(page).fill(yesterday());
        await answered(page, () => remove(page).click(), "POST /api/gms/operations?action=truncateTimeseriesAspect");
        await page.getByRole("complementary").getByText("done", { exact: true }).waitFor();
        await opened.picture("operations-removed");
        await page.getByRole("link", { name: "Tasks" }).click();
        await page.getByRole("row", { name: /Truncate a time series.*done/ }).waitFor();
        await page.reload();
        await page.getByRole("row", { name: /Truncate a time series.*done/ }).waitFor();
        await page.goBack();
        await page.getByRole("complementary", { name: "Truncate datasetProfile" }).waitFor();

        await page.goto(`${stack.proxy}/operations`);
        const history = page.getByRole("region", { name: "Size over time" });
        await history.getByRole("img", { name: /^From .* to .* [kM]B$/ }).waitFor();
        await opened.picture("operations-history");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);
        await history.getByRole("button", { name: "All together" }).click();
        await page.getByRole("menuitemradio", { name: "Profiles of datasets" }).click();
        await history.getByRole("button", { name: "Profiles of datasets" }).waitFor();
        await history.getByText("Table").click();
        const rows = history.getByRole("table").getByRole("row");
        await rows.nth(2).waitFor();
        assert.ok((await rows.count()) >= 3, "a truncation leaves two points");
        const shown = new URL(page.url()).searchParams;
        assert.equal(shown.get("history"), "table");
        assert.match(shown.get("index"), /datasetprofile/);
      },
      { as },
    ));

  it("rebuilds search for what is chosen, after it is confirmed, by keyboard, says how much was done, and cancels a task that goes on", () =>
    pages.visit(
      "/operations?tab=rebuild",
      async (page, opened) => {
        const start = page.getByRole("main").getByRole("button", { name: "Rebuild search" });
        await tabTo(page, page.getByRole("radio", { name: "Everything" }), 120);
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        await page.getByLabel(/^URN of an asset/).fill("fct_orders");
        await page.getByText("A URN begins with urn:li:").first().waitFor();
        assert.equal(await start.getAttribute("aria-disabled"), "true");
        await page.getByLabel(/^URN of an asset/).fill("urn:li:tag:%");
        await page.getByLabel("Aspect, if only one").fill("tagProperties");
        await tabTo(page, start, 120);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "Rebuild search for urn:li:tag:%?" });
        await dialog.waitFor();
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);
        await tabTo(page, dialog.getByRole("button", { name: "Rebuild search" }));
        await answered(page, () => page.keyboard.press("Enter"), "POST /api/gms/operations?action=restoreIndices");
        await page.getByText("Search was rebuilt").waitFor();
        await page.reload();
        await page.getByRole("row", { name: /Rebuild search.*done.*\d+ aspects derived again/ }).waitFor();
        await opened.picture("operations-rebuilt");

        // Tasks on the sample company end before a test can click, so the stub reports one of them as still
        // running.
        let goesOn = true;
        await page.route(/\/openapi\/operations\/tasks\?/u, async (route) => {
          const response = await route.fetch();
          const { tasks, ...rest } = await response.json();
          await route.fulfill({ response, json: { ...rest, tasks: tasks.map((task) => (goesOn ? { ...task, state: "running", ended: undefined } : task)) } });
        });
        await page.goto(`${stack.proxy}/operations?tab=tasks`);
        const cancel = page.getByRole("button", { name: "Cancel Rebuild search" }).first();
        const response = await answered(page, () => cancel.click(), "POST /openapi/operations/tasks/*/cancel");
        assert.equal(response.status(), 200);
        goesOn = false;
        await page.getByText("The task ends soon").waitFor();
        await cancel.waitFor({ state: "detached" });
      },
      { as },
    ));

  it("says how a backup is made while there is none, and lists one with its size and its file", () =>
    pages.visit(
      "/operations?tab=backups",
      async (page, opened) => {
        await page.getByText("No backup yet").waitFor();
        const file = await stack.backup();
        await page.reload();
        const row = page.getByRole("table", { name: "Backups" }).getByRole("row").nth(1);
        await row.getByText("succeeded").waitFor();
        assert.match(await row.innerText(), /[kM]B[\s\S]*with keys/);
        await row.getByText(file).waitFor();
        await opened.picture("operations-backups");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);
      },
      { as },
    ));
});
