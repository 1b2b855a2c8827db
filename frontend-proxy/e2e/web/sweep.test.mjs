// Every page and every tab, in both colour schemes and at all widths. There must be no violation of WCAG 2.2
// A and AA, no console error, no violation of the content security policy, no other host, no failed request,
// few requests, and no content that is wider than the window or cut off. A route or a tab that is not visited
// is a failure. Other tests need not check any of this.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { sizes, unlessMissing } from "./visit.mjs";

const source = (file) => readFile(path.resolve(import.meta.dirname, "../../web/src", file), "utf8");
const encoded = (path, urn, tab = "") => `/${path}/${encodeURIComponent(urn)}${tab && `/${tab}`}`;
const pathOf = (urn, tab) => encoded(urn.split(":")[2], urn, tab);

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)";
const wide = "urn:li:dataset:(urn:li:dataPlatform:hive,sweep.wide,PROD)";
const removed = "urn:li:container:sweep-removed";
const revenue = "urn:li:glossaryTerm:net-revenue";
const metrics = "urn:li:glossaryNode:fernhill.metrics";

// The addresses to visit for each route, by route pattern.
const addresses = {
  "/": ["/"],
  "/glossary": ["/glossary"],
  "/glossaryTerm/:urn/:tab?": ["", "related", "documentation"].map((tab) => pathOf(revenue, tab)),
  "/glossaryNode/:urn/:tab?": [pathOf(metrics)],
  "/domains": ["/domains", `/domains?open=${encodeURIComponent("urn:li:domain:operations")}`],
  "/data-products": ["/data-products"],
  "/applications": ["/applications"],
  "/tags": ["/tags"],
  "/structured-properties": ["/structured-properties"],
  "/forms": ["/forms"],
  "/form/:urn": [pathOf("urn:li:form:care-of-tables")],
  "/browse": ["/browse", `/browse?platform=${encodeURIComponent("urn:li:dataPlatform:snowflake")}`],
  "/failing": ["/failing"],
  "/search": ["/search", "/search?query=customer", "/search?query=no-such-asset&filter_tags___false___EQUAL___0=urn%3Ali%3Atag%3Asensor"],
  "/tests/:test?": ["/tests", "/tests?view=runs", "/tests/new", "/tests/new?view=text"],
  "/ingestion": ["/ingestion"],
  "/ingestion/secrets": ["/ingestion/secrets"],
  "/ingestion/sources/:source": [encoded("ingestion/sources", "urn:li:dataHubIngestionSource:fernhill-greenhouse-kafka")],
  "/ingestion/runs/:run": [encoded("ingestion/runs", "urn:li:dataHubExecutionRequest:fernhill-shop-postgres-14")],
  "/changes": ["/changes"],
  "/operations": ["", "?view=table", "?tab=tasks", "?tab=rebuild", "?tab=health", "?tab=backups"].map((query) => `/operations${query}`),
  "/settings/profile": ["/settings/profile"],
  "/settings/tokens": ["/settings/tokens"],
  "/settings/users": ["/settings/users"],
  "/settings/policies": ["/settings/policies"],
  "/settings/policies/:urn": [encoded("settings/policies", "urn:li:dataHubPolicy:editor-metadata-policy"), "/settings/policies/new"],
  "/settings/groups": ["/settings/groups", "/settings/groups?group=urn%3Ali%3AcorpGroup%3Aanalytics"],
  "/settings/roles": ["/settings/roles"],
  "/settings/service-accounts": ["/settings/service-accounts"],
  "/settings/announcements": ["/settings/announcements"],
  "/settings/audit": ["/settings/audit"],
};

// One asset of each type in the sample company.
const assets = [
  orders,
  "urn:li:dashboard:(looker,dashboards.revenue)",
  "urn:li:chart:(looker,dashboard_elements.101)",
  "urn:li:dataFlow:(airflow,shop_to_warehouse,prod)",
  "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop_to_warehouse,prod),copy_orders)",
  "urn:li:container:looker-marketing",
  "urn:li:domain:operations",
  "urn:li:dataProduct:churn",
  "urn:li:application:greenhouse-control",
  "urn:li:tag:certified",
  "urn:li:corpuser:thistle.rake",
  "urn:li:corpGroup:analytics",
  "urn:li:dataPlatform:snowflake",
  "urn:li:dataPlatformInstance:(urn:li:dataPlatform:kafka,garden_stream)",
  "urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn_3,PROD)",
  "urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)",
  "urn:li:mlModelDeployment:(urn:li:dataPlatform:sagemaker,demand-weekly,PROD)",
  "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,customer_features)",
  "urn:li:mlFeature:(customer_features,net_revenue_365d)",
  "urn:li:mlPrimaryKey:(product_features,sku)",
  "urn:li:structuredProperty:fernhill.data_class",
  "urn:li:incident:voucher-double",
];

