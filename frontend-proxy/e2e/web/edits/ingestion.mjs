// Edits of ingestion: sources, runs that wait for an executor, and secrets.
import { inTurn } from "./edit.mjs";

const recipe = JSON.stringify({ source: { type: "postgres", config: {} } });

async function sources(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const source = (expression, want) => [urn, "DataHubIngestionSourceInfo", expression, want];
  await edit.open("/ingestion");
  let urn, run;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "New source" }).click();
      for (const [label, text] of [["Name", "edits-shop"], ["Kind", "postgres"], ["Recipe", recipe], ["Schedule", "0 4 * * *"]]) {
        await dialog.getByLabel(label, { exact: true }).fill(text);
      }
      await edit.change(() => dialog.getByRole("button", { name: "Create source" }).click());
      await dialog.waitFor({ state: "detached" });
      const href = await page.getByRole("link", { name: "edits-shop" }).getAttribute("href");
      urn = decodeURIComponent(href.split("/").at(-1));
    },
    () => page.getByRole("row", { name: /edits-shop/ }).getByText("daily, 04:00").waitFor(),
    () => [source("[a.name, a.type, a.config.recipe, a.schedule.interval]", ["edits-shop", "postgres", recipe, "0 4 * * *"])],
  );
  await edit.open(`/ingestion/sources/${encodeURIComponent(urn)}`);
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Edit" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("edits-shop-2");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("heading", { name: "edits-shop-2", level: 1 }).waitFor(),
    () => [source("[a.name, a.config.recipe]", ["edits-shop-2", recipe])],
  );
  await edit.open("/ingestion");
  await edit.made(
    async () => {
      await edit.change(() => page.getByRole("button", { name: "Run edits-shop-2 now" }).click());
      await page.getByRole("row", { name: /edits-shop-2/ }).getByRole("link", { name: "Waiting" }).waitFor();
    },
    async () => {
      await page.getByRole("row", { name: /edits-shop-2/ }).getByRole("link", { name: "Waiting" }).click();
      await page.getByText("No executor has taken it yet").waitFor();
      run = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1));
    },
    () => [[run, "ExecutionRequestInput", "[a.task, a.source.ingestionSource]", ["RUN_INGEST", urn]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Cancel run" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Cancel run" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No executor has taken it yet").waitFor(),
    () => [[run, "ExecutionRequestSignal", "a.signal", "KILL"]],
  );
  await edit.open(`/ingestion/sources/${encodeURIComponent(urn)}`);
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Delete" }).click();
      await edit.change(() => page.getByRole("button", { name: "Delete source" }).click());
      await page.waitForURL(/\/ingestion$/);
    },
    async () => {
      await page.getByRole("link", { name: "greenhouse-kafka" }).waitFor();
      await page.getByRole("link", { name: "edits-shop-2" }).waitFor({ state: "detached" });
    },
    () => [[urn, null, "graph.exists(urn)", false]],
  );
}

async function secrets(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const urn = "urn:li:dataHubSecret:EDITS_PASSWORD";
  const shown = () => page.getByText("EDITS_PASSWORD", { exact: true }).waitFor();
  // An executor requests the value by name. Reading the aspect itself returns a mask in place of the value.
  const listed = "[[s['name'], s['description']] for s in graph.execute_graphql('{ listSecrets(input: {start: 0, count: 10}) { secrets { name description } } }')['listSecrets']['secrets']]";
  const value = "graph.execute_graphql('{ getSecretValues(input: {secrets: [\"EDITS_PASSWORD\"]}) { value } }')['getSecretValues'][0]['value']";
  await edit.open("/ingestion/secrets");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "New secret" }).click();
      await dialog.getByLabel("Name").fill("EDITS_PASSWORD");
      await dialog.getByRole("textbox", { name: "Value" }).fill("first value");
      await dialog.getByLabel("What is it for").fill("Of the shop");
      await edit.change(() => dialog.getByRole("button", { name: "Create secret" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    shown,
    [
      ["", null, listed, [["EDITS_PASSWORD", "Of the shop"]]],
      [urn, "DataHubSecretValue", "a.value", "********"],
      ["", null, value, "first value"],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("EDITS_PASSWORD", "Replace value");
      await dialog.getByRole("textbox", { name: "Value" }).fill("second value");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    shown,
    [
      [urn, "DataHubSecretValue", "a.value", "********"],
      ["", null, value, "second value"],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("EDITS_PASSWORD", "Delete secret");
      await edit.change(() => dialog.getByRole("button", { name: "Delete secret" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No secret yet").waitFor(),
    [[urn, null, "graph.exists(urn)", false]],
  );
}

export const stories = { "ingestion sources and secrets": inTurn(sources, secrets) };
