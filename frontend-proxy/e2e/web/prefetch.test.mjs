// Pages that are read ahead while somebody is about to follow a link.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { tabTo, unlessMissing, visit } from "./visit.mjs";

describe("pages read ahead", unlessMissing("pages read ahead"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  const search = "/search?query=reviews";
  const result = (page) => page.getByRole("list", { name: "Results" }).getByRole("link", { name: /reviews/i }).first();
  const answered = (page) => page.waitForResponse((response) => response.url().endsWith("/api/graphql"));

  // The head of the asset is not asked for again once its link is followed: its page shows although nothing answers any more.
  const opensWithoutAsking = async (page, follow) => {
    const name = (await result(page).innerText()).split("\n")[0].trim();
    await page.route("**/api/graphql", (route) => route.abort());
    await follow();
    await page.waitForURL(/\/urn%3Ali%3A/);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("navigation", { name: "Parts of this asset" }).waitFor();
  };
  const unanswered = [/net::ERR_FAILED/];

  it("shows what the pointer rested on at once", () =>
    visit(
      stack,
      search,
      async (page) => {
        await result(page).waitFor();
        let heads = 0; // the page may ask for more of its own
        page.on("request", (request) => (heads += /query Asset\b/.test(request.postData() ?? "") ? 1 : 0));
        const head = answered(page);
        await result(page).hover();
        await head;
        await page.waitForTimeout(500);
        assert.equal(heads, 1);
        await opensWithoutAsking(page, () => result(page).click());
      },
      { as, expected: unanswered },
    ));

  it("shows what had the focus at once, by keyboard alone", () =>
    visit(
      stack,
      search,
      async (page) => {
        await result(page).waitFor();
        await tabTo(page, result(page), 120);
        await answered(page);
        await page.waitForTimeout(500);
        await opensWithoutAsking(page, () => page.keyboard.press("Enter"));
      },
      { as, expected: unanswered },
    ));

  it("reads nothing ahead where data is to be saved", () =>
    visit(
      stack,
      search,
      async (page, opened) => {
        await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
        await page.reload();
        await result(page).waitFor();
        const before = opened.operations;
        await result(page).hover();
        await page.waitForTimeout(1000);
        assert.equal(opened.operations, before);
      },
      { as },
    ));
});
