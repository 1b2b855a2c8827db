// Announcements in a browser against both binaries.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const posts = async (stack) => (await stack.graphql("{ listPosts(input: {start: 0, count: 10}) { posts { postType content { contentType title description link } } } }")).listPosts.posts;

describe("announcements", unlessMissing("announcements"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.graphql(
      'mutation { createPost(input: {postType: HOME_PAGE_ANNOUNCEMENT, content: {contentType: LINK, title: "Moved <script>x</script>", description: "The warehouse has a new name.", link: "https://wiki.example.org/moved"}}) }',
    );
  });
  after(() => stack?.stop());

  it("shows what is announced, markup in it inert; announces by keyboard on a narrow page, changes it and deletes it", () =>
    visit(
      stack,
      "/settings/announcements",
      async (page, opened) => {
        const first = page.getByRole("row").filter({ hasText: "Moved <script>x</script>" });
        assert.equal(await first.getByRole("link", { name: "https://wiki.example.org/moved" }).getAttribute("rel"), "noopener noreferrer");
        fewRequests(opened);

        const announce = page.getByRole("button", { name: "Announce something" });
        await tabTo(page, announce);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Title").and(page.locator(":focus")).waitFor();
        await page.keyboard.type("صيانة ليلية");
        await dialog.getByLabel("Leads to").fill("//elsewhere.example");
        await dialog.getByRole("button", { name: "Announce", exact: true }).click();
        await page.getByText("An address begins with").waitFor();
        await dialog.getByLabel("Leads to").fill("/glossary");
        await page.keyboard.press("Enter");
        await page.getByRole("table").getByText("صيانة ليلية").waitFor();
        assert.ok((await posts(stack)).some(({ postType, content }) => postType === "HOME_PAGE_ANNOUNCEMENT" && content.contentType === "LINK" && content.link === "/glossary" && content.title === "صيانة ليلية"));

        await page.getByRole("button", { name: "More for صيانة ليلية" }).click();
        await page.getByRole("menuitem", { name: "Change" }).click();
        await page.getByRole("dialog").getByLabel("Title").fill("Nightly repairs");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("Nightly repairs was changed").waitFor();
        await page.reload();
        await page.getByRole("table").getByText("Nightly repairs").waitFor();
        assert.ok((await posts(stack)).some(({ content }) => content.title === "Nightly repairs" && content.link === "/glossary"));

        await page.getByRole("button", { name: "More for Nightly repairs" }).click();
        await page.getByRole("menuitem", { name: "Delete announcement" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete announcement" }).click();
        await page.getByText("Nightly repairs was deleted").waitFor();
        assert.equal((await posts(stack)).length, 1);
      },
      { as, size: sizes[2] },
    ));
});
