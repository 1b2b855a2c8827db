// Asset pages for all entity types of the model, and with unexpected responses of the service.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { Pages, unlessMissing, visit } from "./visit.mjs";

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
// The proxy handles all paths below /api itself.
const pathOf = (urn) => `/${urn.startsWith("urn:li:api:") ? "apis" : urn.split(":")[2]}/${encodeURIComponent(urn)}`;

// The keys of types whose URN has several parts; all other types have a single-word key.
const keys = {
  dataset: "(urn:li:dataPlatform:hive,pages.one,PROD)",
  dataFlow: "(airflow,pages,PROD)",
  dataJob: "(urn:li:dataFlow:(airflow,pages,PROD),one)",
  dataProcess: "(one,airflow,PROD)",
  chart: "(looker,one)",
  dashboard: "(looker,one)",
  notebook: "(querybook,one)",
  dataHubRetention: "(dataset,one)",
  dataPlatformInstance: "(urn:li:dataPlatform:hive,one)",
  mlModel: "(urn:li:dataPlatform:mlflow,one,PROD)",
  mlModelGroup: "(urn:li:dataPlatform:mlflow,one,PROD)",
  mlModelDeployment: "(urn:li:dataPlatform:mlflow,one,PROD)",
  mlFeatureTable: "(urn:li:dataPlatform:feast,one)",
  mlFeature: "(one,age)",
  mlPrimaryKey: "(one,id)",
  schemaField: "(urn:li:dataset:(urn:li:dataPlatform:hive,pages.one,PROD),id)",
  versionSet: "(one,mlModel)",
  semanticModel: "(urn:li:dataPlatform:looker,pages,one)",
  metric: "(urn:li:dataPlatform:looker,pages,one)",
};

const stamp = { time: 1, actor: "urn:li:corpuser:datahub" };
// Aspects that many entity types have.
const aspects = {
  status: { removed: false },
  globalTags: { tags: [{ tag: "urn:li:tag:pages" }] },
  glossaryTerms: { terms: [{ urn: "urn:li:glossaryTerm:pages" }], auditStamp: stamp },
  ownership: { owners: [{ owner: "urn:li:corpuser:datahub", type: "TECHNICAL_OWNER" }] },
  deprecation: { deprecated: true, note: "Old", actor: "urn:li:corpuser:datahub" },
  institutionalMemory: { elements: [{ url: "https://docs.example", description: "Handbook", createStamp: stamp }] },
  subTypes: { typeNames: ["Never heard of"] },
  domains: { domains: ["urn:li:domain:pages"] },
};
// Types that clients cannot write.
const guarded = new Set(["dataHubAccessToken", "inviteToken"]);

describe("assets of every type", unlessMissing("assets of every type"), () => {
  let stack, as, token, types;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    token = await stack.token("types", "urn:li:corpuser:datahub");
    types = (await stack.call(token, "GET", "/openapi/v1/registry/models/entity/specifications?start=0&count=1000")).elements;
    await write("tag", [{ urn: "urn:li:tag:pages", tagProperties: { value: { name: "pages" } } }]);
    await write("glossaryTerm", [{ urn: "urn:li:glossaryTerm:pages", glossaryTermInfo: { value: { name: "Pages", definition: "", termSource: "INTERNAL" } } }]);
    await write("domain", [{ urn: "urn:li:domain:pages", domainProperties: { value: { name: "Pages" } } }]);
  });
  after(() => stack?.stop());

  const write = (type, body) => stack.call(token, "POST", `/openapi/v3/entity/${type}?async=false`, body);
  const urnOf = ({ name }) => `urn:li:${name}:${keys[name] ?? "one"}`;

  // each opens the page of every type in one browser and waits until it shows content.
  const each = (state, shown) =>
    visit(
      stack,
      "/",
      async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        for (const type of shown) {
          const urn = urnOf(type);
          if (type.name === "api" || type.name === "dataset") {
            await page.goto(stack.proxy + pathOf(urn), { waitUntil: "load" }); // these also by navigation of the browser
          } else {
            await page.evaluate((path) => history.pushState(null, "", path), pathOf(urn));
          }
          await page.waitForFunction((path) => location.pathname === path && document.querySelector("main h1, main [class*='bones']"), pathOf(urn));
          await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("[class*='bones']"));
          const { heading, alerts } = await page.evaluate(() => ({ heading: document.querySelector("main h1").innerText, alerts: [...document.querySelectorAll("[role=alert]")].map((alert) => alert.innerText) }));
          assert.ok(heading.trim() !== "", `${urn}, ${state}: no name`);
          assert.equal(heading === "Nothing is filed here", guarded.has(type.name), `${urn}, ${state}: ${heading}`);
          assert.deepEqual(alerts, [], `${urn}, ${state}`);
        }
      },
      // The response for a URN without stored data has status 404.
      { as, expected: [/404/] },
    );

  it("open that are known by their keys alone, and with the aspects that they have", async () => {
    assert.equal(types.length, 72);
    for (const type of types.filter(({ name }) => !guarded.has(name))) {
      await write(type.name, [{ urn: urnOf(type), [type.keyAspectName]: { value: {} } }]);
    }
    await each("without aspects", types);
    const filled = [];
    for (const type of types) {
      const mine = type.aspectSpecs.map(({ aspectAnnotation }) => aspectAnnotation.name).filter((name) => Object.hasOwn(aspects, name));
      if (mine.length > 0) {
        filled.push(type);
        await write(type.name, [{ urn: urnOf(type), ...Object.fromEntries(mine.map((name) => [name, { value: aspects[name] }])) }]);
      }
    }
    await each("with aspects", filled);
  });
});