// States of the asset page that no tab shows by default.
const states = [
  pathOf(orders, "Schema?column=status"),
  pathOf(orders, "Schema?version=0.0.0"),
  pathOf(orders, "Schema?version=9.9.9"),
  ...["table", "impact"].map((view) => pathOf(orders, `Lineage?view=${view}`)),
  pathOf(orders, "Lineage?column=net_revenue_eur"),
  ...["", "Documentation", "Facts"].map((tab) => pathOf(wide, tab)),
  pathOf(removed),
];

// Addresses without an entity. Their 404 responses cause expected console errors.
const missing = ["/gadget/urn:li:gadget:(one,two)", "/tests/urn%3Ali%3Atest%3Agone", pathOf(orders.replace("fct_orders", "fct_ord"))];

const mostOperations = 3; // for the display of a page
const window200 = { width: 720, height: 450 }; // 1440 by 900 at 200 % zoom

// Sweep visits addresses on one page and collects the problems.
class Sweep {
  wrong = [];
  visited = 0;
  #browser;
  #seen = 0;
  #asked = new Set(); // GraphQL requests of previous addresses, by request body
  #asks = []; // those of the current address

  static async begin(stack, as) {
    const sweep = new Sweep();
    sweep.#browser = await Browser.launch();
    if (as) {
      await sweep.#browser.signIn(stack.proxy, as.username, as.password);
    }
    sweep.opened = await sweep.#browser.open(`${stack.proxy}${as ? "/settings/profile" : "/login"}`, sizes[0], { cached: true });
    sweep.page = sweep.opened.page;
    sweep.page.on("request", (request) => {
      if (new URL(request.url()).pathname.endsWith("/api/graphql")) {
        sweep.#asks.push(request.postData());
      }
    });
    sweep.page.on("requestfailed", (request) => {
      if (request.failure().errorText !== "net::ERR_ABORTED") {
        sweep.#note(`${request.url()}: ${request.failure().errorText}`);
      }
    });
    return sweep;
  }

  close() {
    return this.#browser.close();
  }

