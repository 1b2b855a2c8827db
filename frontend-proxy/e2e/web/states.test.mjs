// The states of every page: without data, with an unavailable catalog, and with a slow catalog.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, settled, unlessMissing, visit } from "./visit.mjs";

// Every route that needs no entity in its address.
const routes = readFileSync(path.resolve(import.meta.dirname, "../../web/src/app/routes.tsx"), "utf8");
const addresses = [...routes.matchAll(/pageAt\("(\/[^"]*)"/g)].map(([, address]) => address.replace(/\/:\w+\?$/, "")).filter((address) => !address.includes(":"));

const nameOf = (address) => address.split("?")[0].replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 40) || "home";

const heading = (page) => page.getByRole("main").getByRole("heading", { level: 1 });

const away = /502|503|Failed to load resource/;

describe("an empty catalog", unlessMissing("an empty catalog"), () => {
  let stack, as;

  // Pages that are not empty in a new catalog: it contains one user, roles, policies, the source for garbage
  // collection, and the sign-in event.
  const filled = ["/search", "/ingestion", "/settings/profile", "/settings/users", "/settings/roles", "/settings/policies", "/settings/audit"];

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  // The document is loaded once; then only the address changes.
  it("says on every page what to do", () =>
    visit(
      stack,
      "/settings/profile",
      async (page, opened) => {
        const wrong = [];
        for (const address of addresses) {
          await page.evaluate((to) => history.pushState(null, "", to), address);
          await page.waitForFunction(() => document.querySelector("main h1, main [class*='bones']"));
          await opened.settled();
          assert.notEqual((await heading(page).innerText()).trim(), "", address);
          await opened.picture(`states-empty-${nameOf(address)}`);
          const empty = page.getByRole("main").locator('[class*="_empty_"]').or(page.getByRole("region", { name: "Nothing is in the catalog yet" }));
          if (filled.includes(address)) {
            assert.ok((await page.getByRole("main").locator("table, dl, li").count()) > 0, `${address} is blank`);
          } else {
            await empty.first().waitFor();
            const [first] = await empty.all();
            assert.ok((await first.locator("p, button, a").count()) > 0, `${address}: ${await first.innerText()}: and now?`);
          }
          wrong.push(...(await opened.accessibility()).map((text) => `${address}: ${text}`));
        }
        assert.deepEqual(wrong, [], "against WCAG 2.2 A and AA");
        await page.evaluate(() => history.pushState(null, "", "/"));
        await page.getByText("type: datahub-rest").waitFor();
        await page.getByText("No asset is in the catalog yet.").waitFor();
        assert.equal(await page.getByText("Newest entry").count(), 0);
        assert.equal(await page.getByRole("navigation", { name: "Assets by type" }).count(), 0);
      },
      { as },
    ));
});

