// The glossary in a browser against both binaries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const pathOf = (urn) => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}`;
const revenue = "urn:li:glossaryTerm:net-revenue";
const metrics = "urn:li:glossaryNode:fernhill.metrics";

describe("the glossary", unlessMissing("the glossary"), () => {
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

  const heading = (page, name) => page.getByRole("heading", { level: 1, name, exact: true });
  const urnOf = (page) => decodeURIComponent(new URL(page.url()).pathname.split("/")[2]);

  it("opens the one group at the top by itself, leaves it closed to who closes it, exports all and what a group holds, and shows the place of a term", () =>
    pages.visit(
      "/glossary",
      async (page, opened) => {
        await page.getByRole("link", { name: "Fernhill" }).first().waitFor();
        fewRequests(opened);
        await page.getByRole("complementary").getByRole("link", { name: "Metrics" }).waitFor();
        const exported = async () => {
          const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
          return readFile(await download.path(), "utf8");
        };
        assert.match(await exported(), /Net revenue,"Order lines minus discounts[^\n]+Fernhill \/ Metrics/);
        await page.getByRole("button", { name: "Close Fernhill" }).click();
        await page.getByRole("link", { name: "Domains", exact: true }).click();
        await heading(page, "Domains").waitFor();
        await page.getByRole("link", { name: "Glossary", exact: true }).click();
        await page.getByRole("button", { name: "Open Fernhill" }).waitFor();
        assert.equal(await page.getByRole("complementary").getByRole("link", { name: "Metrics" }).count(), 0);

        await page.goto(`${stack.proxy}${pathOf(metrics)}`);
        await page.getByRole("table", { name: "Terms and groups in Metrics" }).getByText("Conversion rate").waitFor();
        assert.match(await exported(), /\r\nConversion rate,term,[^\n]+,,urn:li:glossaryTerm:/);
        await page.goto(`${stack.proxy}${pathOf(revenue)}`);
        await heading(page, "Net revenue").waitFor();
        await page.getByRole("button", { name: "Close Metrics" }).waitFor();
        await page.locator("code").first().waitFor(); // a column with the term
        await page.goto(`${stack.proxy}${pathOf("urn:li:glossaryTerm:no-such")}`);
        await page.getByText("Nothing is filed here").waitFor();
      },
      { as },
    ));

  it("creates a term, defines, relates, moves and documents it, and puts it on an asset", () =>
    pages.visit(
      pathOf(metrics),
      async (page, opened) => {
        await page.getByRole("button", { name: "New", exact: true }).click();
        await page.getByRole("menuitem", { name: "Term", exact: true }).click();
        await page.getByLabel("Name", { exact: true }).fill("<i>Basket</i> value");
        await page.getByRole("button", { name: "Create term" }).click();
        await heading(page, "<i>Basket</i> value").waitFor();
        const urn = urnOf(page);

        await page.getByRole("button", { name: "Edit definition" }).click();
        await page.getByRole("textbox", { name: "definition" }).fill("متوسط قيمة السلة");
        await answered(page, () => page.keyboard.press("Control+Enter"));
        await page.getByRole("textbox", { name: "definition" }).waitFor({ state: "detached" });
        await page.reload();
        await page.getByText("متوسط قيمة السلة").first().waitFor();

        await page.getByRole("link", { name: "Related terms" }).click();
        await page.getByRole("button", { name: "Add relation" }).click();
        await page.getByLabel("Find a term to tie it to").last().fill("gross");
        await page.getByRole("checkbox", { name: /Gross margin/ }).check();
        await opened.picture("glossary-relate");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("dialog").getByRole("button", { name: "Add relation" }).click();
        await page.getByRole("heading", { name: "Is a kind of" }).waitFor();

        await page.getByRole("link", { name: "Documentation" }).click();
        await page.getByRole("button", { name: "Add link" }).click();
        await page.getByLabel("Address").fill("https://wiki.fernhill.example.org/basket");
        await page.getByRole("dialog").getByRole("button", { name: "Add link" }).click();
        await page.getByRole("link", { name: "https://wiki.fernhill.example.org/basket" }).waitFor();

        await page.getByRole("button", { name: "Add to assets" }).click();
        await page.getByLabel("Find an asset").last().fill("fct_orders");
        await page.getByRole("checkbox", { name: /fct_orders/ }).first().check();
        await page.getByRole("dialog").getByRole("button", { name: "Add to assets" }).click();
        await page.getByText(/was added to 1 asset/).waitFor();
        await page.getByRole("link", { name: /^Used by/ }).click();
        await page.getByRole("table").getByText("Whole asset").waitFor();

        await page.getByRole("button", { name: "More for <i>Basket</i> value" }).click();
        await page.getByRole("menuitem", { name: "Move to" }).click();
        await page.getByLabel("Find a group").last().fill("commerce");
        await page.getByRole("radio", { name: /Commerce/ }).click();
        await page.getByRole("button", { name: "Move", exact: true }).click();
        await page.getByRole("navigation", { name: "Where it stands" }).getByText("Commerce").waitFor();

        const { glossaryTerm } = await stack.graphql(
          "query($u: String!) { glossaryTerm(urn: $u) { properties { name description } parentNodes { nodes { urn } } relationships(input: {types: [\"IsA\"], direction: OUTGOING, count: 5}) { relationships { entity { urn } } } } }",
          { u: urn },
        );
        assert.deepEqual(glossaryTerm.properties, { name: "<i>Basket</i> value", description: "متوسط قيمة السلة" });
        assert.equal(glossaryTerm.parentNodes.nodes[0].urn, "urn:li:glossaryNode:fernhill.commerce");
        assert.equal(glossaryTerm.relationships.relationships[0].entity.urn, "urn:li:glossaryTerm:gross-margin");

        await page.getByRole("link", { name: "History" }).click();
        await page.getByText("Added the definition.").first().waitFor();

        await page.getByRole("button", { name: "More for <i>Basket</i> value" }).click();
        await page.getByRole("menuitem", { name: "Delete term" }).click();
        await page.getByText("1 asset", { exact: true }).waitFor();
        await page.getByLabel(/^Type/).fill("<i>Basket</i> value");
        await page.getByRole("dialog").getByRole("button", { name: "Delete term" }).click();
        await heading(page, "Commerce").waitFor();
      },
      { as },
    ));

  const tree = (page) => page.getByRole("complementary", { name: "Glossary" });
  const entry = (page, name) => tree(page).getByRole("link", { name, exact: true });
  const entriesOf = (page, group) => tree(page).getByRole("list", { name: group, exact: true }).getByRole("link");
  const parentOf = async (urn) => (await stack.graphql("query($u: String!) { glossaryTerm(urn: $u) { parentNodes { nodes { urn } } } }", { u: urn })).glossaryTerm.parentNodes.nodes.map((node) => node.urn);
  // Drags an entry and holds it over another one, until the page announces the effect of dropping it there.
  const hold = async (page, from, over, said) => {
    await from.hover();
    await page.mouse.down();
    const { x, y, width, height } = await over.boundingBox();
    await page.mouse.move(x + width / 4, y + height / 2, { steps: 6 });
    await page.mouse.move(x + width / 4 + 1, y + height / 2);
    await tree(page).getByRole("status").getByText(said).waitFor();
  };

  it("moves a term by dragging it onto a group and to the top, takes the move back, and leaves it where it cannot be dropped and at Esc", () =>
    pages.visit(
      pathOf(revenue),
      async (page, opened) => {
        await page.getByRole("button", { name: "Close Metrics" }).waitFor();
        await hold(page, entry(page, "Churn"), entry(page, "Commerce"), "Drop to move Churn into Commerce.");
        await opened.picture("glossary-drag");
        assert.deepEqual(await opened.accessibilityWithin("aside"), [], "against WCAG 2.2 A and AA");
        await answered(page, () => page.mouse.up());
        await page.getByText("Churn was moved into Commerce").waitFor();
        await entriesOf(page, "Metrics").getByText("Churn", { exact: true }).waitFor({ state: "detached" });
        assert.equal((await parentOf("urn:li:glossaryTerm:churn"))[0], "urn:li:glossaryNode:fernhill.commerce");
        assert.equal(new URL(page.url()).pathname, pathOf(revenue), "a drag is no click");

        await answered(page, () => page.getByRole("button", { name: "Undo" }).click());
        await page.getByText("Churn was moved back").waitFor();
        await entriesOf(page, "Metrics").getByText("Churn", { exact: true }).waitFor();
        assert.equal((await parentOf("urn:li:glossaryTerm:churn"))[0], metrics);

        await hold(page, entry(page, "Churn"), tree(page).getByRole("link", { name: "Glossary" }), "Drop to move Churn to the top.");
        await answered(page, () => page.mouse.up());
        await page.getByText("Churn was moved to the top").waitFor();
        assert.deepEqual(await parentOf("urn:li:glossaryTerm:churn"), []);
        await answered(page, () => page.getByRole("button", { name: "Undo" }).last().click());
        await page.getByText("Churn was moved back").last().waitFor();
        assert.equal((await parentOf("urn:li:glossaryTerm:churn"))[0], metrics);

        // Dropping the term on its current parent does not move it, and neither does Escape. After that, a
        // click works as usual.
        const sent = [];
        page.on("request", (request) => sent.push(request.postData() ?? ""));
        await hold(page, entry(page, "Churn"), entry(page, "Metrics"), "Churn is in Metrics already.");
        await opened.picture("glossary-drag-refused");
        await page.mouse.up();
        await tree(page).getByRole("status").waitFor({ state: "detached" });
        await hold(page, entry(page, "Churn"), entry(page, "Net revenue"), "Drop Churn on a group");
        await page.mouse.up();
        await tree(page).getByRole("status").waitFor({ state: "detached" });
        await hold(page, entry(page, "Churn"), entry(page, "Commerce"), "Drop to move Churn into Commerce.");
        await page.keyboard.press("Escape");
        await tree(page).getByRole("status").waitFor({ state: "detached" });
        await page.mouse.up();
        await entry(page, "Churn").click();
        await heading(page, "Churn").waitFor();
        assert.ok(!sent.some((text) => text.includes("MoveEntry")));
      },
      { as },
    ));

  it("takes back a move that the service refuses, and says why", () =>
    pages.visit(
      pathOf(revenue),
      async (page) => {
        await page.getByRole("button", { name: "Close Metrics" }).waitFor();
        let answer;
        await page.route("**/api/graphql", async (route) => {
          if (!route.request().postData()?.includes("MoveEntry")) {
            return route.continue();
          }
          await new Promise((resolve) => (answer = resolve));
          return route.fulfill({ json: { errors: [{ message: "Somebody closed the glossary.", extensions: { code: 403 } }] } });
        });
        await page.getByRole("button", { name: "Open Commerce" }).click();
        await entriesOf(page, "Commerce").getByText("Refund", { exact: true }).waitFor();
        await hold(page, entry(page, "Churn"), entry(page, "Commerce"), "Drop to move Churn into Commerce.");
        await page.mouse.up();
        await entriesOf(page, "Commerce").getByText("Churn", { exact: true }).waitFor();
        assert.equal(await entriesOf(page, "Metrics").getByText("Churn", { exact: true }).count(), 0);
        answer();
        await page.getByText("Churn was not moved").waitFor();
        await page.getByText("Somebody closed the glossary.").waitFor();
        await entriesOf(page, "Metrics").getByText("Churn", { exact: true }).waitFor();
        assert.equal(await entriesOf(page, "Commerce").getByText("Churn", { exact: true }).count(), 0);
      },
      { as },
    ));

  it("finds a term, opens it and defines it by keyboard alone, on a narrow page", () =>
    pages.visit(
      "/glossary",
      async (page) => {
        const find = page.getByLabel("Find a term");
        await find.waitFor();
        await tabTo(page, find);
        await page.keyboard.type("churn");
        const link = page.getByRole("list", { name: "Found" }).getByRole("link", { name: "Churn", exact: true });
        await link.waitFor();
        await tabTo(page, link);
        await page.keyboard.press("Enter");
        await heading(page, "Churn").waitFor();
        const edit = page.getByRole("button", { name: "Edit definition" });
        await tabTo(page, edit);
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Nothing bought for a year.");
        await answered(page, () => page.keyboard.press("Control+Enter"));
        await page.getByRole("textbox", { name: "definition" }).waitFor({ state: "detached" });
        await page.reload();
        await page.getByText("Nothing bought for a year.").first().waitFor();
        const { searchAcrossEntities } = await stack.graphql('{ searchAcrossEntities(input: { types: [GLOSSARY_TERM], query: "churn", start: 0, count: 5 }) { searchResults { entity { ... on GlossaryTerm { properties { name description } } } } } }');
        const churn = searchAcrossEntities.searchResults.find(({ entity }) => entity.properties.name === "Churn");
        assert.equal(churn.entity.properties.description, "Nothing bought for a year.");
      },
      { as, size: sizes[2] },
    ));
});
