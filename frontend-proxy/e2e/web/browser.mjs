// A browser without stored data, and visits that record the activity of a page.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

const patience = 30_000; // ms

// CPU_SLOWDOWN=4 runs pages at a quarter of the speed, which reveals tests that do not wait long enough.
const slowdown = Number(process.env.CPU_SLOWDOWN ?? 1);

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// Runs in the page before its own scripts: records violations of the content security policy, and the time of
// the largest paint.
function watch() {
  globalThis.seen = { violations: [], lcp: 0 };
  addEventListener("securitypolicyviolation", (event) => {
    globalThis.seen.violations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
  });
  new PerformanceObserver((list) => {
    globalThis.seen.lcp = list.getEntries().at(-1).startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
}

// All visits of a test file share one Chromium process. Each has its own context, with separate cookies,
// storage and cache. Chromium exits soon after the last visit, because the test process would wait for it.
const lingers = 1000; // ms
let chromiumOfAll;
let open = 0;
let end;

async function contextOf(options) {
  clearTimeout(end);
  open++;
  try {
    chromiumOfAll ??= require("playwright-core").chromium.launch({ executablePath: chromium, headless: true, args: flags });
    return await (await chromiumOfAll).newContext(options);
  } catch (error) {
    chromiumOfAll = undefined;
    leave();
    throw error;
  }
}

function leave() {
  open--;
  if (open === 0) {
    end = setTimeout(() => {
      const last = chromiumOfAll;
      chromiumOfAll = undefined;
      void last?.then((browser) => browser.close());
    }, lingers);
  }
}

export class Browser {
  #profile;
  #context;

  // launch returns a browser without stored data. With alone it has its own process and profile folder, for
  // measurements.
  static async launch(colorScheme = "light", deviceScaleFactor = 1, { alone = false } = {}) {
    const browser = new Browser();
    const options = {
      colorScheme,
      reducedMotion: "reduce", // without partly transparent elements in checks and clicks
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor,
    };
    if (alone) {
      browser.#profile = await mkdtemp(path.join(tmpdir(), "chromium-"));
      browser.#context = await require("playwright-core").chromium.launchPersistentContext(browser.#profile, { ...options, executablePath: chromium, headless: true, args: flags });
    } else {
      browser.#context = await contextOf(options);
    }
    browser.#context.setDefaultTimeout(patience);
    await browser.#context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await browser.#context.addInitScript(watch);
    return browser;
  }

  // signIn stores a session cookie.
  async signIn(address, username, password) {
    const answer = await this.#context.request.post(`${address}/logIn`, { data: { username, password } });
    if (!answer.ok()) {
      throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
    }
  }

  // open opens a page. Without cached, the browser cache is disabled.
  async open(address, size, { cached = false } = {}) {
    const page = await this.#context.newPage();
    if (size) {
      await page.setViewportSize(size);
    }
    const visit = new Visit(page, new URL(address).origin);
    await visit.begin(address, cached);
    return visit;
  }

  async close() {
    await this.#context.close();
    if (this.#profile) {
      await rm(this.#profile, { recursive: true, force: true });
    } else {
      leave();
    }
  }
}

// asksTheCatalog returns whether a request is an API request with a finite response, unlike the stream of
// changes.
const asksTheCatalog = (request) => /\/(api|openapi)\//.test(new URL(request.url()).pathname) && ["fetch", "xhr"].includes(request.resourceType()) && !request.url().includes("/events");

// Visit is one page, from its first request on.
export class Visit {
  #finished = [];
  #operations = 0;
  #asked = new Set();
  foreign = [];
  errors = [];

  constructor(page, origin) {
    this.page = page;
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin && url.protocol !== "data:") {
        this.foreign.push(request.url());
      }
    });
    page.on("request", (request) => {
      this.#operations += new URL(request.url()).pathname.endsWith("/api/graphql") ? 1 : 0;
    });
    page.on("request", (request) => {
      if (asksTheCatalog(request)) {
        this.#asked.add(request);
      }
    });
    page.on("requestfailed", (request) => this.#asked.delete(request));
    page.on("requestfinished", (request) => {
      this.#asked.delete(request);
      this.#finished.push(request);
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.errors.push(`${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  async begin(address, cached = false) {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: !cached });
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await this.page.goto(address, { waitUntil: "load" });
  }

  // again restarts on the same page: it clears the browser storage and all records.
  async again(address) {
    await this.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    this.#finished = [];
    this.#operations = 0;
    this.#asked.clear();
    this.foreign = [];
    this.errors = [];
    await this.page.goto(address, { waitUntil: "load" });
  }

  // settled waits until the page has a heading, no skeletons and no pending requests.
  async settled() {
    const { page } = this;
    const end = Date.now() + patience;
    do {
      await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector('[class*="bones"]'));
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      if (Date.now() > end) {
        throw new Error(`${page.url()} still waits for ${[...this.#asked].map((request) => request.url()).join(" ")}`);
      }
    } while (this.#asked.size > 0 || (await page.locator('[class*="bones"]').count()) > 0);
  }

  // paste inserts a text at the cursor from the clipboard, because editors auto-complete typed text.
  async paste(text) {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press("Control+V");
  }

  // operations is the number of GraphQL requests that the page has sent.
  get operations() {
    return this.#operations;
  }

  // bytes returns the transferred bytes of responses whose address contains a text.
  async bytes(part) {
    const sizes = await Promise.all(this.#finished.filter((request) => request.url().includes(part)).map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize, 0);
  }

  // seen returns violations of the content security policy, and the time of the largest paint in ms.
  seen() {
    return this.page.evaluate(() => globalThis.seen);
  }

  // accessibility returns violations of the given WCAG rules, by default those of levels A and AA, with the
  // elements concerned.
  async accessibility(rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], within = undefined) {
    await this.page.waitForFunction(() => document.getAnimations().every((animation) => animation.effect?.getComputedTiming().endTime === Infinity || animation.playState !== "running"));
    // A script element would violate the content security policy of the page.
    if (!(await this.page.evaluate(() => "axe" in globalThis))) {
      await this.page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
    }
    const { violations } = await this.page.evaluate(([runOnly, selector]) => globalThis.axe.run(selector ?? document, { runOnly, resultTypes: ["violations"] }), [rules, within]);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(" ")}: ${node.failureSummary}`));
  }

  // accessibilityWithin checks only the elements of a selector, which is faster than the whole page.
  accessibilityWithin(selector) {
    return this.accessibility(undefined, selector);
  }

  // picture saves a screenshot to the folder SCREENSHOTS, if set, for manual review.
  async picture(name) {
    if (process.env.SCREENSHOTS) {
      await this.page.screenshot({ path: path.join(process.env.SCREENSHOTS, `${name}.png`) });
    }
  }
}
