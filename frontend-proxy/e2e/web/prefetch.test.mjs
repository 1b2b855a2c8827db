// Prefetching of pages when the user is about to follow a link.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, tabTo, unlessMissing, visit } from "./visit.mjs";

describe("pages read ahead", unlessMissing("pages read ahead"), () => {
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

  const search = "/search?query=reviews";
  const result = (page) => page.getByRole("list", { name: "Results" }).getByRole("link", { name: /reviews/i }).first();
  const answered = (page) => page.waitForResponse((response) => response.url().endsWith("/api/graphql"));

  // The page of a prefetched asset opens without another request for its head, even if all requests fail.
  const opensWithoutAsking = async (page, follow) => {
    const name = (await result(page).innerText()).split("\n")[0].trim();
    await page.route("**/api/graphql", (route) => route.abort());
    await follow();
    await page.waitForURL(/\/urn%3Ali%3A/);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("navigation", { name: "Parts of this asset" }).waitFor();
  };
  const unanswered = [/net::ERR_FAILED/];

  it("shows what the pointer rested on or what had the focus at once", async () => {
    await pages.visit(
      search,
      async (page, opened) => {
        await result(page).waitFor();
        let heads = 0; // the page may send other requests
        page.on("request", (request) => (heads += /query Asset\b/.test(request.postData() ?? "") ? 1 : 0));
        const head = answered(page);
        await result(page).hover();
        await head;
        await opened.settled();
        assert.equal(heads, 1);
        await opensWithoutAsking(page, () => result(page).click());
      },
      { as, expected: unanswered },
    );
    await pages.visit(
      search,
      async (page, opened) => {
        await result(page).waitFor();
        const urn = decodeURIComponent((await result(page).getAttribute("href")).split("/")[2]);
        // The response may arrive before the last Tab press returns.
        const head = new Promise((resolve) => page.on("response", (response) => /query Asset\b/.test(response.request().postData() ?? "") && response.request().postDataJSON().variables.urn === urn && resolve()));
        await tabTo(page, result(page), 120);
        await head;
        await opened.settled();
        await opensWithoutAsking(page, () => page.keyboard.press("Enter"));
      },
      { as, expected: unanswered },
    );
  });

  it("reads nothing ahead where data is to be saved", () =>
    visit(
      stack,
      search,
      async (page, opened) => {
        await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
        await page.reload();
        await result(page).waitFor();
        await opened.settled();
        const before = opened.operations;
        await page.clock.install();
        await result(page).hover();
        await page.clock.runFor(1000);
        assert.equal(opened.operations, before);
      },
      { as },
    ));
});
