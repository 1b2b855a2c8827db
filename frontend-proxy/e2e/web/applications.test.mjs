// Nested applications: an application page shows and sets the parent, and lists the direct children.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, Pages, sizes, toggle, unlessMissing } from "./visit.mjs";

const urnOf = (id) => `urn:li:application:${id}`;
const pathOf = (id, tab = "") => `/application/${encodeURIComponent(urnOf(id))}${tab && `/${tab}`}`;

describe("applications", unlessMissing("applications"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    for (const [id, name, parentApplication] of [
      ["bakery", "Bakery"],
      ["till", "Till", urnOf("bakery")],
      ["receipts", "Receipts", urnOf("till")],
    ]) {
      await stack.graphql("mutation($i: CreateApplicationInput!) { createApplication(input: $i) { urn } }", { i: { id, properties: { name, parentApplication } } });
    }
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const parentsOf = async (id) =>
    (await stack.graphql("query($u: String!) { application(urn: $u) { parentApplications { applications { urn } } } }", { u: urnOf(id) })).application.parentApplications.applications.map(({ urn }) => urn);
  const side = (page) => page.getByRole("complementary", { name: /^About this/ });
  const choose = async (page, name) => {
    await page.getByRole("button", { name: "Choose the application above" }).click();
    const list = page.getByRole("dialog", { name: "Choose the application above" });
    await toggle(list, name, name);
    await answered(page, () => list.getByRole("button", { name: "Save", exact: true }).click(), "SetParentApplication");
  };

  it("shows the way down to one, and moves it", () =>
    pages.visit(
      pathOf("receipts"),
      async (page) => {
        const way = page.getByRole("banner").or(page.locator("header")).getByRole("link", { name: /^(Bakery|Till)$/ });
        await way.nth(1).waitFor();
        assert.deepEqual(await way.allTextContents(), ["Bakery", "Till"]);
        await choose(page, "Bakery");
        await side(page).getByRole("link", { name: "Bakery" }).waitFor();
        await page.reload();
        await side(page).getByRole("link", { name: "Bakery" }).waitFor();
        assert.deepEqual(await parentsOf("receipts"), [urnOf("bakery")]);
        await choose(page, "Bakery"); // was selected before
        await page.getByText("No application yet").waitFor();
        assert.deepEqual(await parentsOf("receipts"), []);
      },
      { as },
    ));

  it("refuses a place below itself", () =>
    pages.visit(
      pathOf("bakery"),
      async (page) => {
        await choose(page, "Till");
        await page.getByText(/lies below/).first().waitFor();
        assert.deepEqual(await parentsOf("shop"), []);
      },
      { as },
    ));

  it("lists what is right below, and takes it out", () =>
    pages.visit(
      pathOf("bakery", "Assets"),
      async (page) => {
        await page.getByRole("link", { name: "Till" }).first().waitFor();
        await page.getByRole("button", { name: "Take out Till" }).click();
        await page.getByText("The application stays, below no other one.").waitFor();
        await answered(page, () => page.getByRole("button", { name: "Take out", exact: true }).click(), "MoveApplicationUp");
        await page.getByText("No asset yet").waitFor();
        assert.deepEqual(await parentsOf("till"), []);
      },
      { as },
    ));

  for (const scheme of ["light", "dark"]) {
    for (const size of [sizes[0], sizes[2]]) {
      it(`can be read in the ${scheme} scheme, ${size.width} pixels wide`, async () => {
        await stack.graphql("mutation($u: String!, $p: String) { updateApplication(urn: $u, input: { parentApplication: $p }) { urn } }", { u: urnOf("till"), p: urnOf("bakery") });
        await pages.visit(
          pathOf("till"),
          async (page, opened) => {
            await page.getByRole("link", { name: "Bakery" }).first().waitFor();
            await opened.picture(`application-below-${scheme}-${size.width}`);
            assert.deepEqual(await opened.accessibility(), []);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "it scrolls to the side");
          },
          { as, scheme, size },
        );
      });
    }
  }
});
