// Measures page load times on a large catalog: from navigation to the largest paint and to the content, with
// the transferred bytes, and from a key press to the suggestions below the search field. It prints the
// results and asserts nothing.
//
//   BENCH_WEB_ASSETS  datasets, default 100000; 0 for the sample company instead
//   BENCH_WEB_ROWS    rows of time series, default 2000000
//   BENCH_WEB_VISITS  visits of each page, with empty caches, default 7
//   BENCH_WEB_PAGES   comma-separated page names, or typing for the search field, default all
//   BENCH_WEB_FOLDER  folder that keeps the catalog for the next run; without it, the catalog is deleted
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { sizes } from "./visit.mjs";

const number = (name, usual) => Number(process.env[name] ?? usual);
const assets = number("BENCH_WEB_ASSETS", 100_000);
const rows = number("BENCH_WEB_ROWS", 2_000_000);
const visits = number("BENCH_WEB_VISITS", 7);
const patience = 30 * 60_000;

const kept = process.env.BENCH_WEB_FOLDER;

const urnOf = (i) => `urn:li:dataset:(urn:li:dataPlatform:hive,bench.t${String(i).padStart(6, "0")},PROD)`;

// The pages, each with a text that shows that its content has loaded. prepare creates other entities that a
// page needs.
const sample = assets === 0;
const opened = `/dataset/${encodeURIComponent(sample ? "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)" : urnOf(10))}`;
const shows = sample ? { query: "reviews", result: /reviews/i, column: "order_id", neighbour: /^\d+ of \d+ assets shown$/ } : { query: "table%204242", result: /t4242/, column: "column_19", neighbour: /t20\b/ };
const pages = [
  { name: "home", path: "/", ready: (page) => page.getByText("Datasets").first().waitFor({ timeout: 120_000 }) },
  { name: "search", path: `/search?query=${shows.query}`, ready: (page) => page.getByRole("link", { name: shows.result }).first().waitFor({ timeout: 120_000 }) },
  { name: "dataset", path: opened, ready: (page) => page.getByText(shows.column).first().waitFor({ timeout: 120_000 }) },
  { name: "lineage", path: `${opened}/Lineage`, ready: (page) => page.getByText(shows.neighbour).first().waitFor({ timeout: 120_000 }) },
  {
    name: "tests",
    path: "/tests/urn%3Ali%3Atest%3Abench",
    prepare: async (stack) => {
      const { test } = await stack.graphql('query { test(urn: "urn:li:test:bench") { urn } }');
      return (
        test ??
        stack.graphql("mutation($input: CreateTestInput!) { createTest(input: $input) }", {
          input: {
            id: "bench",
            name: "Owned and gold",
            category: "Bench",
            definition: { json: JSON.stringify({ on: { types: ["dataset"] }, rules: [{ property: "owners", operator: "exists" }, { property: "tags", operator: "equals", values: ["urn:li:tag:gold"] }] }) },
          },
        })
      );
    },
    ready: (page) => page.getByText(/of [\d,]+ pass/).waitFor({ timeout: 120_000 }),
  },
  { name: "operations", path: "/operations", ready: (page) => page.getByRole("button", { name: /datasetusagestatistics/ }).waitFor({ timeout: 120_000 }) },
];

const proposal = (urn, aspectName, json) => ({ entityType: "dataset", entityUrn: urn, changeType: "UPSERT", aspectName, aspect: { json } });

function* metadata() {
  for (let i = 0; i < assets; i++) {
    yield proposal(urnOf(i), "datasetProperties", { name: `t${i}`, description: `Table ${i}`, customProperties: {}, tags: [] });
    if (i % 3 > 0) {
      yield proposal(urnOf(i), "ownership", { owners: [{ owner: `urn:li:corpuser:u${i % 40}`, type: "TECHNICAL_OWNER" }], lastModified: { time: 0, actor: "urn:li:corpuser:datahub" } });
    }
    if (i > 0) {
      yield proposal(urnOf(i), "upstreamLineage", { upstreams: [{ dataset: urnOf(Math.floor(i / 2)), type: "TRANSFORMED" }] });
    }
    if (i % 10 === 0) {
      yield proposal(urnOf(i), "schemaMetadata", {
        schemaName: `t${i}`,
        platform: "urn:li:dataPlatform:hive",
        version: 0,
        hash: "",
        platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
        fields: Array.from({ length: 20 }, (_, at) => ({ fieldPath: `column_${at}`, nativeDataType: "text", type: { type: { "com.linkedin.schema.StringType": {} } } })),
      });
    }
    if (i % 2 === 0) {
      yield proposal(urnOf(i), "globalTags", { tags: [{ tag: `urn:li:tag:${i % 10 === 0 ? "gold" : "plain"}` }] });
    }
  }
}

// A usage document has one row for itself and one for each user and column that it counts.
const counted = 200;

function* usage() {
  const users = Array.from({ length: counted / 2 }, (_, i) => ({ user: `urn:li:corpuser:u${i}`, count: i + 1 }));
  const columns = Array.from({ length: counted / 2 }, (_, i) => ({ fieldPath: `c${i}`, count: i + 1 }));
  const day = 86_400_000;
  const today = Math.floor(Date.now() / day) * day;
  for (let i = 0; i * (counted + 1) < rows; i++) {
    yield proposal(urnOf(i % assets), "datasetUsageStatistics", {
      timestampMillis: today - Math.floor(i / assets) * day,
      eventGranularity: { unit: "DAY", multiple: 1 },
      totalSqlQueries: i % 100,
      uniqueUserCount: users.length,
      userCounts: users,
      fieldCounts: columns,
    });
  }
}

