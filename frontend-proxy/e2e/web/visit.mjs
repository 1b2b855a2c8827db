// What every page keeps, for tests of the pages: no other host, no breach of the content policy, no error on the console,
// nothing against WCAG 2.2 A and AA, few requests. SCREENSHOTS=folder keeps a picture of each.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";

import { Browser, chromium } from "./browser.mjs";

const missing = !existsSync(chromium) && `no browser at ${chromium}: set CHROMIUM, or install it`;

// unlessMissing gives the options of a suite, which is left out loudly where there is no browser.
export function unlessMissing(what) {
  if (missing) {
    console.error(`\n!!! SKIPPED: ${what} in a browser: ${missing}\n`);
  }
  return { skip: missing, timeout: 1_800_000 }; // on two busy cores a suite may take ten minutes
}

const mostOperations = 3;

// The sizes that pages are made for.
export const sizes = [
  { width: 1440, height: 900 },
  { width: 1100, height: 800 },
  { width: 400, height: 800 },
];

// visit runs a story on a page and asks afterwards that the page kept its promises.
//
//   as        who is signed in: {username, password}, nobody if absent
//   scheme    light or dark
//   size      of the window, in pixels of CSS
//   scale     pixels of the screen for each of CSS
//   expected  patterns of errors on the console that the story brings about, such as a refusal
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

// Pages are pages that the stories of a suite share, one for each person: in a browser that knows nothing a page takes three
// times as long as one more in the same tab. Stories that hand in a clock or scripts visit by themselves.
export class Pages {
  #stack;
  #tabs = new Map();

  constructor(stack) {
    this.#stack = stack;
  }

  // visit does as the visit above, on a page that stories before it may have used: nothing is stored in its browser.
  async visit(path, story, { as, scheme = "light", size = sizes[0], expected = [] } = {}) {
    const address = this.#stack.proxy + path;
    const name = as?.username ?? "";
    const tab = this.#tabs.get(name) ?? (await this.#open(as, address, size));
    const { opened } = tab;
    // A story that fails leaves its page behind in some state: the next one has another.
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

// sessionCookies gives the names of the cookies of a page without the one by which the proxy knows a browser: it stays after
// sign-out, as it opens nothing and tells sign-in that the owner of the account has used this browser before.
export const sessionCookies = async (page) => (await page.context().cookies()).map(({ name }) => name).filter((name) => name !== "cartulary_device");

async function promises(opened, expected = []) {
  const { violations } = await opened.seen();
  assert.deepEqual(opened.foreign, [], "requests to other hosts");
  assert.deepEqual(violations, [], "against the content policy");
  assert.deepEqual(opened.errors.filter((text) => !expected.some((pattern) => pattern.test(text))), [], "errors on the console");
}

// shown opens a page in both schemes at all sizes, waits until ready(page) resolves, and holds each to all promises.
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

// go shows another page as a link within the pages does, without loading the document anew.
export const go = (page, path) => page.evaluate((to) => history.pushState(null, "", to), path);

// fewRequests asserts that the page which a visit has opened has sent no more GraphQL requests than a page may.
export const fewRequests = (opened) => assert.ok(opened.operations <= mostOperations, `${opened.operations} GraphQL requests to show ${opened.page.url()}`);

// settled waits until a page shows what it was opened for, and no bones are left.
export async function settled(page, ready) {
  await ready(page);
  await page.waitForFunction(() => !document.querySelector('[class*="bones"]'));
}

// The requests by POST that change something, and neither run a mutation nor only ask.
const posts = /^\/(openapi\/v3\/entity\/\w+|logIn|signUp|resetNativeUserCredentials)$/u;

// isChange tells whether a request changes something.
export function isChange(request) {
  const { pathname } = new URL(request.url());
  if (pathname.endsWith("/api/graphql")) {
    return /^\s*mutation\b/.test(request.postDataJSON().query);
  }
  return ["PATCH", "PUT", "DELETE"].includes(request.method()) || (request.method() === "POST" && posts.test(pathname));
}

// changeOf names a request: by its mutation, or by method and path, without what it is about.
export function changeOf(request) {
  const { pathname, searchParams } = new URL(request.url());
  if (pathname.endsWith("/api/graphql")) {
    return /^\s*mutation (\w+)/.exec(request.postDataJSON().query)?.[1];
  }
  const action = searchParams.get("action");
  return `${request.method()} ${pathname.replaceAll(/urn%3A[^/]+|(?<=\/tasks\/)[^/]+/gu, "*")}${action ? `?action=${action}` : ""}`;
}

// answered does something that changes the catalog, and waits until the catalog has: pages show what they expect before.
// With a name it waits for that change alone.
export async function answered(page, act, name) {
  const [request] = await Promise.all([page.waitForRequest((sent) => (name === undefined ? isChange(sent) : changeOf(sent) === name)), act()]);
  const response = await request.response();
  await response.finished();
  return response;
}

// orByItself does something that brings a state about, and waits for the state: the page may come to it before, and take away
// what was to be clicked.
export const orByItself = (act, state) => Promise.any([act().then(() => state), state]);

// tabTo presses Tab until what a locator finds has the focus, as somebody without a mouse does.
export async function tabTo(page, locator, most = 60) {
  for (let pressed = 0; pressed < most; pressed++) {
    if (await locator.evaluate((element) => element === document.activeElement).catch(() => false)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`it takes more than ${most} presses of Tab to reach ${locator}`);
}
