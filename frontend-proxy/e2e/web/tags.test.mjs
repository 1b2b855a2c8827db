// The tags page in a browser against both binaries.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const tagOf = async (stack, urn) => (await stack.graphql("query($u: String!) { tag(urn: $u) { properties { name description colorHex } ownership { owners { owner { ... on CorpUser { urn } } } } } }", { u: urn })).tag;

describe("tags", unlessMissing("tags"), () => {
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

  const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

  it("creates a tag in a row of its own, colours, describes and renames it, and gives it an owner", () =>
    pages.visit(
      "/tags",
      async (page, opened) => {
        await page.getByRole("button", { name: "Create tag" }).click();
        await page.getByLabel("Name", { exact: true }).fill("<b>Äpfel</b>");
        await page.getByLabel("Description", { exact: true }).fill("بيانات المواسم");
        await page.getByRole("button", { name: "Create", exact: true }).click();
        await row(page, "<b>Äpfel</b>").waitFor();
        assert.equal(await page.getByRole("row").nth(1).getByRole("link").textContent(), "<b>Äpfel</b>");
        const urn = decodeURIComponent(new URL(await row(page, "<b>Äpfel</b>").getByRole("link").getAttribute("href"), stack.proxy).pathname.split("/").at(-1));
        await page.getByRole("button", { name: "Close", exact: true }).first().click();

        const saved = page.waitForResponse((answer) => answer.request().postData()?.includes("ColourTag") ?? false);
        await page.getByLabel("Colour of <b>Äpfel</b>").fill("#cc3311");
        await saved;
        await page.getByRole("button", { name: "Edit description of <b>Äpfel</b>" }).click();
        await page.getByRole("textbox", { name: "description of <b>Äpfel</b>" }).fill("Of the season");
        await page.keyboard.press("Enter");
        await page.getByText("Of the season").waitFor();

        await page.getByRole("button", { name: "More for <b>Äpfel</b>" }).click();
        await page.getByRole("menuitem", { name: "Rename" }).click();
        await page.getByRole("dialog").getByLabel("Name").fill("apples");
        await page.getByRole("button", { name: "Rename", exact: true }).click();
        await row(page, "apples").waitFor();

        await page.getByRole("button", { name: "More for apples" }).click();
        await page.getByRole("menuitem", { name: "Owners" }).click();
        await page.getByRole("dialog").getByLabel("Find a person or a group").last().fill("sorrel");
        await page.getByRole("radio", { name: /Sorrel/ }).click();
        await opened.picture("tag-owners");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByRole("button", { name: "Add owner" }).click();
        await page.getByRole("button", { name: /^Remove Sorrel/ }).waitFor();
        await page.getByRole("button", { name: "Done" }).click();

        const tag = await tagOf(stack, urn);
        assert.deepEqual(tag.properties, { name: "apples", description: "Of the season", colorHex: "#cc3311" });
        assert.ok(tag.ownership.owners.some(({ owner }) => owner.urn === "urn:li:corpuser:sorrel.notebook"));
        await page.reload();
        await row(page, "apples").waitFor();
      },
      { as },
    ));

  it("finds at the server, exports what was found, and leads from the uses of a tag to what carries it", () =>
    pages.visit(
      "/tags",
      async (page, opened) => {
        await page.getByRole("link", { name: "certified" }).waitFor();
        fewRequests(opened);
        await page.getByLabel("Find a tag").fill("tier");
        await page.getByRole("link", { name: "certified" }).waitFor({ state: "detached" });
        await page.getByRole("link", { name: "tier-1" }).waitFor();
        assert.match(page.url(), /find=tier/);
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        assert.equal(download.suggestedFilename(), "tags.csv");
        const text = await readFile(await download.path(), "utf8");
        assert.match(text, /^\uFEFFName,Description,Uses,Owners,Colour,URN\r\n/);
        assert.match(text, /tier-1,The business stops when it is wrong/);
        assert.doesNotMatch(text, /certified/);

        await row(page, "tier-1").getByRole("link", { name: "9 uses" }).click();
        await page.waitForURL(/\/search\?/u);
        await page.getByText("9", { exact: true }).first().waitFor();
        await page.getByText("tier-1").first().waitFor();
      },
      { as },
    ));

  it("tells before it deletes how many assets carry a tag, by keyboard alone on a narrow page", () =>
    pages.visit(
      "/tags?find=cleanup",
      async (page, opened) => {
        const more = page.getByRole("button", { name: "More for cleanup-candidate" });
        await more.waitFor();
        await tabTo(page, more);
        await page.keyboard.press("Enter");
        await page.getByRole("menuitem", { name: "Rename" }).waitFor();
        const remove = page.getByRole("menuitem", { name: "Delete tag" });
        await page.keyboard.press("ArrowUp");
        while (!(await remove.evaluate((element) => element === document.activeElement))) {
          await page.keyboard.press("ArrowUp");
        }
        await page.keyboard.press("Enter");
        await page.getByText(/\d+ assets/).waitFor();
        await page.getByRole("list", { name: "Assets" }).getByRole("listitem").first().waitFor();
        await opened.picture("tag-delete");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await page.getByLabel(/^Type/).focus();
        await page.keyboard.type("cleanup-candidate");
        await tabTo(page, page.getByRole("button", { name: "Delete tag" }));
        await page.keyboard.press("Enter");
        await page.getByText("cleanup-candidate was deleted").waitFor();
        await page.getByText("No tag matches").waitFor();
      },
      { as, size: sizes[2] },
    ));

  it("shows a page of 10,000 tags at once", async () => {
    const token = await stack.token("many", "urn:li:corpuser:datahub");
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      urn: `urn:li:tag:many-${at}`,
      tagProperties: { value: { name: `many ${String(at).padStart(5, "0")} ${at === 7 ? "x".repeat(120) : ""}` } },
    }));
    for (let from = 0; from < many.length; from += 1000) {
      await stack.call(token, "POST", "/openapi/v3/entity/tag?async=false", many.slice(from, from + 1000));
    }
    await pages.visit(
      "/tags",
      async (page, opened) => {
        await page.getByText(/10,0\d\d tags/).waitFor();
        assert.ok((await page.getByRole("row").count()) <= 51);
        await page.getByLabel("Find a tag").fill("many 00007");
        await page.getByRole("link", { name: /^many 00007/ }).waitFor();
        await page.getByRole("link", { name: "certified" }).waitFor({ state: "detached" });
        await page.setViewportSize(sizes[2]);
        const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
        assert.ok(wide <= room, `${wide} px wide in a window of ${room}`);
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
      },
      { as },
    );
  });
});
