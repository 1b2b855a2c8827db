// A real browser that knows nothing, and visits that record what a page did.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

// CPU_SLOWDOWN=4 runs pages at a quarter of the speed, which shows tests that wait for less than they need.
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

// Runs in the page before anything of it: what went against the policy, and when the largest part was painted.
function watch() {
  globalThis.seen = { violations: [], lcp: 0 };
  addEventListener("securitypolicyviolation", (event) => {
    globalThis.seen.violations.push(`${event.effectiveDirective}: ${event.blockedURI}`);
  });
  new PerformanceObserver((list) => {
    globalThis.seen.lcp = list.getEntries().at(-1).startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
}

// One Chromium is started for the visits of a file, each in a context of its own, which shares nothing with others: neither
// cookies nor storage nor what was cached. It ends soon after the last of them, as the process would wait for it.
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

  // launch gives a browser that knows nothing. One that is alone has a process and a folder of its own, for figures.
  static async launch(colorScheme = "light", deviceScaleFactor = 1, { alone = false } = {}) {
    const browser = new Browser();
    const options = {
      colorScheme,
      reducedMotion: "reduce", // what fades is neither looked at nor clicked half-way
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor,
    };
    if (alone) {
      browser.#profile = await mkdtemp(path.join(tmpdir(), "chromium-"));
      browser.#context = await require("playwright-core").chromium.launchPersistentContext(browser.#profile, { ...options, executablePath: chromium, headless: true, args: flags });
    } else {
      browser.#context = await contextOf(options);
    }
    browser.#context.setDefaultTimeout(30_000);
    await browser.#context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await browser.#context.addInitScript(watch);
    return browser;
  }

  // signIn puts a session into the cookie jar.
  async signIn(address, username, password) {
    const answer = await this.#context.request.post(`${address}/logIn`, { data: { username, password } });
    if (!answer.ok()) {
      throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
    }
  }

  // open goes to a page, and forgets what it knew of files.
  async open(address, size) {
    const page = await this.#context.newPage();
    if (size) {
      await page.setViewportSize(size);
    }
    const visit = new Visit(page, new URL(address).origin);
    await visit.begin(address);
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

// Visit is one page from its first request on.
export class Visit {
  #finished = [];
  #operations = 0;
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
    page.on("requestfinished", (request) => this.#finished.push(request));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.errors.push(`${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  async begin(address) {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await this.page.goto(address, { waitUntil: "load" });
  }

  // paste puts a text where the cursor is, by the clipboard: an editor completes what is typed.
  async paste(text) {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press("Control+V");
  }

  // operations is how many GraphQL requests the page has sent.
  get operations() {
    return this.#operations;
  }

  // bytes gives what came over the wire from addresses with a text in them.
  async bytes(part) {
    const sizes = await Promise.all(this.#finished.filter((request) => request.url().includes(part)).map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize, 0);
  }

  // seen gives violations of the content policy, and the time of the largest paint in ms.
  seen() {
    return this.page.evaluate(() => globalThis.seen);
  }

  // accessibility gives the ids of the WCAG rules that are broken, with the elements.
  async accessibility() {
    await this.page.waitForFunction(() => document.getAnimations().every((animation) => animation.effect?.getComputedTiming().endTime === Infinity || animation.playState !== "running"));
    // Not a script element: the page's policy has no place for one.
    await this.page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = await this.page.evaluate(() =>
      globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(" ")}: ${node.failureSummary}`));
  }

  // picture keeps a screenshot where SCREENSHOTS says, for people to look at.
  async picture(name) {
    if (process.env.SCREENSHOTS) {
      await this.page.screenshot({ path: path.join(process.env.SCREENSHOTS, `${name}.png`) });
    }
  }
}
