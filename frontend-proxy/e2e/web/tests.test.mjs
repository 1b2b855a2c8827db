// Metadata tests: the list, the editor as form and as text, and runs for one asset and for all.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, go, Pages, shown, sizes, tabTo, unlessMissing } from "./visit.mjs";

const create = "mutation($input: CreateTestInput!) { createTest(input: $input) }";
const read = "query($urn: String!) { test(urn: $urn) { definition { json } } }";
const results = "query($urn: String!) { dataset(urn: $urn) { testResults { failing { test { urn } } passing { test { urn } } } } }";
const definition = (page) => page.getByLabel("Definition, JSON or YAML");
const heading = (page, name) => page.getByRole("heading", { level: 1, name });

describe("metadata tests", unlessMissing("metadata tests"), () => {
  let stack, pages, as, owned, nested;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.demo();
    const make = async (name, json) => (await stack.graphql(create, { input: { name, category: "Ownership", definition: { json } } })).createTest;
    owned = await make("Has an owner <b>", "# kept\non: {types: [dataset]}\nrules: {property: owners, operator: exists}\n");
    nested = await make("Goes beyond rows", '{"on": {"types": ["dataset"]}, "rules": {"not": {"property": "tags", "operator": "exists"}}}');
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const address = (urn) => `/tests/${encodeURIComponent(urn)}`;

  it("makes a test by the form, which offers properties in words, with the text in step, and deletes it", () =>
    pages.visit(
      "/tests",
      async (page, opened) => {
        await page.getByRole("link", { name: "Marts are checked" }).first().waitFor();
        fewRequests(opened);
        await page.getByRole("link", { name: "New test" }).click();
        await page.getByRole("button", { name: "Create test" }).click();
        await page.getByText("A name says what the test holds assets to.").waitFor();
        await page.getByLabel("Name", { exact: true }).fill("Described");
        // Suggestions describe properties in words and include structured properties; any typed property is
        // accepted.
        const field = page.getByRole("combobox", { name: "Rule 1, property" });
        await field.fill("percentile");
        await page.getByRole("option", { name: /queries in 30 days, as a percentile/ }).waitFor();
        await field.fill("retention");
        await page.getByRole("option", { name: /structuredProperties\.urn:li:structuredProperty:\S*retention/ }).waitFor();
        await page.getByText(/no search field of dataset/).first().waitFor();
        await opened.picture("test-property");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        assert.match(await field.inputValue(), /^structuredProperties\.urn:li:structuredProperty:.*retention/);
        await field.fill("dashboardInfo.title");
        await page.keyboard.press("Tab");
        assert.equal(await field.inputValue(), "dashboardInfo.title");
        await field.fill("hasDescription");
        await page.getByLabel("Rule 1, operator").selectOption("is_true");
        await page.getByText(/of \d+ pass/).waitFor();
        await page.getByRole("radio", { name: "Text" }).check({ force: true });
        assert.deepEqual(JSON.parse(await definition(page).inputValue()).rules, { property: "hasDescription", operator: "is_true" });
        await definition(page).fill('{"on": {"types": ["dataset"]}, "rules": {"or": [{"property": "hasDescription", "operator": "is_true"}, {"property": "name", "operator": "contains", "values": ["x"]}]}}');
        await page.getByLabel("Rule 2, operator").waitFor();
        assert.equal(await page.getByLabel("How the rules are joined").inputValue(), "or");
        await page.getByRole("button", { name: "Remove rule 2" }).click();
        assert.deepEqual(JSON.parse(await definition(page).inputValue()).rules, { property: "hasDescription", operator: "is_true" });
        await page.getByRole("button", { name: "Create test" }).click();
        await page.getByText("Described was created").waitFor();
        await page.getByRole("button", { name: "Save" }).waitFor();
        await page.reload();
        await heading(page, "Described").waitFor();
        assert.match(decodeURIComponent(new URL(page.url()).pathname), /^\/tests\/urn:li:test:/);
        await page.getByRole("button", { name: "Delete test" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete test" }).click();
        await page.getByText("Described was deleted").waitFor();
        await heading(page, "Tests").waitFor();
      },
      { as },
    ));

  it("changes YAML and keeps its comments, by keyboard alone, on a narrow page", () =>
    pages.visit(
      `${address(owned)}?view=text`,
      async (page) => {
        await page.getByRole("combobox", { name: "Rule 1, property" }).waitFor();
        await tabTo(page, page.getByLabel("Besides each day, every"));
        await page.keyboard.type("6h");
        await page.waitForFunction(() => document.querySelector("textarea").value.includes("every: 6h"));
        assert.match(await definition(page).inputValue(), /^# kept/);
        await page.evaluate(() => document.activeElement.blur());
        await tabTo(page, page.getByRole("button", { name: "Save" }));
        await page.keyboard.press("Enter");
        await page.getByText("was saved").waitFor();
        const { test } = await stack.graphql(read, { urn: owned });
        assert.match(test.definition.json, /^# kept[\s\S]*every: 6h/);
      },
      { as, size: sizes[2] },
    ));

  it("says what the form cannot show and what is wrong with a text, and takes typing in a definition of almost a megabyte", async () => {
    const values = Array.from({ length: 9_000 }, (_, i) => `${i} ${"x".repeat(95)}`);
    const json = JSON.stringify({ on: { types: ["dataset"] }, rules: { property: "name", operator: "equals", values } }, null, 1);
    const { createTest: large } = await stack.graphql(create, { input: { name: "Large", category: "Size", definition: { json } } });
    await pages.visit(
      address(nested),
      async (page, opened) => {
        await page.getByText("These conditions go beyond rows").waitFor();
        await page.getByRole("button", { name: "Edit the text" }).click();
        await definition(page).fill("on: [");
        await page.getByText("The form cannot show this definition.").waitFor();
        await page.getByText(/not YAML/).waitFor();
        assert.deepEqual(await opened.accessibilityWithin("main"), []);
        await definition(page).fill("{}");
        await page.getByRole("group", { name: "Rule 1" }).waitFor({ state: "detached" });

        await page.goto(`${stack.proxy}${address(large)}?view=text`);
        await page.getByText("It is too long for the form.").waitFor();
        await definition(page).focus();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("   ");
        assert.ok((await definition(page).inputValue()).startsWith("   {"));
        assert.ok(json.length > 900_000);
      },
      { as },
    );
    await stack.graphql("mutation($urn: String!) { deleteTest(urn: $urn) }", { urn: large });
  });

  it("runs on one asset without keeping, and keeps when asked to", () =>
    pages.visit(
      address(owned),
      async (page, opened) => {
        await page.getByRole("button", { name: "Run on one asset" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Asset", { exact: true }).fill("fct_orders");
        const first = dialog.getByRole("list", { name: "Assets found" }).getByRole("button").filter({ hasText: "dataset" }).first();
        const urn = await first.getAttribute("title");
        await first.click();
        await dialog.getByRole("button", { name: /^All \d+$/ }).click();
        await dialog.getByRole("button", { name: "Run", exact: true }).click();
        await dialog.getByText("Nothing was kept.").waitFor();
        await opened.picture("test-run-one");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);
        assert.ok(urn.startsWith("urn:li:dataset:"));
        await dialog.getByRole("switch", { name: "Keep results" }).check({ force: true });
        await dialog.getByRole("button", { name: "Run", exact: true }).click();
        await dialog.getByText("The results were kept.").waitFor();
        const { dataset } = await stack.graphql(results, { urn });
        const kept = [...dataset.testResults.passing, ...dataset.testResults.failing].map(({ test }) => test.urn);
        assert.ok([owned, nested].every((each) => kept.includes(each)), kept.join(" "));
        await dialog.getByLabel("Asset", { exact: true }).fill("urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)");
        await dialog.getByRole("button", { name: "Run", exact: true }).click();
        await dialog.getByText("does not exist").waitFor();
      },
      { as, expected: [/status of 404/] },
    ));

  it("tells why assets fail, with the values found, of all assets and of one, and leads to a search for them", async () => {
    const json = JSON.stringify({
      on: { types: ["dataset"] },
      rules: [
        { property: "platform", operator: "equals", values: ["urn:li:dataPlatform:nosuch"] },
        { or: [{ property: "urn", operator: "exists" }, { property: "name", operator: "equals", values: ["nosuch"] }] },
        { of: "columns", match: "all", rules: { property: "path", operator: "equals", values: ["nosuch"] } },
      ],
    });
    const { createTest: urn } = await stack.graphql(create, { input: { name: "Fails", category: "Values", definition: { json } } });
    await pages.visit(
      address(urn),
      async (page, opened) => {
        const preview = page.getByRole("region", { name: "Preview" });
        await preview.getByRole("list", { name: "Reasons" }).getByText("platform is not urn:li:dataPlatform:nosuch").waitFor();
        await preview.getByText("Some fail more than one rule.").waitFor();
        await preview.getByText(/Platform is not urn:li:dataPlatform:nosuch, found “urn:li:dataPlatform:\w+”/).first().waitFor();
        await preview.getByText(/Too few of columns: path equals nosuch, (\d+) of \1 do not: \w+/).first().waitFor();
        await opened.picture("test-reasons");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);
        await page.getByRole("button", { name: "Run on one asset" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Asset", { exact: true }).fill("fct_orders");
        await dialog.getByRole("list", { name: "Assets found" }).getByRole("button").filter({ hasText: "dataset" }).first().click();
        await dialog.getByRole("button", { name: "Run", exact: true }).click();
        const rules = dialog.getByRole("list", { name: "Rules of Fails" }).getByRole("listitem");
        await rules.nth(3).waitFor();
        const told = await rules.evaluateAll((items) => items.map((item) => `${item.querySelector("svg").getAttribute("aria-label")}: ${item.textContent}`));
        assert.match(told[0], /^not met: Platform is urn:li:dataPlatform:nosuch“urn:li:dataPlatform:\w+”$/);
        assert.match(told[1], /^met: URN exists, one of several“urn:li:dataset:/);
        assert.match(told[2], /^not met, and need not be: Name is nosuch, one of several“/);
        assert.match(told[3], /^not met: All of columns: path equals nosuch\d+ of \d+ do not: /);
        await opened.picture("test-rules-of-one");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);

        // The failing assets are also available as a search.
        await go(page, address("urn:li:test:fernhill-checked"));
        await page.getByRole("region", { name: "Preview" }).getByRole("link", { name: "Open as search" }).click();
        await page.waitForURL(/failingTests/);
        await page.getByRole("main").getByText(/7 (assets|results)/).first().waitFor();
        await page.getByText("Failing test is").waitFor();
      },
      { as },
    );
    await stack.graphql("mutation($urn: String!) { deleteTest(urn: $urn) }", { urn });
  });

  it("runs a test on all assets, tells what it found, and cancels a run that goes on", () =>
    pages.visit(
      `${address(nested)}?view=runs`,
      async (page, opened) => {
        await page.getByRole("button", { name: "Run on all assets" }).click();
        await page.getByRole("complementary").getByText("done", { exact: true }).waitFor();
        await page.getByText("asked for by datahub").first().waitFor();
        await opened.picture("test-runs");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);

        // Runs on the sample company end before a test can click, so the stub reports this one as still
        // running.
        let goesOn = true;
        await page.route("**/api/graphql", async (route) => {
          if (!/query Run\b/u.test(route.request().postDataJSON().query)) {
            return route.continue();
          }
          const response = await route.fetch();
          const { data } = await response.json();
          return route.fulfill({ response, json: { data: goesOn ? { testRun: { ...data.testRun, state: "RUNNING", ended: null } } : data } });
        });
        await page.getByRole("button", { name: "Run on all assets" }).click();
        const cancel = page.getByRole("button", { name: "Cancel run" });
        const response = await answered(page, () => cancel.click(), "CancelRun");
        const { data } = await response.json();
        assert.match(data.cancelTestRun.id, /./u);
        goesOn = false;
        await page.getByText("The run ends soon").waitFor();
        await cancel.waitFor({ state: "detached" });
      },
      { as },
    ));
});

describe("the starter pack of metadata tests", unlessMissing("the starter pack of metadata tests"), () => {
  let stack, pages, as, plain;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Test Viewer");
    await stack.graphql("mutation($input: PolicyUpdateInput!) { createPolicy(input: $input) }", {
      input: { type: "PLATFORM", name: "sees tests", state: "ACTIVE", description: "", privileges: ["VIEW_TESTS"], actors: { users: [plain.urn], groups: [], resourceOwners: false, allUsers: false, allGroups: false } },
    });
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const dialog = (page) => page.getByRole("dialog", { name: "Starter pack" });

  it("is offered where there is no test, shown first, and added once, by keyboard alone; later it is in the menu, and adds what was deleted since", async () => {
    await pages.visit(
      "/tests",
      async (page, opened) => {
        await page.getByText("No test yet").waitFor();
        await opened.picture("tests-none");
        await tabTo(page, page.getByRole("button", { name: "Add the starter pack" }));
        await page.keyboard.press("Enter");
        const pack = dialog(page).getByRole("list", { name: "Tests of the starter pack" }).getByRole("listitem");
        await pack.nth(7).waitFor();
        assert.match((await pack.allTextContents()).join(" "), /Has an ownerto be added.*Lineage is intactto be added/);
        await opened.picture("tests-starter");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), []);
        await tabTo(page, dialog(page).getByRole("button", { name: "Add 8 tests" }));
        await page.keyboard.press("Enter");
        await page.getByText("8 tests were added").waitFor();
        await page.getByRole("link", { name: /Lineage is intact/ }).waitFor();

        await stack.graphql('mutation { deleteTest(urn: "urn:li:test:starter-owned") }');
        await stack.graphql('mutation { updateTest(urn: "urn:li:test:starter-fresh", input: {name: "Ours", category: "x", definition: {json: "{}"}}) }');
        await page.reload();
        const open = async () => {
          await page.getByRole("button", { name: "More about tests" }).click();
          await page.getByRole("menuitem", { name: "Add the starter pack" }).click();
        };
        await open();
        await dialog(page).getByText("is there, changed").waitFor();
        await dialog(page).getByRole("button", { name: "Add 1 test" }).click();
        await page.getByText("1 test was added, 7 were there").waitFor();
        await dialog(page).waitFor({ state: "detached" });
        await open();
        await dialog(page).getByText("is there", { exact: true }).first().waitFor();
        assert.equal(await dialog(page).getByRole("button", { name: "Add tests" }).getAttribute("aria-disabled"), "true");
      },
      { as },
    );
    const { test } = await stack.graphql('{ test(urn: "urn:li:test:starter-fresh") { name } }');
    assert.equal(test.name, "Ours");

    // A user with view privileges only sees the missing privilege.
    await pages.visit(
      "/tests",
      async (page) => {
        await page.getByRole("button", { name: "More about tests" }).click();
        await page.getByRole("menuitem", { name: "Add the starter pack" }).getByText("You need the privilege Manage Tests.").waitFor();
      },
      { as: plain },
    );
  });
});
