// What every page shows when there is nothing, when the catalog is away or late, and when it is zoomed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { settled, sizes, unlessMissing, visit } from "./visit.mjs";

// Every page that needs no thing of the catalog in its address, as the routes name them.
const routes = readFileSync(path.resolve(import.meta.dirname, "../../web/src/app/routes.tsx"), "utf8");
const pages = [...routes.matchAll(/pageAt\("(\/[^"]*)"/g)].map(([, address]) => address.replace(/\/:\w+\?$/, "")).filter((address) => !address.includes(":"));

const nameOf = (address) => address.split("?")[0].replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 40) || "home";

const heading = (page) => page.getByRole("main").getByRole("heading", { level: 1 });

const away = /502|503|Failed to load resource/;

describe("an empty catalog", unlessMissing("an empty catalog"), () => {
  let stack, as;

  // What is there before anybody has brought anything: one person, roles, policies, the source that cleans up, and that
  // somebody signed in.
  const filled = ["/search", "/ingestion", "/settings/profile", "/settings/users", "/settings/roles", "/settings/policies", "/settings/audit"];

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  for (const address of pages) {
    it(`says on ${address} what to do`, () =>
      visit(
        stack,
        address,
        async (page, opened) => {
          await settled(page, (each) => heading(each).waitFor());
          assert.notEqual((await heading(page).innerText()).trim(), "");
          await opened.picture(`states-empty-${nameOf(address)}`);
          const empty = page.getByRole("main").locator('[class*="_empty_"]').or(page.getByRole("region", { name: "Nothing is in the catalog yet" }));
          if (filled.includes(address)) {
            assert.ok((await page.getByRole("main").locator("table, dl, li").count()) > 0, "the page is blank");
          } else {
            await empty.first().waitFor();
            const [first] = await empty.all();
            assert.ok((await first.locator("p, button, a").count()) > 0, `${await first.innerText()}: and now?`);
          }
          assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        },
        { as },
      ));
  }
});

