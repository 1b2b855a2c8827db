// What is edited on the page of an asset, read back by the stock Python client.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { python, unlessNoClient } from "./client.mjs";
import { admin, Stack } from "./stack.mjs";
import { unlessMissing, visit } from "./visit.mjs";

const urn = "urn:li:dataset:(urn:li:dataPlatform:kafka,pages.written,PROD)";
const pageOf = (tab = "") => `/dataset/${encodeURIComponent(urn)}${tab && `/${tab}`}`;

// What is edited, in the order of the page: each with the aspect in which the client finds it, and what it finds.
const reads = {
  description: ["EditableDatasetPropertiesClass", "a.description", "Written on the page"],
  owner: ["OwnershipClass", "[o.owner for o in a.owners]", ["urn:li:corpuser:juniper.seedtray"]],
  tag: ["GlobalTagsClass", "[t.tag for t in a.tags]", ["urn:li:tag:pages-written"]],
  term: ["GlossaryTermsClass", "[graph.get_aspect(t.urn, GlossaryTermInfoClass).name for t in a.terms]", ["Refund"]],
  domain: ["DomainsClass", "a.domains", ["urn:li:domain:operations.growing"]],
  link: ["InstitutionalMemoryClass", "[[e.url, e.description] for e in a.elements]", [["https://docs.example/written", "Handbook"]]],
  "description of a column": ["EditableSchemaMetadataClass", "[[f.fieldPath, f.description] for f in a.editableSchemaFieldInfo]", [["id", "Counts up"]]],
  "structured property": ["StructuredPropertiesClass", "[[p.propertyUrn, p.values] for p in a.properties]", [["urn:li:structuredProperty:fernhill.data_class", ["secret"]]]],
  deprecation: ["DeprecationClass", "[a.deprecated, a.note]", [true, "Use another one"]],
  incident: ["IncidentsSummaryClass", "[graph.get_aspect(i.urn, IncidentInfoClass).title for i in a.activeIncidentDetails]", ["It is late"]],
};

const program = `import json, sys
from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig
from datahub.metadata.schema_classes import *
server, token, urn, reads = sys.argv[1:]
graph = DataHubGraph(DatahubClientConfig(server=server, token=token))
def read(aspect, expression):
    a = graph.get_aspect(urn, globals()[aspect])
    return None if a is None else eval(expression, globals(), {"a": a})
print(json.dumps({name: read(aspect, expression) for name, (aspect, expression, _) in json.loads(reads).items()}))`;

describe("the stock client", unlessMissing("what the stock client reads"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    const fields = [{ fieldPath: "id", nativeDataType: "bigint", type: { type: { "com.linkedin.schema.NumberType": {} } } }];
    const schema = { schemaName: "written", platform: "urn:li:dataPlatform:kafka", version: 0, hash: "", platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } }, fields };
    await stack.call(await stack.token("written", admin), "POST", "/openapi/v3/entity/dataset?async=false", [{ urn, schemaMetadata: { value: schema } }]);
  });
  after(() => stack?.stop());

  it("reads what was edited on the page of an asset", unlessNoClient("an asset read by the client"), async () => {
    const choose = async (page, label, find, text, name) => {
      await page.getByRole("button", { name: label, exact: true }).click();
      await page.getByLabel(find, { exact: true }).fill(text);
      await page.getByRole("checkbox", { name }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await visit(stack, pageOf(), async (page) => {
      const about = page.getByRole("complementary", { name: "About this dataset" });
      await page.getByRole("button", { name: "Add a description of id" }).click();
      await page.getByRole("textbox", { name: "description of id" }).fill("Counts up");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: /description of id: Counts up/ }).waitFor();

      await page.getByRole("button", { name: "Edit description", exact: true }).click();
      await page.getByRole("textbox", { name: "description", exact: true }).fill("Written on the page");
      await page.keyboard.press("Control+Enter");
      await about.getByText("Written on the page").waitFor();

      await choose(page, "Add owners", "Find a person or group", "Juniper", /Juniper/);
      await page.getByRole("button", { name: "Choose tags", exact: true }).click();
      await page.getByLabel("Find a tag", { exact: true }).fill("pages-written");
      await page.getByRole("button", { name: "Create tag pages-written" }).click();
      await page.getByRole("checkbox", { name: "pages-written" }).waitFor();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await about.getByRole("link", { name: "pages-written" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await choose(page, "Choose terms", "Find a term", "Refund", "Refund");
      await choose(page, "Choose a domain", "Find a domain", "Growing", /Growing/);

      await page.getByRole("button", { name: "Add a link" }).click();
      await page.keyboard.type("https://docs.example/written");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Handbook");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Handbook" }).waitFor();

      await page.getByRole("button", { name: /^More for/ }).click();
      await page.getByRole("menuitem", { name: "Deprecate" }).click();
      await page.getByLabel("Why it should not be used any more").fill("Use another one");
      await page.getByRole("button", { name: "Deprecate", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("Use another one").waitFor();

      await page.goto(stack.proxy + pageOf("Properties"));
      await page.getByRole("button", { name: /^(Set|Edit) Data class$/ }).click();
      await page.getByRole("radio", { name: /secret/ }).check();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("row", { name: /^Data class/ }).getByText("Named people only").waitFor();

      await page.goto(stack.proxy + pageOf("Quality"));
      await page.getByRole("button", { name: "Raise an incident" }).click();
      await page.getByRole("textbox", { name: "What is wrong" }).fill("It is late");
      await page.getByRole("button", { name: "Raise incident", exact: true }).click();
      await page.getByRole("link", { name: "1 open incident" }).waitFor();
    }, { as });
    const { ok, stdout, stderr } = await python(program, `${stack.proxy}/api/gms`, await stack.token("client", admin), urn, JSON.stringify(reads));
    assert.ok(ok, stderr);
    assert.deepEqual(JSON.parse(stdout), Object.fromEntries(Object.entries(reads).map(([name, [, , want]]) => [name, want])));
  });
});
