// Ingestion sources and their runs in a browser against both binaries.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { admin, Stack } from "./stack.mjs";
import { answered, fewRequests, go, Pages, settled, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const recipe = JSON.stringify({ source: { type: "postgres", config: {} } });

describe("ingestion", unlessMissing("ingestion"), () => {
  let stack, pages, as;

  const stored = async (urn) =>
    (await stack.graphql("query($u: String!) { ingestionSource(urn: $u) { name schedule { interval timezone } config { recipe executorId debugMode extraArgs { key value } } source { type } } }", { u: urn })).ingestionSource;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  it("says that no executor has taken a run; creates a source by keyboard alone on a narrow page, asks for a run of it, and cancels it", () =>
    pages.visit(
      "/ingestion/sources",
      async (page) => {
        await page.getByText("No executor has taken a run yet").waitFor();
        const button = page.getByRole("button", { name: "New source" });
        await tabTo(page, button);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name", { exact: true }).waitFor();
        for (const [label, text] of [["Name", "by-keyboard"], ["Kind", "postgres"], ["Recipe", recipe], ["Schedule", "0 25 * * *"]]) {
          await tabTo(page, dialog.getByLabel(label, { exact: true }));
          await page.keyboard.type(text);
        }
        await page.keyboard.press("Enter");
        await dialog.getByText("No source was created").waitFor();
        await dialog.getByText(/schedule\.interval.*hour/).waitFor();
        const schedule = dialog.getByLabel("Schedule", { exact: true });
        assert.equal(await schedule.inputValue(), "0 25 * * *");
        await schedule.fill("0 4 * * *");
        await schedule.press("Enter");
        await page.getByText("by-keyboard was created").waitFor();
        await page.reload();
        await page.getByText("daily, 04:00").waitFor();

        await page.goto(`${stack.proxy}/ingestion`);
        await page.getByRole("button", { name: "Run by-keyboard now" }).click();
        await page.getByText("A run of by-keyboard was asked for").waitFor();
        await page.getByText("Waiting", { exact: true }).waitFor();
        await page.getByRole("link", { name: "by-keyboard" }).click();
        await page.getByRole("link", { name: "Show the run" }).click();
        await page.getByText("No executor has taken it yet").waitFor();
        await page.getByRole("button", { name: "Cancel run" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
        await page.getByText("The executor was told to stop").waitFor();
        const run = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1));
        const { executionRequest } = await stack.graphql("query($u: String!) { executionRequest(urn: $u) { input { task source { type } } result { status } } }", { u: run });
        assert.deepEqual(executionRequest, { input: { task: "RUN_INGEST", source: { type: "MANUAL_INGESTION_SOURCE" } }, result: null });
      },
      { as, size: sizes[2] },
    ));

  it("changes a source without losing what the form does not show, and deletes it", async () => {
    const { createIngestionSource: urn } = await stack.graphql("mutation($i: UpdateIngestionSourceInput!) { createIngestionSource(input: $i) }", {
      i: { name: "kept", type: "postgres", config: { recipe, executorId: "default", debugMode: true, extraArgs: [{ key: "a", value: "b" }] }, source: { type: "SYSTEM" } },
    });
    await pages.visit(
      `/ingestion/sources/${encodeURIComponent(urn)}`,
      async (page) => {
        await page.getByRole("button", { name: "Edit" }).click();
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("renamed");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("heading", { name: "renamed", level: 1 }).waitFor();
        assert.deepEqual(await stored(urn), { name: "renamed", schedule: null, config: { recipe, executorId: "default", debugMode: true, extraArgs: [{ key: "a", value: "b" }] }, source: { type: "SYSTEM" } });

        await page.getByRole("button", { name: "Delete" }).click();
        await page.getByRole("button", { name: "Delete source" }).click();
        await page.getByText("renamed was deleted").waitFor();
        await page.waitForURL(/\/ingestion$/);
      },
      { as },
    );
    assert.equal(await stored(urn), null);
  });

  it("takes back what a run wrote after telling how much that is", async () => {
    const { createIngestionSource: source } = await stack.graphql("mutation($i: UpdateIngestionSourceInput!) { createIngestionSource(input: $i) }", {
      i: { name: "nightly", type: "postgres", config: { recipe, executorId: "default" } },
    });
    const { createIngestionExecutionRequest: asked } = await stack.graphql("mutation($i: CreateIngestionExecutionRequestInput!) { createIngestionExecutionRequest(input: $i) }", { i: { ingestionSourceUrn: source } });
    const run = asked.split(":").at(-1);
    const token = await stack.token("executor", admin);
    const table = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.nightly,PROD)";
    // Writes the reports of an executor, and the metadata of the client in a run.
    const write = (entityUrn, entityType, aspectName, value, runId) =>
      stack.call(token, "POST", "/api/gms/aspects?action=ingestProposal", {
        proposal: { entityType, entityUrn, changeType: "UPSERT", aspectName, aspect: { value: JSON.stringify(value), contentType: "application/json" }, ...(runId ? { systemMetadata: { runId } } : {}) },
      });
    await write(table, "dataset", "datasetProperties", { name: "nightly" }, run);
    await write(asked, "dataHubExecutionRequest", "dataHubExecutionRequestResult", { status: "SUCCESS", startTimeMs: Date.now(), durationMs: 5, report: "all done" });
    const name = async () => (await stack.graphql("query($u: String!) { dataset(urn: $u) { properties { name } } }", { u: table })).dataset?.properties?.name;
    assert.equal(await name(), "nightly");
    await pages.visit(
      `/ingestion/runs/${encodeURIComponent(asked)}`,
      async (page) => {
        await page.getByRole("button", { name: "Roll back" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText(/\d+ aspects? go(es)? back to what/).waitFor();
        assert.equal(await dialog.getByRole("button", { name: "Roll back" }).getAttribute("aria-disabled"), "true");
        await dialog.getByRole("textbox").fill("nightly");
        await answered(page, () => dialog.getByRole("button", { name: "Roll back" }).click(), "RollbackIngestion");
        await page.getByText("The run of nightly was rolled back").waitFor();
        await page.reload();
        await page.getByText("Rolled back", { exact: true }).waitFor();
        assert.equal(await page.getByRole("button", { name: "Roll back" }).getAttribute("aria-disabled"), "true");
      },
      { as },
    );
    assert.equal(await name(), undefined);
  });
});

describe("ingestion of the sample company", unlessMissing("ingestion of the sample company"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  it("lists the sources, failing first, with the log of a run", () =>
    visit(
      stack,
      "/ingestion",
      async (page, opened) => {
        await settled(page, () => page.getByRole("link", { name: "greenhouse-kafka" }).waitFor());
        fewRequests(opened);
        await page.getByText("With 10 warnings").waitFor();
        assert.match(await page.getByRole("row").nth(1).textContent(), /greenhouse-kafka.*Broker did not answer.*Failed/);
        assert.match(await page.getByRole("row").nth(2).textContent(), /shop-postgres.*A table could not be read.*daily, 03:10next in .*With 10 warnings.*17/);
        await page.getByRole("img", { name: "Last 14 runs: 3 failed, 11 passed" }).waitFor();
        assert.equal(await page.getByText("No executor has taken a run yet").count(), 0);
        await page.getByText("The last run of 2 of 4 sources passed.").waitFor();
        await page.getByRole("radio", { name: /Failing/ }).check({ force: true });
        await page.getByRole("table", { name: "Ingestion sources" }).locator("tbody tr").nth(1).waitFor({ state: "detached" });
        await page.getByRole("radio", { name: /All/ }).check({ force: true });

        await page.getByRole("row", { name: /shop-postgres/ }).getByRole("link", { name: "With 10 warnings" }).click();
        await page.getByText(/^Wrote 79 changes to the catalog, about 15 datasets, 2 containers\. 1 asset was gone/).waitFor();
        await page.getByText("Against the run before, ").waitFor();
        await page.getByText("10 in 3 groups, 3 more than in the run before").waitFor();
        await page.getByText("The account catalog_reader may not select from it.", { exact: true }).waitFor();
        const runs = page.getByRole("group", { name: "Other runs of this source" });
        assert.equal(await runs.getByRole("button", { name: "Run after" }).getAttribute("aria-disabled"), "true");
        await runs.getByRole("link", { name: /^The run before, / }).press("Enter");
        await page.getByText("7 in 2 groups, 7 more than in the run before").waitFor();
        assert.match(page.url(), /fernhill-shop-postgres-13$/);
        await runs.getByRole("link", { name: /^The run after, / }).press("Enter");
        await page.getByText("10 in 3 groups, 3 more than in the run before").waitFor();
        const warnings = page.getByRole("list", { name: "Warnings" });
        await warnings.getByRole("button", { name: "Show 4 of 6" }).click();
        await warnings.getByText("tmp.load_8").waitFor();
        await page.getByRole("searchbox", { name: "Find in the log" }).fill("public.audit_raw");
        await page.getByText("1 of 1").waitFor();
        await page.getByRole("radio", { name: /Warnings and errors/ }).check({ force: true });
        const lines = page.getByRole("region", { name: "Log" }).last().locator("code");
        await lines.nth(8).waitFor({ state: "detached" });
        assert.equal(await lines.count(), 8);

        await go(page, "/ingestion/sources/urn:li:dataHubIngestionSource:fernhill-greenhouse-kafka");
        await page.getByRole("heading", { name: "greenhouse-kafka", level: 1 }).waitFor();
        await page.getByText("Failed").first().waitFor();
      },
      { as },
    ));
});