async function write(file, items) {
  const out = createWriteStream(file);
  let text = "[";
  for (const item of items) {
    text += `${text === "[" ? "" : ","}${JSON.stringify(item)}`;
    if (text.length > 1 << 20 && !out.write(text)) {
      await new Promise((drained) => out.once("drain", drained));
    }
    if (text.length > 1 << 20) {
      text = "";
      out.write("\n");
    }
  }
  out.end(`${text}]`);
  await finished(out);
}

async function fill(stack) {
  if (sample) {
    await stack.demo();
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "bench-"));
  try {
    for (const [name, items] of [["metadata", metadata()], ["usage", usage()]]) {
      const file = path.join(folder, `${name}.json`);
      await write(file, items);
      const began = Date.now();
      await stack.load(file, { flags: ["--connections", "4"], timeout: patience });
      console.log(`${name} written in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// measure opens a page in a new browser without cached files.
async function measure(stack, as, { path: address, ready }) {
  const browser = await Browser.launch("light", 1, { alone: true });
  try {
    await browser.signIn(stack.proxy, as.username, as.password);
    const opened = await browser.open("about:blank", sizes[0]);
    let requests = 0;
    opened.page.on("request", () => requests++);
    const began = performance.now();
    await opened.page.goto(stack.proxy + address);
    await ready(opened.page);
    const content = performance.now() - began;
    const { lcp } = await opened.seen();
    return { content, lcp, requests, graphql: opened.operations, bytes: await opened.bytes(stack.proxy) };
  } finally {
    await browser.close();
  }
}

// Words with different first two letters, so that no suggestions are cached.
const words = sample
  ? ["orders", "reviews", "customers", "shipments", "payments", "inventory", "marketing", "finance"]
  : Array.from({ length: 9 }, (_, i) => `t${i + 1}${String(Math.floor(((i + 1) * assets) / 10) + 4321).slice(1)}`);
const fewestLetters = 2;
const betweenKeys = 180; // ms, about 65 words a minute

// Runs in the page: records for each key press the time until the suggestions for it, or for a later key
// press, were painted.
function watchKeys() {
  const field = document.querySelector('[data-find="catalog"]');
  globalThis.keys = { waiting: [], took: [] };
  field.addEventListener("keydown", (event) => event.key.length === 1 && globalThis.keys.waiting.push(event.timeStamp));
  const look = () => {
    const list = document.querySelector('[role="listbox"][aria-label="Suggestions"][data-stale="false"]');
    if (list?.querySelector("[role=option]:last-child b")?.textContent === field.value) {
      const shown = globalThis.keys.waiting.splice(0);
      requestAnimationFrame(() => setTimeout(() => globalThis.keys.took.push(...shown.map((since) => performance.now() - since))));
    }
  };
  new MutationObserver(look).observe(field.closest("search"), { subtree: true, childList: true, characterData: true, attributes: true });
}

// typing returns the times from key press to suggestions, for every letter with suggestions.
async function typing(stack, as) {
  const browser = await Browser.launch("light", 1, { alone: true });
  try {
    await browser.signIn(stack.proxy, as.username, as.password);
    const { page } = await browser.open(stack.proxy + opened, sizes[0]);
    const field = page.getByRole("combobox", { name: "Search the catalog" });
    await page.getByText(shows.column).first().waitFor({ timeout: 120_000 });
    await field.focus();
    await page.evaluate(watchKeys);
    const all = [];
    for (const word of words) {
      await field.fill(word.slice(0, fewestLetters - 1));
      await field.pressSequentially(word.slice(fewestLetters - 1), { delay: betweenKeys });
      await page.waitForFunction((letters) => globalThis.keys.took.length >= letters, word.length - fewestLetters + 1);
      all.push(...(await page.evaluate(() => globalThis.keys.took.splice(0))));
    }
    return all;
  } finally {
    await browser.close();
  }
}

const quantile = (list, part) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];

const asked = process.env.BENCH_WEB_PAGES?.split(",");
const filled = kept && path.join(kept, `filled-${assets}-${rows}`);
if (kept && !existsSync(filled)) {
  await rm(kept, { recursive: true, force: true });
  await mkdir(kept, { recursive: true });
}
const stack = await Stack.start({ folder: kept });
try {
  const as = { username: "datahub", password: await stack.adminPassword() };
  console.log(`${sample ? "the sample company" : `${assets} datasets, ${rows} rows of time series`}, p50 of ${visits} visits`);
  if (!filled || !existsSync(filled)) {
    await fill(stack);
    if (filled) {
      await writeFile(filled, "");
    }
  }
  console.log("page         LCP ms  content ms  requests  GraphQL  bytes");
  for (const page of pages.filter(({ name }) => !asked || asked.includes(name))) {
    await page.prepare?.(stack);
    const all = [];
    for (let i = 0; i < visits; i++) {
      all.push(await measure(stack, as, page));
    }
    const of = (name) => quantile(all.map((one) => one[name]), 0.5).toFixed(0);
    console.log([page.name.padEnd(11), of("lcp").padStart(7), of("content").padStart(11), of("requests").padStart(9), of("graphql").padStart(8), of("bytes").padStart(8)].join(" "));
  }
  if (!asked || asked.includes("typing")) {
    const all = [];
    for (let i = 0; i < visits; i++) {
      all.push(...(await typing(stack, as)));
    }
    console.log(`from key to list, ${all.length} letters: p50 ${quantile(all, 0.5).toFixed(0)} ms, p95 ${quantile(all, 0.95).toFixed(0)} ms`);
  }
} finally {
  await stack.stop();
}