  #note(text) {
    this.wrong.push(`${new URL(this.page.url()).pathname}: ${text}`);
  }

  // open navigates to an address like a link of the page. Repeated requests are not counted, because pages
  // refetch data after a minute.
  async open(address) {
    const { page, opened } = this;
    this.visited++;
    this.#asks.splice(0).forEach((asked) => this.#asked.add(asked));
    await page.evaluate((to) => history.pushState(null, "", to), address);
    await page.waitForFunction(() => document.querySelector("main h1, main [class*='bones']"));
    await opened.settled().catch((error) => this.#note(error.message));
    const asks = this.#asks.filter((ask) => !this.#asked.has(ask)).length;
    if (asks > mostOperations) {
      this.#note(`${asks} GraphQL requests`);
    }
  }

  // check examines the page in both schemes and at all widths, and collects errors since the last check.
  async check({ rules = true, expected = [], address }) {
    const { page, opened } = this;
    for (const size of [...sizes, window200]) {
      await page.setViewportSize(size);
      await opened.settled();
      const lost = await page.evaluate(cutOff, size === window200);
      lost.forEach((text) => this.#note(`${size.width} wide: ${text}`));
      if (rules && size === sizes[0]) {
        (await opened.accessibility()).forEach((text) => this.#note(`light: ${text}`));
        await page.emulateMedia({ colorScheme: "dark" });
        (await opened.accessibility(["color-contrast"])).forEach((text) => this.#note(`dark: ${text}`));
      }
      if (rules && size === sizes[2]) {
        (await opened.accessibility()).forEach((text) => this.#note(`dark, ${size.width} wide: ${text}`));
      }
      await opened.picture(`sweep-${address.replaceAll(/[^A-Za-z]+/gu, "-").slice(1, 80)}-${size.width}`);
    }
    await page.setViewportSize(sizes[0]);
    await page.emulateMedia({ colorScheme: "light" });
    const { violations } = await opened.seen();
    violations.splice(0, this.#seen);
    this.#seen += violations.length;
    violations.forEach((text) => this.#note(`against the content policy: ${text}`));
    opened.foreign.splice(0).forEach((url) => this.#note(`asks another host: ${url}`));
    opened.errors.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text))).forEach((text) => this.#note(`on the console: ${text}`));
  }

  async visit(address, options = {}) {
    await this.open(address);
    await this.check({ address, ...options });
  }
}

describe("every page", unlessMissing("every page"), () => {
  let stack, as, sweep;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    await addStates(stack);
    sweep = await Sweep.begin(stack, as);
  });
  after(async () => {
    await sweep?.close();
    await stack?.stop();
  });

  it("of the routes is as all are to be", async () => {
    const routes = [...(await source("app/routes.tsx")).matchAll(/pageAt\("(\/[^"]*)"/gu)].map(([, route]) => route);
    assert.deepEqual(Object.keys(addresses).toSorted(), routes.toSorted(), "routes without an address here");
    for (const address of Object.values(addresses).flat()) {
      await sweep.visit(address);
    }
    for (const address of missing) {
      await sweep.visit(address, { expected: [/status of 40[04]/u] });
    }
    const signedOut = await Sweep.begin(stack);
    await signedOut.check({ address: "/login", expected: [/status of 401/u] });
    await signedOut.close();
    assert.deepEqual([...sweep.wrong.splice(0), ...signedOut.wrong], []);
  });

  it("of an asset of each type, by all of its tabs, is as all are to be", async () => {
    const tabs = new Set([...(await source("app/asset-tabs.ts")).matchAll(/\bname: "(\w+)"/gu)].map(([, name]) => name));
    const left = new Set(tabs);
    for (const urn of assets) {
      await sweep.open(pathOf(urn));
      const links = await sweep.page.getByRole("navigation", { name: "Parts of this asset" }).getByRole("link").evaluateAll((all) => all.map((link) => new URL(link.href).pathname));
      for (const [at, address] of links.entries()) {
        const tab = address.split("/")[3];
        // The rules are checked once for a tab that several types share, and for each type on its first tab.
        await sweep.visit(address, { rules: at === 0 || left.has(tab) });
        left.delete(tab);
      }
      assert.ok(links.length > 0, urn);
    }
    for (const address of states) {
      await sweep.visit(address);
    }
    assert.deepEqual([...left], [], "tabs that no asset here has");
    assert.deepEqual(sweep.wrong.splice(0), []);
    console.log(`${sweep.visited} pages and tabs`);
  });
});

// addStates adds data that the sample company lacks: an asset with 4,004 columns, 300 tags and texts with
// markup and both writing directions, a removed asset, and an announcement.
async function addStates(stack) {
  const token = await stack.token("sweep", "urn:li:corpuser:datahub");
  const write = (type, body) => stack.call(token, "POST", `/openapi/v3/entity/${type}?async=false`, body);
  const hostile = `<img src=x onerror=alert(1)> **bold** ملف العميل ${"a_long_name_".repeat(8)}`;
  const field = (fieldPath, more = {}) => ({ fieldPath, nativeDataType: "STRING", type: { type: { "com.linkedin.schema.StringType": {} } }, ...more });
  const fields = [field("outer", { description: hostile }), field("outer.inner"), field(`outer.${"a_long_name_".repeat(8)}`, { description: hostile }), field("اسم العميل"), ...Array.from({ length: 4000 }, (_, at) => field(`column_${at}`))];
  const tags = Array.from({ length: 300 }, (_, at) => ({ urn: `urn:li:tag:sweep-${at}`, tagProperties: { value: { name: at === 0 ? "<b>bold</b>" : `sweep ${at}` } } }));
  await write("tag", tags);
  await write("dataset", [
    {
      urn: wide,
      schemaMetadata: { value: { schemaName: "wide", platform: "urn:li:dataPlatform:hive", version: 0, hash: "", platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } }, fields } },
      datasetProperties: { value: { name: `${"a_very_long_name_".repeat(7)}1`, description: hostile } },
      globalTags: { value: { tags: tags.map(({ urn }) => ({ tag: urn })) } },
    },
  ]);
  await write("container", [{ urn: removed, containerProperties: { value: { name: "Old shelf" } }, status: { value: { removed: true } } }]);
  await stack.graphql("mutation($i: CreatePostInput!) { createPost(input: $i) }", {
    i: { postType: "HOME_PAGE_ANNOUNCEMENT", content: { contentType: "LINK", title: "Tidy week <b>", description: "Describe **three** assets.", link: "https://wiki.example/tidy" } },
  });
}

// cutOff returns elements that are wider than the page. With eachText it also returns texts that are cut off
// at an edge without scrolling. It runs in the page.
function cutOff(eachText) {
  const lost = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    lost.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${innerWidth}`);
  }
  if (!eachText) {
    return lost;
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
