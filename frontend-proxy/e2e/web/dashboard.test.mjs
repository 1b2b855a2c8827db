// The page of a dashboard of the sample company: its charts, their inputs, and its health.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, unlessMissing } from "./visit.mjs";

const revenue = `/dashboard/${encodeURIComponent("urn:li:dashboard:(looker,dashboards.revenue)")}`;
const explore = "urn:li:dataset:(urn:li:dataPlatform:looker,fernhill.explore.revenue,PROD)";
const charts = (page) => page.getByRole("table", { name: "Charts" }).getByRole("row");

describe("a dashboard", unlessMissing("a dashboard"), () => {
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

  it("shows its charts with what they read, and how often it is looked at", () =>
    pages.visit(
      revenue,
      async (page) => {
        await page.getByRole("link", { name: "Open in Looker" }).waitFor();
        assert.equal(await page.getByRole("link", { name: "Open in Looker" }).getAttribute("href"), "https://looker.fernhill.example.org/dashboards/revenue");
        await charts(page).filter({ hasText: /Net revenue per day.*Areas.*rev_daily\.net_revenue_eur.*revenue.*[1-9][\d,]*$/ }).waitFor();
        await page.getByRole("img", { name: /^Views by day: most on/ }).waitFor();
        assert.equal(await page.getByText("may be wrong now").count(), 0);
        await page.getByRole("radiogroup", { name: "Which charts" }).getByText("Not described").click();
        await charts(page).filter({ hasText: "Net revenue per day" }).waitFor({ state: "detached" });
        assert.equal(await charts(page).count(), 3, "two charts under the captions");
        await page.getByRole("searchbox", { name: "Find a chart" }).fill("gross_margin_eur");
        await charts(page).filter({ hasText: "Revenue by region" }).waitFor({ state: "detached" });
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
        assert.match(lines[0], /Chart,Kind,Shows,Reads,"Views, 30 days",URN$/);
        assert.equal(lines.length, 2, "the chart that is in sight below the captions");
        assert.match(lines[1], /^Gross margin,Line,.*rev_daily.gross_margin_eur,revenue,/);
        await page.getByRole("searchbox", { name: "Find a chart" }).fill("no such chart");
        await page.getByText("No chart matches").waitFor();
      },
      { as },
    ));

  it("says which source fails, and where to read of it", async () => {
    await stack.graphql("mutation($i: RaiseIncidentInput!) { raiseIncident(input: $i) }", { i: { type: "OPERATIONAL", title: "Rates are of yesterday", description: "", resourceUrn: explore } });
    await pages.visit(
      revenue,
      async (page, opened) => {
        await page.getByText("3 of 3 charts may be wrong now").waitFor();
        await page.getByText("revenue: 1 open incident").waitFor();
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        assert.equal(await page.getByRole("img", { name: "A source fails" }).count(), 3);
        await page.getByRole("link", { name: "revenue", exact: true }).first().click();
        await page.waitForURL(`**/dataset/${encodeURIComponent(explore)}/Quality`);
      },
      { as },
    );
  });
});