// broken replaces every step-th member, starting at index first, with the values of others in turn. It
// returns the changed value and the number of replacements.
function broken(value, first, step, others) {
  let at = 0;
  let changed = 0;
  const walk = (inner) => {
    if (at++ % step === first) {
      return others[changed++ % others.length];
    }
    if (Array.isArray(inner)) {
      return inner.map(walk);
    }
    return typeof inner === "object" && inner !== null ? Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, walk(one)])) : inner;
  };
  // The top-level members of the response stay.
  return { value: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)])), changed };
}

// random returns a generator of numbers from 0 to 1 that depend only on the seed (the linear congruential
// generator of Numerical Recipes).
function random(seed) {
  let state = (seed * 2_654_435_761) % 2 ** 32;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("answers that are not as the schema says", unlessMissing("answers that are not as the schema says"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  // The number of visits. Each member is replaced in one of them, and each visit starts with another
  // replacement value.
  const visits = 16;

  it("blank no page", () =>
    pages.visit(
      "/",
      async (page, opened) => {
        const others = [null, "NEVER_HEARD_OF", "x".repeat(10_000), {}, []];
        let first = 0;
        let total = 0;
        await page.route("**/api/graphql", async (route) => {
          const { query } = route.request().postDataJSON();
          if (!/query (Asset|Schema)\b/.test(query)) {
            return route.continue();
          }
          const response = await route.fetch();
          const { data } = await response.json();
          const { value, changed } = broken(data, first, visits, [...others.slice(first % others.length), ...others.slice(0, first % others.length)]);
          total += changed;
          return route.fulfill({ response, json: { data: value } });
        });
        for (; first < visits; first++) {
          await page.goto(stack.proxy + pathOf(orders), { waitUntil: "load" });
          await opened.settled();
          assert.notEqual((await page.locator("main").innerText()).trim(), "", `members from ${first} on`);
          assert.equal(await page.getByText("Something went wrong").count(), 0, `members from ${first} on`);
        }
        assert.ok(total > 250, `${total} members were changed`);
      },
      { as },
    ));

  const other = [null, "NEVER_HEARD_OF", "x".repeat(10_000), {}, [], -1];
  const others = [
    "urn:li:dashboard:(looker,dashboards.morning)",
    "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop_to_warehouse,prod),copy_orders)",
    "urn:li:domain:commerce",
    "urn:li:glossaryTerm:basket",
  ];
  const places = ["/", "/search?query=orders", "/browse", "/glossary", "/domains", "/tags", "/structured-properties", "/forms", "/tests", "/failing", "/changes", "/ingestion", "/operations"];

  // In every response except the session query of the frame, which sign-in depends on, one member in eight is
  // replaced.
  it("blank no tab of the main types, and no page that lists", () =>
    pages.visit(
      "/",
      async (page, opened) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        let value;
        let next = random(1);
        const torn = (inner) => {
          if (next() < 1 / 8) {
            return value;
          }
          if (Array.isArray(inner)) {
            return inner.map(torn);
          }
          return typeof inner === "object" && inner !== null ? Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, torn(one)])) : inner;
        };
        const tornMembers = (all) => Object.fromEntries(Object.entries(all).map(([name, one]) => [name, torn(one)]));
        await page.route(/\/api\/graphql$|\/openapi\/|\/events\/owned/, async (route) => {
          const request = route.request();
          if (request.method() === "POST" && /query Frame\b/.test(request.postDataJSON()?.query ?? "")) {
            return route.continue();
          }
          const response = await route.fetch();
          const json = await response.json().catch(() => undefined);
          if (typeof json !== "object" || json === null) {
            return route.fulfill({ response });
          }
          return route.fulfill({ response, json: json.data ? { ...json, data: tornMembers(json.data) } : Array.isArray(json) ? json.map(torn) : tornMembers(json) });
        });
        let seen = 0;
        const wrong = [];
        const stands = async (path) => {
          const what = `${path} with ${String(JSON.stringify(value)).slice(0, 20)}`;
          await opened.settled().catch((error) => wrong.push(`${what}: goes on loading: ${error.message}`));
          if ((await page.locator("main").innerText()).trim() === "") {
            wrong.push(`${what}: blank`);
          }
          if ((await page.getByText(/Something went wrong|could not be loaded/).count()) > 0) {
            wrong.push(`${what}: a part is lost`);
          }
          seen += 1;
        };
        for (const [turn, path] of [...places, ...[orders, ...others].map(pathOf)].entries()) {
          for (const round of [0, 1]) {
            value = other[(2 * turn + round) % other.length];
            next = random(100 * turn + round);
            await page.goto(stack.proxy + path, { waitUntil: "load" });
            await stands(path);
            const tabs = await page.getByRole("navigation", { name: "Parts of this asset" }).getByRole("link").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
            for (const tab of tabs.slice(1)) {
              value = other[(seen + round) % other.length];
              await page.evaluate((to) => history.pushState(null, "", to), tab);
              await stands(tab);
            }
          }
        }
        console.log(`${seen} pages and tabs with broken answers`);
        assert.deepEqual(wrong, []);
        assert.ok(seen > 80, `${seen} pages and tabs`);
      },
      { as },
    ));
});