describe("the catalog with the sample company", unlessMissing("pages without a catalog"), () => {
  let stack, as, all;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    const { search } = await stack.graphql('{ search(input: {type: DATASET, query: "DIM_CUSTOMERS", count: 1}) { searchResults { entity { urn } } } }');
    all = [...pages, `/dataset/${encodeURIComponent(search.searchResults[0].entity.urn)}`];
  });
  after(() => stack?.stop());

  for (const [address, title] of [
    ["/tests/urn%3Ali%3Atest%3Agone", "Tests"],
    ["/ingestion/sources/urn%3Ali%3AdataHubIngestionSource%3Agone", "Source · Ingestion"],
    ["/ingestion/runs/urn%3Ali%3AdataHubExecutionRequest%3Agone", "Run · Ingestion"],
    ["/settings/policies/urn%3Ali%3AdataHubPolicy%3Agone", "Policies"],
  ]) {
    it(`says below a heading that nothing is at ${address.split("%")[0]}`, () =>
      visit(
        stack,
        address,
        async (page) => {
          await page.getByText(/^It was deleted, or/).waitFor();
          assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
          assert.equal(await page.title(), `${title} · Cartulary`);
        },
        { as, expected: [/status of 404/] },
      ));
  }

  const line = (page) => page.getByText("The catalog does not answer.");
  const failure = (page) => page.getByRole("main").getByText(/could not be loaded|may not see/);
  // How many rows of tables and lists a page shows.
  const rows = (page) => page.getByRole("main").locator("tr, li").count();

  async function recovered({ address, page, before: shown }) {
    await line(page).waitFor({ state: "detached" });
    await failure(page).first().waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.querySelector('[class*="bones"]'));
    assert.ok((await rows(page)) >= shown, `${address} has fewer rows`);
  }

  // Every page in a tab of its own.
  async function inTabs(story) {
    const browser = await Browser.launch();
    try {
      await browser.signIn(stack.proxy, as.username, as.password);
      const tabs = [];
      for (const address of all) {
        const opened = await browser.open(stack.proxy + address, sizes[0]);
        await settled(opened.page, (page) => heading(page).waitFor());
        await opened.page.waitForLoadState("networkidle"); // some parts are read behind others
        tabs.push({ address, opened, page: opened.page, before: await rows(opened.page) });
      }
      await story(tabs);
      for (const { address, opened } of tabs) {
        assert.deepEqual(opened.errors.filter((text) => !away.test(text)), [], `errors on the console of ${address}`);
      }
    } finally {
      await browser.close();
    }
  }

  // Ten minutes later somebody comes back to the tab, which reads what may be old.
  async function comeBack(page) {
    await page.clock.setSystemTime(Date.now() + 600_000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  }

  it("keeps what pages show while the catalog is away, opens them at a reload, and reads all anew when it is back", () =>
    inTabs(async (tabs) => {
      await stack.stopService();
      await Promise.all(tabs.map(({ page }) => comeBack(page)));
      for (const { address, page, opened, before: shown } of tabs) {
        await line(page).waitFor();
        await page.getByRole("button", { name: "Try now" }).click();
        await page.locator('button[aria-busy="true"]').waitFor({ state: "detached" });
        await opened.picture(`states-away-${nameOf(address)}`);
        assert.equal(await failure(page).count(), 0, `${address} shows that it could not be read, in place of what was`);
        assert.equal(await rows(page), shown, `rows of ${address}`);
      }
      assert.deepEqual(await tabs.at(-1).opened.accessibility(), [], "against WCAG 2.2 A and AA");
      await stack.startService();
      for (const tab of tabs) {
        await recovered(tab);
      }

      await stack.stopService();
      await Promise.all(tabs.map(({ page }) => page.reload()));
      for (const { page } of tabs) {
        await page.getByText("The catalog could not be loaded").waitFor();
        await page.getByRole("button", { name: "Try again" }).waitFor();
        await line(page).waitFor();
      }
      await tabs[0].opened.picture("states-reload");
      assert.deepEqual(await tabs[0].opened.accessibility(), [], "against WCAG 2.2 A and AA");
      await stack.startService();
      for (const tab of tabs) {
        await settled(tab.page, (page) => heading(page).waitFor());
        await recovered(tab);
      }
    }));

  it("gives a way on where a page is opened while the catalog is away", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        await settled(page, (each) => heading(each).waitFor());
        await stack.stopService();
        for (const address of all.filter((each) => each !== "/settings/tokens")) {
          await page.evaluate((to) => history.pushState(null, "", to), address);
          await settled(page, () => page.getByRole("main").getByRole("button", { name: "Try again" }).first().waitFor()).catch((error) => assert.fail(`${address}: ${error.message}`));
          await line(page).waitFor();
          await opened.picture(`states-failed-${nameOf(address)}`);
        }
        assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
        await stack.startService();
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
        await page.route("**/api/graphql", (route) => (asks(route.request()) ? undefined : route.continue())); // never answered
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

  // A window of 1440 by 900 at 200 %.
  const zoomed = { size: { width: 720, height: 450 }, scale: 2 };

  it("fits at 200 %, with every place in reach", async () => {
    await visit(
      stack,
      "/",
      async (page, opened) => {
        for (const address of all) {
          await page.goto(stack.proxy + address);
          await settled(page, (each) => heading(each).waitFor());
          await opened.picture(`states-zoom-${nameOf(address)}`);
          assert.deepEqual(await page.evaluate(cutOff), [], `${address} at 200 %`);
        }
        const places = page.getByRole("dialog").getByRole("navigation", { name: "Main" }).getByRole("link");
        await page.getByRole("button", { name: "Open menu" }).click();
        await places.first().waitFor();
        await opened.picture("states-zoom-menu");
        const names = await places.evaluateAll((links) => links.map((link) => link.textContent.trim()));
        assert.ok(names.includes("Settings"));
        await page.getByRole("dialog").getByRole("link", { name: "Settings", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: "Access tokens" }).waitFor();
        await page.keyboard.press("/");
        assert.equal(await page.evaluate(() => document.activeElement.tagName), "INPUT");
      },
      { as, ...zoomed },
    );
  });
});

// Gives what is wider than the page, or loses text at an edge that nothing scrolls. Runs in the page.
function cutOff() {
  const lost = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    lost.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${innerWidth}`);
  }
  const describe = (element) => `${element.tagName.toLowerCase()}.${element.className} ${JSON.stringify(element.textContent.trim().slice(0, 60))}`;
  const scrolls = (element) => {
    for (let each = element; each; each = each.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(each).overflowX)) {
        return true;
      }
    }
    return false;
  };
  for (const element of document.querySelectorAll("body *")) {
    const { width, right, left } = element.getBoundingClientRect();
    const holdsText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    if (!holdsText || width <= 1 || !element.checkVisibility() || element.closest(".sr, [inert], svg")) {
      continue;
    }
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    if ((right > innerWidth + 1 || left < -1) && !scrolls(element) && position !== "absolute") {
      lost.push(`beyond the edge: ${describe(element)}`);
    }
    if (/hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1) {
      lost.push(`cut: ${describe(element)}`);
    }
  }
  return lost;
}
