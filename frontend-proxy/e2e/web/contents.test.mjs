// The pages of entities that contain or own assets: users and groups, containers, pipelines and charts of the
// sample company.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, Pages, tabTo, unlessMissing } from "./visit.mjs";

const pathOf = (path, urn, tab = "") => `/${path}/${encodeURIComponent(urn)}${tab && `/${tab}`}`;
const person = "urn:li:corpuser:thistle.rake";
const group = "urn:li:corpGroup:analytics";
const chart = "urn:li:chart:(looker,dashboard_elements.101)";
const churn = "urn:li:dataFlow:(airflow,churn_model,prod)";
const explore = "urn:li:dataset:(urn:li:dataPlatform:looker,fernhill.explore.orders,PROD)";
const rows = (page, name = "Contents") => page.getByRole("table", { name }).getByRole("row");

describe("what holds or owns assets", unlessMissing("what holds or owns assets"), () => {
  let stack, pages, as, plain;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader");
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("says who a person is, how to reach them, and narrows what they own", () =>
    pages.visit(
      pathOf("user", person),
      async (page) => {
        await page.getByText("Analytics Engineer, Data", { exact: true }).waitFor();
        const about = page.getByRole("complementary", { name: "About this person" });
        assert.equal(await about.getByRole("link", { name: "thistle.rake@fernhill.example.org" }).getAttribute("href"), "mailto:thistle.rake@fernhill.example.org");
        await about.getByRole("link", { name: "Olive Ledger" }).waitFor();
        await about.getByRole("link", { name: /^Analytics/ }).waitFor();
        const { searchAcrossEntities } = await stack.graphql("query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total } }", { i: { query: "*", start: 0, count: 0, orFilters: [{ and: [{ field: "owners", values: [person] }] }] } });
        assert.ok(searchAcrossEntities.total > 25, "more than a page");
        await page.getByRole("link", { name: `Owns ${searchAcrossEntities.total}`, exact: true }).waitFor();
        await page.getByRole("status").filter({ hasText: `${searchAcrossEntities.total} assets` }).waitFor();
        await page.getByRole("searchbox", { name: "Find an asset" }).fill("dim_customers");
        await rows(page).filter({ hasText: "dbt build" }).waitFor({ state: "detached" });
        await rows(page).filter({ hasText: /dim_customers.*Model.*\d checks? pass/ }).waitFor();
        assert.match(page.url(), /find=dim_customers/);
      },
      { as },
    ));

  it("leads from one's own page to the profile, and says to whom may not change a group what they need", async () => {
    await pages.visit(
      pathOf("user", plain.urn),
      async (page) => {
        await page.getByText("Owns no asset yet").waitFor();
        await page.getByRole("button", { name: "Edit description" }).hover();
        await page.getByText("People write this themselves, in their profile.").waitFor();
        await page.getByRole("complementary").getByRole("link", { name: "Your profile" }).click();
        await page.waitForURL("**/settings/profile");
      },
      { as: plain },
    );
    await pages.visit(
      pathOf("group", group, "Members"),
      async (page) => {
        await rows(page, "Members of Analytics").filter({ hasText: "Poppy Chart" }).waitFor();
        await page.getByRole("button", { name: "Add people" }).hover();
        await page.getByText(/It needs the privilege Manage Users & Groups/).waitFor();
      },
      { as: plain },
    );
  });

  it("takes people into a group and out of it on its page, also for whom a policy lets change that one", async () => {
    await pages.visit(
      pathOf("group", group),
      async (page, opened) => {
        await page.getByRole("link", { name: "3 members", exact: true }).click();
        const members = rows(page, "Members of Analytics");
        await members.filter({ hasText: "Poppy Chart" }).waitFor();
        await page.getByRole("button", { name: "Add people" }).click();
        await page.getByRole("searchbox").or(page.getByRole("dialog").getByRole("textbox")).first().fill("Juniper");
        await page.getByRole("checkbox", { name: /Juniper/ }).click();
        await answered(page, () => page.getByRole("button", { name: "Add to group" }).click());
        await members.filter({ hasText: "Juniper" }).waitFor();
        await page.getByRole("link", { name: "4 members", exact: true }).waitFor();
        await page.reload();
        await members.filter({ hasText: "Juniper" }).getByRole("button", { name: /^Take out/ }).click();
        await answered(page, () => page.getByRole("dialog").getByRole("button", { name: "Take out" }).click());
        await members.filter({ hasText: "Juniper" }).waitFor({ state: "detached" });
        await page.getByRole("link", { name: "Members 3", exact: true }).waitFor();
        await opened.picture("group-members");
      },
      { as },
    );
    const keeper = await stack.person("Group Keeper");
    const input = { name: "Keepers of groups", type: "METADATA", state: "ACTIVE", description: "", privileges: ["EDIT_GROUP_MEMBERS"], resources: { filter: { criteria: [{ field: "URN", values: [group], condition: "EQUALS" }] } }, actors: { users: [keeper.urn], resourceOwners: false, allUsers: false, allGroups: false } };
    await stack.graphql("mutation($i: PolicyUpdateInput!) { createPolicy(input: $i) }", { i: input });
    await pages.visit(
      pathOf("group", group, "Members"),
      async (page) => {
        const members = rows(page, "Members of Analytics");
        await members.filter({ hasText: "Poppy Chart" }).waitFor();
        await answered(page, async () => {
          await members.filter({ hasText: "Poppy Chart" }).getByRole("button", { name: /^Take out/ }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click();
        });
        await members.filter({ hasText: "Poppy Chart" }).waitFor({ state: "detached" });
        await stack.graphql("mutation($i: AddGroupMembersInput!) { addGroupMembers(input: $i) }", { i: { groupUrn: group, userUrns: ["urn:li:corpuser:poppy.chart"] } });
      },
      { as: keeper },
    );
  });

  // exported returns the lines of the exported file, without the header.
  const exported = async (page) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).first().click()]);
    return (await readFile(await download.path(), "utf8")).trim().split("\r\n").slice(1);
  };

  it("tells how each task of a pipeline ran last, and exports that, sub-domains, results of tests on an asset, and runs of tests", async () => {
    await pages.visit(
      pathOf("pipelines", churn),
      async (page) => {
        await rows(page).filter({ hasText: /publish.*Skipped/ }).waitFor();
        await rows(page).filter({ hasText: /build_features.*Succeeded/ }).waitFor();
        const lines = await exported(page);
        assert.equal(lines.length, 4);
        assert.ok(lines.some((line) => /^publish,Task,.*,Skipped,.*,"?urn:li:dataJob:/.test(line)), lines.join("\n"));
      },
      { as },
    );
    await pages.visit(
      pathOf("domain", "urn:li:domain:commerce", "Subdomains"),
      async (page) => {
        await page.getByRole("link", { name: /^Customers/ }).waitFor();
        assert.match((await exported(page)).join("\n"), /^Customers,Commerce,.*,urn:li:domain:/m);
        await page.goto(stack.proxy + pathOf("dataset", "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)", "Governance"));
        await page.getByRole("button", { name: "Check now" }).click();
        await page.getByText("As it is now; nothing was kept.").waitFor();
        assert.match((await exported(page)).join("\n"), /^Marts are checked,passes,,urn:li:test:/m);
        await page.goto(`${stack.proxy}/tests`);
        await answered(page, () => page.getByRole("button", { name: "Run all tests" }).click());
        await page.getByRole("table", { name: "Runs" }).getByText("All tests").first().waitFor();
        assert.match((await exported(page))[0], /^All tests,/);
      },
      { as },
    );
  });

  it("names what is in a container as its page does, by keyboard alone on a narrow page", () =>
    pages.visit(
      "/",
      async (page) => {
        const { dataset } = await stack.graphql("query($u: String!) { dataset(urn: $u) { container { urn } } }", { u: "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)" });
        await page.goto(stack.proxy + pathOf("container", dataset.container.urn));
        const orders = page.getByRole("link", { name: /^FCT_ORDERS/ });
        await orders.waitFor();
        await tabTo(page, orders, 80);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "FCT_ORDERS" }).waitFor();
      },
      { as, size: { width: 400, height: 800 } },
    ));

  it("leads from a field of a chart to the column, to its lineage, and to the source that is not well", async () => {
    await pages.visit(
      pathOf("chart", chart),
      async (page) => {
        const field = rows(page, "Fields").filter({ hasText: /placed_on.*date.*Day of the order/ });
        await field.getByTitle("Open the column").click();
        await page.waitForURL(`**/dataset/${encodeURIComponent(explore)}/Schema?column=fct_orders.placed_on`);
        await page.getByRole("region", { name: "Column fct_orders.placed_on" }).waitFor();
        await page.goBack();
        await field.getByTitle("Show the field in the lineage").click();
        await page.getByText("Column fct_orders.placed_on", { exact: true }).first().waitFor();
      },
      { as },
    );
    await stack.graphql("mutation($i: RaiseIncidentInput!) { raiseIncident(input: $i) }", { i: { type: "OPERATIONAL", title: "Orders are late", description: "", resourceUrn: explore } });
    await pages.visit(
      pathOf("chart", chart),
      async (page) => {
        await page.getByText("1 of 1 source is not well: the chart may be wrong now").waitFor();
        await page.getByText("orders: 1 open incident").waitFor();
      },
      { as },
    );
  });
});
