// The properties of an asset: each kind is edited in place.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
const path = `/dataset/${encodeURIComponent(orders)}/Properties`;

describe("properties", unlessMissing("properties"), () => {
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

  // Returns the values of a property from GraphQL.
  const stored = async (id) => {
    const { dataset } = await stack.graphql(
      "query($u: String!) { dataset(urn: $u) { structuredProperties { properties { structuredProperty { urn } values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } } } }",
      { u: orders },
    );
    const found = dataset.structuredProperties.properties.find(({ structuredProperty }) => structuredProperty.urn === `urn:li:structuredProperty:${id}`);
    return found?.values.map((value) => value.stringValue ?? value.numberValue);
  };
  const custom = async () => Object.fromEntries((await stack.graphql("query($u: String!) { dataset(urn: $u) { properties { customProperties { key value } } } }", { u: orders })).dataset.properties.customProperties.map(({ key, value }) => [key, value]));
  const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name: new RegExp(`^${name}\\b`, "u") }) });

  it("edits a choice, a date, texts and an asset, takes one off, changes custom properties, keeps what is refused, finds and exports", () =>
    pages.visit(
      path,
      async (page, opened) => {
        await row(page, "Approver").getByRole("link", { name: "Analytics" }).waitFor();
        await page.getByRole("table", { name: "Custom properties" }).getByText("region_of_reader").waitFor();
        fewRequests(opened);
        await page.getByRole("button", { name: "Edit Data class" }).click();
        await page.getByRole("radio", { name: /secret/ }).check();
        await opened.picture("properties-choice");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await row(page, "Data class").getByText("Named people only").waitFor();

        await page.getByRole("button", { name: "Edit Next review" }).click();
        await page.getByLabel("Next review", { exact: true }).fill("2027-02-28");
        await page.keyboard.press("Enter");
        await row(page, "Next review").getByText("2027-02-28").waitFor();

        await page.getByRole("button", { name: "Set Where to ask" }).click();
        await page.getByLabel("Where to ask, value 1").fill("#orders");
        await page.getByRole("button", { name: "Another value" }).click();
        await page.getByLabel("Where to ask, value 2").fill("orders@fernhill.example.org");
        await page.keyboard.press("Enter");
        await row(page, "Where to ask").getByText("#orders").waitFor();

        await page.getByRole("button", { name: "Edit Approver" }).click();
        const field = page.getByRole("combobox", { name: "Approver" });
        await field.fill("Juniper");
        await page.getByRole("option", { name: /Juniper/ }).click();
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await row(page, "Approver").getByRole("link", { name: /juniper/i }).waitFor();

        await page.getByRole("button", { name: "Edit Cluster key" }).click();
        await page.getByRole("button", { name: "Take it off" }).click();
        await row(page, "Cluster key").getByText("Not set").waitFor();
        await page.getByRole("button", { name: "Set Cluster key" }).waitFor(); // the change is stored

        await page.reload();
        await row(page, "Where to ask").getByText("#orders").waitFor();
        assert.deepEqual(await stored("fernhill.data_class"), ["secret"]);
        assert.deepEqual(await stored("fernhill.review_date"), ["2027-02-28"]);
        assert.deepEqual(await stored("fernhill.ask_in"), ["#orders", "orders@fernhill.example.org"]);
        assert.deepEqual(await stored("fernhill.approver"), ["urn:li:corpuser:juniper.seedtray"]);
        assert.equal(await stored("fernhill.cluster_key"), undefined);

        await page.getByRole("button", { name: "New custom property" }).click();
        await page.getByLabel("Name", { exact: true }).fill("dbt_model");
        await page.keyboard.press("Enter");
        await page.getByText("dbt_model is there already.").waitFor();
        await page.getByLabel("Name", { exact: true }).fill("cost/center~1");
        await page.getByLabel("Value", { exact: true }).fill("4711");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Edit value of cost/center~1: 4711" }).click();
        await page.getByRole("textbox", { name: "value of cost/center~1" }).fill("4712");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Edit value of cost/center~1: 4712" }).waitFor();
        assert.equal((await custom())["cost/center~1"], "4712");
        await answered(page, () => page.getByRole("button", { name: "Delete time_travel_days" }).click());
        await page.getByRole("button", { name: "Delete time_travel_days" }).waitFor({ state: "detached" });
        await page.reload();
        await page.getByRole("button", { name: "Edit value of cost/center~1: 4712" }).waitFor();
        assert.equal((await custom()).time_travel_days, undefined);

        await page.getByLabel("Find a property").fill("retention");
        await row(page, "Data class").waitFor({ state: "detached" });
        assert.match(page.url(), /find=retention/);
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        assert.match(await readFile(await download.path(), "utf8"), /Retention \(days\),3650,Number,urn:li:corpuser:fernhill-ingestion,/);
      },
      { as },
    ));

  it("keeps what is written into a custom property that is still being saved", () =>
    pages.visit(
      path,
      async (page) => {
        let release;
        const released = new Promise((resolve) => (release = resolve));
        await page.route("**/openapi/v3/entity/**", async (route) => {
          await (route.request().method() === "PATCH" ? released : undefined);
          await route.continue();
        });
        await page.getByRole("button", { name: "New custom property" }).click();
        await page.getByLabel("Name", { exact: true }).fill("slow");
        await page.getByLabel("Value", { exact: true }).fill("1");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Edit value of slow: 1" }).click();
        await page.getByRole("textbox", { name: "value of slow" }).fill("2");
        await page.keyboard.press("Enter");
        await page.getByRole("row", { name: "slow" }).locator('[aria-busy="true"]').waitFor();
        release();
        await page.getByRole("button", { name: "Edit value of slow: 2" }).waitFor();
        assert.equal((await custom()).slow, "2");
      },
      { as },
    ));

  it("says why a value is none, by keyboard alone on a narrow page", () =>
    pages.visit(
      path,
      async (page) => {
        const edit = page.getByRole("button", { name: "Edit Regions" });
        await edit.waitFor();
        await tabTo(page, edit, 90);
        await page.keyboard.press("Enter");
        const north = page.getByRole("checkbox", { name: /north/ });
        await north.waitFor();
        await page.keyboard.press("Space");
        assert.equal(await north.isChecked(), false);
        // Another user makes the values immutable meanwhile, so the service refuses the change.
        const fix = (immutable) => stack.graphql("mutation($i: UpdateStructuredPropertyInput!) { updateStructuredProperty(input: $i) { urn } }", { i: { urn: "urn:li:structuredProperty:fernhill.regions", immutable } });
        await fix(true);
        await tabTo(page, page.getByRole("button", { name: "Save", exact: true }));
        await page.keyboard.press("Enter");
        await page.getByRole("main").getByRole("alert").filter({ hasText: "immutable" }).waitFor();
        assert.equal(await north.isChecked(), false);
        await fix(false);
        await page.keyboard.press("Enter");
        await edit.waitFor();
        assert.deepEqual(await stored("fernhill.regions"), ["south", "islands"]);
      },
      { as, size: sizes[2] },
    ));
});
