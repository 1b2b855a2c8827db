// Helpers for UI tests. They assert the general requirements of pages: no other hosts, no violations of the
// content security policy, no console errors, no violations of WCAG 2.2 A and AA, few requests.
// SCREENSHOTS=folder stores screenshots.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";

import { Browser, chromium } from "./browser.mjs";

const missing = !existsSync(chromium) && `no browser at ${chromium}: set CHROMIUM, or install it`;

// unlessMissing returns the options of a suite that is skipped, with a message, if there is no browser.
export function unlessMissing(what) {
  if (missing) {
    console.error(`\n!!! SKIPPED: ${what} in a browser: ${missing}\n`);
  }
  return { skip: missing, timeout: 1_800_000 }; // on two busy cores a suite may take ten minutes
}

const mostOperations = 3;

// The supported window sizes.
export const sizes = [
  { width: 1440, height: 900 },
  { width: 1100, height: 800 },
  { width: 400, height: 800 },
];

// visit runs a story on a page, and then asserts that the page has used no other hosts, violated no content
// security policy and logged no unexpected errors.
//
//   as        credentials {username, password} of the signed-in user; signed out if absent
//   scheme    light or dark
//   size      of the window, in CSS pixels
//   scale     device pixels per CSS pixel
//   expected  patterns of console errors that the story causes, such as a refusal
export async function visit(stack, path, story, { as, scheme = "light", size = sizes[0], scale = 1, expected = [] } = {}) {
  const browser = await Browser.launch(scheme, scale);
  try {
    if (as) {
      await browser.signIn(stack.proxy, as.username, as.password);
    }
    const opened = await browser.open(stack.proxy + path, size);
    await story(opened.page, opened);
    await promises(opened, expected);
  } finally {
    await browser.close();
  }
}

// Pages provides pages that the stories of a suite share, one per user: opening a page in a new browser takes
// three times as long as in an existing tab. Stories that use a fake clock or init scripts call visit
// instead.
export class Pages {
  #stack;
  #tabs = new Map();

  constructor(stack) {
    this.#stack = stack;
  }

  // visit is like the function visit, on a page that earlier stories may have used, with empty browser
  // storage.
  async visit(path, story, { as, scheme = "light", size = sizes[0], expected = [] } = {}) {
    const address = this.#stack.proxy + path;
    const name = as?.username ?? "";
    const tab = this.#tabs.get(name) ?? (await this.#open(as, address, size));
    const { opened } = tab;
    // A failed story leaves its page in an undefined state, so the next story gets a new one.
    this.#tabs.delete(name);
    try {
      await opened.page.setViewportSize(size);
      await opened.page.emulateMedia({ colorScheme: scheme });
      if (tab.used) {
        await opened.again(address);
      }
      await story(opened.page, opened);
      await promises(opened, expected);
      await opened.page.unrouteAll({ behavior: "ignoreErrors" });
    } catch (error) {
      await tab.browser.close();
      throw error;
    }
    this.#tabs.set(name, { ...tab, used: true });
  }