describe("the catalog with the sample company", unlessMissing("pages without a catalog"), () => {
  let stack, pages, as, all;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
    const { search } = await stack.graphql('{ search(input: {type: DATASET, query: "DIM_CUSTOMERS", count: 1}) { searchResults { entity { urn } } } }');
    all = [`/dataset/${encodeURIComponent(search.searchResults[0].entity.urn)}`, ...addresses]; // in this order, the home page lists the dataset as viewed
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("says below a heading that nothing is at an address", async () => {
    for (const [address, title] of [
      ["/tests/urn%3Ali%3Atest%3Agone", "Tests"],
      ["/ingestion/sources/urn%3Ali%3AdataHubIngestionSource%3Agone", "Source · Ingestion"],
      ["/ingestion/runs/urn%3Ali%3AdataHubExecutionRequest%3Agone", "Run · Ingestion"],
      ["/settings/policies/urn%3Ali%3AdataHubPolicy%3Agone", "Policies"],
    ]) {
      await pages.visit(
        address,
        async (page) => {
          await page.getByText(/^It was deleted, or/).waitFor();
          assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, address);
          assert.equal(await page.title(), `${title} · Cartulary`);
        },
        { as, expected: [/status of 404/] },
      );
    }
  });

  const line = (page) => page.getByText("The catalog does not answer.");
  const failure = (page) => page.getByRole("main").getByText(/could not be loaded|may not see/);
  // The number of table rows and list items of a page.
  const rows = (page) => page.getByRole("main").locator("tr, li").count();

  async function recovered({ address, page, before: shown }) {
    await line(page).waitFor({ state: "detached" });
    await failure(page).first().waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.querySelector('[class*="bones"]'));
    assert.ok((await rows(page)) >= shown, `${address} has fewer rows`);
  }

  // Simulates a return to the tab after a minute, when stale data is refetched. Data of previous pages stays
  // in the cache for five minutes.
  async function comeBack(page) {
    await page.clock.fastForward(61_000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  }

  it("keeps what pages have shown while the catalog is away, opens them at a reload, and reads all anew when it is back", () =>
    visit(
      stack,
      all[0],
      async (page, opened) => {
        const go = async (address) => {
          await page.evaluate((to) => history.pushState(null, "", to), address);
          await page.waitForFunction(() => document.querySelector("main h1, main [class*='bones']"));
        };
        const shown = new Map();
        for (const address of all) {
          await go(address);
          await opened.settled();
          shown.set(address, await rows(page));
        }
        await page.clock.install();
        await stack.withoutService(async () => {
          await comeBack(page);
          for (const address of all) {
            await go(address);
            await line(page).waitFor();
            await page.getByRole("button", { name: "Try now" }).click();
            await page.waitForFunction(() => !document.querySelector('button[aria-busy="true"]'));
            await opened.settled();
            await page.clock.fastForward(1000); // the page retries once before it reports a failure
            await opened.settled();
            await opened.picture(`states-away-${nameOf(address)}`);
            assert.deepEqual(await failure(page).allInnerTexts(), [], `${address} shows that it could not be read, in place of what was`);
            assert.equal(await rows(page), shown.get(address), `rows of ${address}`);
          }
          assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        });
        await line(page).waitFor({ state: "detached" });
        for (const address of all) {
          await go(address);
          await recovered({ address, page, before: shown.get(address) });
        }

        await stack.withoutService(async () => {
          await page.reload();
          await page.getByText("The catalog could not be loaded").waitFor();
          await page.getByRole("button", { name: "Try again" }).waitFor();
          await line(page).waitFor();
          await opened.picture("states-reload");
          assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        });
        await settled(page, (each) => heading(each).waitFor());
        await recovered({ address: all.at(-1), page, before: shown.get(all.at(-1)) });
      },
      { as, expected: [away] },
    ));

  it("gives a way on where a page is opened while the catalog is away", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        await settled(page, (each) => heading(each).waitFor());
        await stack.withoutService(async () => {
          for (const address of all.filter((each) => each !== "/settings/tokens")) {
            await page.evaluate((to) => history.pushState(null, "", to), address);
            await settled(page, () => page.getByRole("main").getByRole("button", { name: "Try again" }).first().waitFor()).catch((error) => assert.fail(`${address}: ${error.message}`));
            await line(page).waitFor();
            await opened.picture(`states-failed-${nameOf(address)}`);
          }
          assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        });
        await recovered({ address: all.at(-1), page, before: 1 });
      },
      { as, expected: [away] },
    ));

  it("cancels what takes too long, and tries again", () =>
    visit(
      stack,
      "/settings/profile",
      async (page, opened) => {
        await settled(page, (each) => heading(each).waitFor());
        const asks = (request) => request.url().endsWith("/api/graphql") && /\btags?\b/i.test(request.postDataJSON()?.query ?? "");
        await page.route("**/api/graphql", (route) => (asks(route.request()) ? undefined : route.continue())); // no response
        await page.clock.install();
        const asked = page.waitForRequest(asks);
        await page.evaluate(() => history.pushState(null, "", "/tags"));
        await asked;
        await page.getByRole("main").getByText("Loading the tags", { exact: true }).waitFor({ state: "attached" });
        await page.clock.fastForward(10_000);
        await page.getByText("Still loading. Wait, or cancel.").waitFor();
        await page.waitForFunction(() => getComputedStyle(document.querySelector('[class*="_bones_"]')).opacity === "1");
        await opened.picture("states-still-loading");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        const aborted = page.waitForEvent("requestfailed", asks);
        await page.getByRole("button", { name: "Cancel" }).focus();
        await page.keyboard.press("Enter");
        await aborted;
        await page.getByText("Loading the tags was cancelled").waitFor();
        await opened.picture("states-cancelled");
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.keyboard.press("Enter"); // the focus is on Try again
        await page.getByRole("table", { name: "Tags" }).waitFor();
      },
      { as },
    ));

  it("has every place in reach at 200 %", () =>
    pages.visit(
      "/tags",
      async (page, opened) => {
        await opened.settled();
        await page.getByRole("button", { name: "Open menu" }).click();
        const places = page.getByRole("dialog").getByRole("navigation", { name: "Main" }).getByRole("link");
        await places.first().waitFor();
        await opened.picture("states-zoom-menu");
        assert.deepEqual(await opened.accessibility(), [], "the menu against WCAG 2.2 A and AA");
        const names = await places.evaluateAll((links) => links.map((link) => link.textContent.trim()));
        assert.ok(names.includes("Settings"));
        await page.getByRole("dialog").getByRole("link", { name: "Settings", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: "Access tokens" }).waitFor();
        await page.keyboard.press("/");
        assert.equal(await page.evaluate(() => document.activeElement.tagName), "INPUT");
      },
      { as, size: { width: 720, height: 450 } }, // equals a window of 1440 by 900
    ));
});
