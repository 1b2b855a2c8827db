// The documentation of an asset: safe rendering of Markdown, its editor, and links.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { answered, fewRequests, Pages, shown, sizes, tabTo, unlessMissing } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
const pathOf = (urn) => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}/Documentation`;

// Content that a page must not run, load or link to.
const hostile = [
  "# Title <script>window.hit = 1</script>",
  "<img src=x onerror='window.hit = 2'> <svg onload='window.hit = 3'></svg>",
  "[click](javascript:window.hit=4) [data](data:text/html,<script>1</script>) ![pixel](https://spy.example/pixel.png)",
  "<style>body { display: none }</style> <iframe src='https://spy.example'></iframe> <base href='https://spy.example/'>",
  '[quoted](https://docs.example "\\" onmouseover=\\"window.hit=5")',
  "<form action='https://spy.example'><input name=q><button>Send</button></form>",
].join("\n\n");

describe("documentation", unlessMissing("documentation"), () => {
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

  const stored = async () => (await stack.graphql("query($u: String!) { dataset(urn: $u) { editableProperties { description } institutionalMemory { elements { url label } } } }", { u: orders })).dataset;

  it("shows Markdown and links, is written with a preview by keyboard alone on a narrow page, kept over a reload, and seen by GraphQL", () =>
    pages.visit(
      pathOf(orders),
      async (page, opened) => {
        const edit = page.getByRole("button", { name: "Edit documentation" });
        await edit.waitFor();
        await page.getByRole("heading", { name: "What the amounts are" }).waitFor();
        await page.getByRole("table", { name: "Links" }).getByText("Olive").first().waitFor();
        fewRequests(opened);
        await tabTo(page, edit, 80);
        await page.keyboard.press("Enter");
        const field = page.getByRole("textbox", { name: "Documentation" });
        await field.waitFor();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("# By hand\n\n- one **bold** line");
        await page.getByRole("region", { name: "Preview of the documentation" }).getByRole("heading", { name: "By hand" }).waitFor();
        await opened.picture("documentation-editor-400");
        assert.deepEqual(await opened.accessibilityWithin("main"), [], "against WCAG 2.2 A and AA");
        await page.reload();
        await field.waitFor();
        assert.equal(await field.inputValue(), "# By hand\n\n- one **bold** line");
        await field.focus();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Keep writing" }).waitFor();
        await tabTo(page, page.getByRole("button", { name: "Keep writing" }));
        await page.keyboard.press("Enter");
        await field.focus();
        await page.keyboard.press("Control+Enter");
        await edit.waitFor();
        await page.getByRole("main").getByRole("heading", { name: "By hand" }).waitFor();
        assert.equal((await stored()).editableProperties.description, "# By hand\n\n- one **bold** line");
        await page.reload();
        await page.getByRole("main").getByRole("heading", { name: "By hand" }).waitFor();
      },
      { as, size: sizes[2] },
    ));

  it("keeps what was written when it is refused, tells what somebody else wrote meanwhile, and adds and deletes links", () =>
    pages.visit(
      pathOf(orders),
      async (page, opened) => {
        await page.getByRole("button", { name: "Edit documentation" }).click();
        const field = page.getByRole("textbox", { name: "Documentation" });
        await field.fill("What I think it is");
        await stack.graphql("mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", { i: { resourceUrn: orders, description: "What Ilse thinks" } });
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText("Somebody changed this meanwhile. It now says: “What Ilse thinks”").waitFor();
        assert.equal(await field.inputValue(), "What I think it is");
        await opened.picture("documentation-refused");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("button", { name: "Edit documentation" }).waitFor();
        assert.equal((await stored()).editableProperties.description, "What I think it is");

        const links = page.getByRole("table", { name: "Links" });
        await page.getByRole("button", { name: "New link" }).click();
        const form = page.getByRole("main").locator("form");
        await form.getByLabel("Address").fill("javascript:alert(1)");
        await form.getByRole("button", { name: "Save" }).click();
        await page.getByText("The address begins with https://").waitFor();
        await form.getByLabel("Address").fill("https://docs.example/orders");
        await form.getByLabel("Shown as").fill("Order handbook");
        await form.getByRole("button", { name: "Save" }).click();
        await links.getByRole("link", { name: "Order handbook" }).waitFor();
        await form.waitFor({ state: "detached" }); // the page shows the link before it is stored
        assert.ok((await stored()).institutionalMemory.elements.some(({ label }) => label === "Order handbook"));
        await answered(page, () => links.getByRole("button", { name: "Delete the link Order handbook" }).click());
        await links.getByRole("link", { name: "Order handbook" }).waitFor({ state: "detached" });
        await page.reload();
        await links.waitFor();
        assert.ok((await stored()).institutionalMemory.elements.every(({ label }) => label !== "Order handbook"));
      },
      { as },
    ));

  it("runs, loads and follows nothing that a text holds", async () => {
    await stack.graphql("mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", { i: { resourceUrn: orders, description: hostile } });
    await pages.visit(
      pathOf(orders),
      async (page) => {
        const main = page.getByRole("main");
        await main.getByRole("heading", { name: "Title <script>window.hit = 1</script>" }).waitFor();
        assert.equal(await page.evaluate(() => window.hit), undefined);
        assert.equal(await main.locator("script, iframe, img, style, base, [onmouseover], [onerror], [onload]").count(), 0);
        const hrefs = await main.locator("a[href^='javascript:'], a[href^='data:']").count();
        assert.equal(hrefs, 0);
        await main.getByRole("link", { name: "quoted" }).first().hover();
        assert.equal(await page.evaluate(() => window.hit), undefined);
        assert.equal(await main.getByRole("link", { name: "pixel" }).first().getAttribute("rel"), "noopener noreferrer");
      },
      { as },
    );
  });

  it("stays at hand while it shows texts that are made to be costly", () =>
    pages.visit(
      pathOf(orders),
      async (page) => {
        for (const [text, sign] of [
          [">".repeat(90_000), /Shown as it is written/],
          [`|${"a|".repeat(5000)}\n|${"-|".repeat(5000)}\n${"|x\n".repeat(15_000)}`, /characters are left/],
          [`${"a.".repeat(45_000)}@`, /characters are left/],
        ]) {
          await stack.graphql("mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", { i: { resourceUrn: orders, description: text } });
          await page.reload();
          await page.getByRole("main").getByText(sign).first().waitFor();
          assert.ok((await page.locator("main *").count()) < 20_000);
          const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
          assert.ok(wide <= room, `${wide} px wide in a window of ${room}`);
        }
      },
      { as },
    ));
});