  async #open(as, address, size) {
    const browser = await Browser.launch();
    try {
      if (as) {
        await browser.signIn(this.#stack.proxy, as.username, as.password);
      }
      return { browser, opened: await browser.open(address, size, { cached: true }), used: false };
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async close() {
    await Promise.all([...this.#tabs.values()].map(({ browser }) => browser.close()));
    this.#tabs.clear();
  }
}

// sessionCookies returns the names of the cookies of a page, except the device cookie of the proxy. That
// cookie remains after sign-out: it grants no access, but shows at sign-in that the owner of the account has
// used this browser before.
export const sessionCookies = async (page) => (await page.context().cookies()).map(({ name }) => name).filter((name) => name !== "cartulary_device");

async function promises(opened, expected = []) {
  const { violations } = await opened.seen();
  assert.deepEqual(opened.foreign, [], "requests to other hosts");
  assert.deepEqual(violations, [], "against the content policy");
  assert.deepEqual(opened.errors.filter((text) => !expected.some((pattern) => pattern.test(text))), [], "errors on the console");
}

// shown opens a page in both schemes at all sizes, waits until ready(page) resolves, and asserts all
// requirements.
export async function shown(stack, path, name, ready, { as, expected = [] } = {}) {
  for (const scheme of ["light", "dark"]) {
    await visit(
      stack,
      path,
      async (page, opened) => {
        await settled(page, ready);
        assert.ok(opened.operations <= mostOperations, `${opened.operations} GraphQL requests to show ${path}`);
        const { lcp } = await opened.seen();
        console.log(`${name}, ${scheme}: largest paint after ${lcp.toFixed(0)} ms, ${opened.operations} GraphQL requests`);
        for (const size of sizes) {
          await page.setViewportSize(size);
          await settled(page, ready);
          const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
          assert.ok(wide <= room, `${path} is ${wide} px wide in a window of ${room}`);
          await opened.picture(`${name}-${size.width}-${scheme}`);
          assert.deepEqual(await opened.accessibility(), [], `${path}, ${scheme}, ${size.width} wide, against WCAG 2.2 A and AA`);
        }
      },
      { ...(as ? { as } : {}), scheme, expected },
    );
  }
}

// go navigates to another page like a link inside the pages, without reloading the document.
export const go = (page, path) => page.evaluate((to) => history.pushState(null, "", to), path);

// fewRequests asserts that a page has sent no more GraphQL requests than allowed.
export const fewRequests = (opened) => assert.ok(opened.operations <= mostOperations, `${opened.operations} GraphQL requests to show ${opened.page.url()}`);

// settled waits until ready(page) resolves and no skeletons are left.
export async function settled(page, ready) {
  await ready(page);
  await page.waitForFunction(() => !document.querySelector('[class*="bones"]'));
}

// POST requests that change data but are not GraphQL mutations.
const posts = /^\/(openapi\/v3\/entity\/\w+|logIn|signUp|resetNativeUserCredentials)$/u;

// isChange returns whether a request changes data.
export function isChange(request) {
  const { pathname } = new URL(request.url());
  if (pathname.endsWith("/api/graphql")) {
    return /^\s*mutation\b/.test(request.postDataJSON().query);
  }
  return ["PATCH", "PUT", "DELETE"].includes(request.method()) || (request.method() === "POST" && posts.test(pathname));
}

// changeOf returns the name of a change: the mutation name, or method and path without identifiers.
export function changeOf(request) {
  const { pathname, searchParams } = new URL(request.url());
  if (pathname.endsWith("/api/graphql")) {
    return /^\s*mutation (\w+)/.exec(request.postDataJSON().query)?.[1];
  }
  const action = searchParams.get("action");
  return `${request.method()} ${pathname.replaceAll(/urn%3A[^/]+|(?<=\/tasks\/)[^/]+/gu, "*")}${action ? `?action=${action}` : ""}`;
}

// answered runs an action that changes the catalog, and waits for the response, because pages show the
// expected result earlier. With a name it waits for that change only.
export async function answered(page, act, name) {
  const [request] = await Promise.all([page.waitForRequest((sent) => (name === undefined ? isChange(sent) : changeOf(sent) === name)), act()]);
  const response = await request.response();
  await response.finished();
  return response;
}

// orByItself runs an action that leads to a state, and waits for the state. The page may reach the state
// earlier and remove the button.
export const orByItself = (act, state) => Promise.any([act().then(() => state), state]);

// toggle searches in an open selection list and toggles the first entry with a name. It waits for the entries that were
// searched for: a click while they replace others may meet none.
export async function toggle(list, text, name) {
  await list.getByRole("searchbox").fill(text);
  await list.locator('ul[aria-busy="false"]').waitFor();
  const entry = list.getByRole("checkbox", { name }).first();
  await entry.setChecked(!(await entry.isChecked()));
}

// tabTo presses Tab until an element has the focus, like a user without a mouse.
export async function tabTo(page, locator, most = 60) {
  for (let pressed = 0; pressed < most; pressed++) {
    if (await locator.evaluate((element) => element === document.activeElement).catch(() => false)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`it takes more than ${most} presses of Tab to reach ${locator}`);
}
