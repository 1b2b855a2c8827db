// Current failures of all owners: from the home page to the list, and to the check on its asset.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, tabTo, unlessMissing } from "./visit.mjs";

describe("what fails now", unlessMissing("what fails now"), () => {
  let stack, pages, newcomer;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    newcomer = await stack.person("New Comer", "Reader");
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("is told at the start to who owns nothing, leads by two steps to the check, is kept to what could not be run, exported, and changes when checks pass again", async () => {
    const { searchAcrossEntities } = await stack.graphql(
      '{ searchAcrossEntities(input: {types: [ASSERTION], query: "*", count: 50, orFilters: [{and: [{field: "assertionStatus", values: ["FAILING", "ERROR"]}]}]}) { searchResults { entity { urn } } } }',
    );
    const notPassing = searchAcrossEntities.searchResults.map(({ entity }) => entity.urn);
    await pages.visit(
      "/",
      async (page) => {
        await page.getByText("2 checks fail and 1 could not be run, on 3 assets; 3 incidents are open.").waitFor();
        await tabTo(page, page.getByRole("link", { name: "Show what fails" }));
        await page.keyboard.press("Enter");
        const checks = page.getByRole("table", { name: "Checks that do not pass" });
        await checks.waitFor();
        const rows = await checks.locator("tbody tr").allInnerTexts();
        // Failed checks come first, the most recent failure at the top.
        assert.match(rows[0], /A share lies between 0 and 1[\s\S]*mart_plant_survival[\s\S]*3 unexpected/i);
        assert.match(rows[1], /Reviews stay kind[\s\S]*dim_products[\s\S]*24 unexpected/i);
        assert.match(rows[2], /carts and orders agree[\s\S]*did not answer within 30 seconds/);
        const incidents = page.getByRole("table", { name: "Open incidents" });
        assert.equal(await incidents.locator("tbody tr").count(), 3);
        await checks.getByRole("link", { name: "Reviews stay kind." }).click();
        await page.waitForURL(/\/dataset\/.*Quality\?check=/);
        await page.getByRole("button", { name: /Reviews stay kind.*fails/, expanded: true }).waitFor();
        await page.goBack();
        await incidents.getByRole("link", { name: "Greenhouse 4 sends nothing" }).click();
        await page.getByRole("button", { name: "Greenhouse 4 sends nothing", expanded: true }).waitFor();
        await page.goBack();

        await page.getByRole("radio", { name: /Could not be run/ }).check({ force: true });
        await page.waitForURL(/show=error/);
        await checks.locator("tbody tr").nth(1).waitFor({ state: "detached" });
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).first().click()]);
        const [head, row, ...rest] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
        assert.match(head, /check,state,asset/);
        assert.match(row, /Could not be run,orders,Postgre/);
        assert.deepEqual(rest, []);

        // The list updates when a failing check passes again.
        await Promise.all(notPassing.map((urn) => stack.graphql("mutation($u: String!, $r: AssertionResultInput!) { reportAssertionResult(urn: $u, result: $r) }", { u: urn, r: { type: "SUCCESS", timestampMillis: Date.now() } })));
        await page.goto(`${stack.proxy}/failing`);
        await page.getByText("3 incidents are open").waitFor();
        assert.equal(await checks.count(), 0);
        await page.getByText("24 checks pass.").waitFor();
      },
      { as: newcomer },
    );
  });

  it("narrows a search to assets with an open incident", () =>
    pages.visit(
      "/search?query=*",
      async (page) => {
        await page.getByRole("group", { name: "Health" }).getByRole("checkbox", { name: /Open incident/ }).check();
        await page.waitForURL(/filter_hasActiveIncidents___false___EQUAL___0=true/);
        await page.getByText("Health is").waitFor();
        const results = page.getByRole("list", { name: "Results" });
        await results.getByRole("link", { name: /readings/ }).first().waitFor();
        assert.equal(await results.getByRole("link", { name: /fct_orders/i }).count(), 0);
      },
      { as: newcomer },
    ));
});
