// Edits on asset pages: side panel, columns, and tabs.
import assert from "node:assert/strict";

import { admin } from "../stack.mjs";
import { inTurn, pathOf } from "./edit.mjs";

const juniper = "urn:li:corpuser:juniper.seedtray";

// The parts of the side panel: how a value is added and removed, how the panel shows it, and where the client
// reads it. In the end there is no value.
const parts = {
  owners: {
    add: (edit) => edit.choose("Add owners", "Juniper", /Juniper/),
    drop: (edit, about) => edit.change(() => about.getByRole("button", { name: "Remove Juniper Seedtray, Technical", exact: true }).click()),
    shown: (about) => about.getByRole("link", { name: "Juniper Seedtray" }),
    read: (urn) => [urn, "Ownership", `[o.typeUrn for o in a.owners if o.owner == "${juniper}"]`, ["urn:li:ownershipType:__system__technical_owner"]],
  },
  tags: {
    add: async (edit, _, urn) => {
      const { page } = edit;
      const name = `edits-${urn.split(":")[2]}`;
      await page.getByRole("button", { name: "Choose tags", exact: true }).click();
      await page.getByLabel("Find a tag", { exact: true }).fill(name);
      await edit.change(() => page.getByRole("button", { name: `Create tag ${name}` }).click());
      await page.getByRole("checkbox", { name }).waitFor();
      await edit.change(() => page.getByRole("button", { name: "Save", exact: true }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    drop: (edit) => edit.choose("Choose tags", "edits-", /^edits-/),
    shown: (about) => about.getByRole("link", { name: /^edits-/ }),
    read: (urn) => [urn, "GlobalTags", "[graph.get_aspect(t.tag, TagPropertiesClass).name for t in a.tags]", [`edits-${urn.split(":")[2]}`]],
  },
  terms: {
    add: (edit) => edit.choose("Choose terms", "Refund", "Refund"),
    drop: (edit) => edit.choose("Choose terms", "Refund", "Refund"),
    shown: (about) => about.getByRole("link", { name: "Refund" }),
    read: (urn) => [urn, "GlossaryTerms", "[graph.get_aspect(t.urn, GlossaryTermInfoClass).name for t in a.terms]", ["Refund"]],
  },
  domain: {
    add: (edit) => edit.choose("Choose a domain", "Growing", /Growing/),
    drop: (edit) => edit.choose("Choose a domain", "Growing", /Growing/),
    shown: (about) => about.getByRole("link", { name: /^Growing/ }),
    read: (urn) => [urn, "Domains", "a.domains", ["urn:li:domain:operations.growing"]],
  },
  product: {
    add: (edit) => edit.choose("Choose a data product", "Campaign", /Campaign/),
    drop: (edit) => edit.choose("Choose a data product", "Campaign", /Campaign/),
    shown: (about) => about.getByRole("link", { name: /^Campaign results/ }),
    read: (urn) => ["urn:li:dataProduct:campaign-results", "DataProductProperties", `[x.destinationUrn for x in a.assets if x.destinationUrn == "${urn}"]`, [urn]],
  },
  applications: {
    add: (edit) => edit.choose("Choose applications", "Greenhouse", /Greenhouse/),
    drop: (edit) => edit.choose("Choose applications", "Greenhouse", /Greenhouse/),
    shown: (about) => about.getByRole("link", { name: /^Greenhouse Control/ }),
    read: (urn) => [urn, "Applications", "a.applications", ["urn:li:application:greenhouse-control"]],
  },
  links: {
    add: async (edit) => {
      const { page } = edit;
      await page.getByRole("button", { name: "Add a link" }).click();
      await page.getByLabel("Address").fill("https://docs.example/edits");
      await page.getByLabel("Shown as").fill("Edited handbook");
      await edit.change(() => page.keyboard.press("Enter"));
      await page.getByLabel("Shown as").waitFor({ state: "detached" });
    },
    drop: (edit, about) => edit.change(() => about.getByRole("button", { name: "Remove the link Edited handbook" }).click()),
    shown: (about) => about.getByRole("link", { name: "Edited handbook" }),
    read: (urn) => [urn, "InstitutionalMemory", "[[e.url, e.description] for e in a.elements]", [["https://docs.example/edits", "Edited handbook"]]],
  },
  deprecation: {
    add: async (edit) => {
      const { page } = edit;
      await edit.more(/^More for/, "Deprecate");
      await page.getByLabel("Why it should not be used any more").fill("Use another one");
      await edit.change(() => page.getByRole("button", { name: "Deprecate", exact: true }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    drop: async (edit) => {
      const { page } = edit;
      await edit.more(/^More for/, "End the deprecation");
      await edit.change(() => page.getByRole("button", { name: "End the deprecation" }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    shown: (about) => about.page().getByText("Use another one"),
    read: (urn) => [urn, "Deprecation", "[[a.note, a.actor]] if a.deprecated else []", [["Use another one", admin]]],
  },
};

const stamp = { time: 1, actor: admin };
const title = { title: "Edits", description: "", lastModified: { created: stamp, lastModified: stamp } };

// Entities of several types that only these stories edit: the aspect stored at the start, the aspect with the
// description, the aspect with the properties of the source, and parts of the side panel. If the name can be
// changed, that is tested as well. All types use the same mutations for the parts, so the dataset tests all
// of them and the other types one or two.
const edited = {
  "urn:li:dashboard:(looker,edits)": { stored: { dashboardInfo: title }, about: ["EditableDashboardProperties", "a.description"], custom: "DashboardInfo", has: ["owners"] },
  "urn:li:chart:(looker,edits)": { stored: { chartInfo: title }, about: ["EditableChartProperties", "a.description"], custom: "ChartInfo", has: ["terms"] },
  "urn:li:dataFlow:(airflow,edits,prod)": { stored: { dataFlowInfo: { name: "Edits" } }, about: ["EditableDataFlowProperties", "a.description"], custom: "DataFlowInfo", has: ["deprecation"] },
  "urn:li:dataJob:(urn:li:dataFlow:(airflow,edits,prod),edits)": { stored: { dataJobInfo: { name: "Edits", type: { string: "COMMAND" } } }, about: ["EditableDataJobProperties", "a.description"], custom: "DataJobInfo", has: ["domain"] },
  "urn:li:container:edits": { stored: { containerProperties: { name: "Edits" } }, about: ["EditableContainerProperties", "a.description"], custom: "ContainerProperties", has: ["product"] },
  "urn:li:domain:edits": { stored: { domainProperties: { name: "Edits" } }, about: ["DomainProperties", "a.description"], custom: "DomainProperties", has: ["links"], name: ["DomainProperties", "a.name"] },
  "urn:li:dataProduct:edits": { stored: { dataProductProperties: { name: "Edits" } }, about: ["DataProductProperties", "a.description"], custom: "DataProductProperties", has: ["applications"], name: ["DataProductProperties", "a.name"] },
  "urn:li:application:edits": { stored: { applicationProperties: { name: "Edits" } }, about: ["ApplicationProperties", "a.description"], has: ["owners", "links"], name: ["ApplicationProperties", "a.name"] },
  "urn:li:tag:edits": { stored: { tagProperties: { name: "Edits" } }, about: ["TagProperties", "a.description"], has: ["owners", "deprecation"] },
  "urn:li:corpGroup:edits": { stored: { corpGroupInfo: { displayName: "Edits", admins: [], members: [], groups: [] } }, about: ["CorpGroupEditableInfo", "a.description"], has: ["owners"], name: ["CorpGroupInfo", "a.displayName"] },
  "urn:li:corpuser:edits": { stored: { status: { removed: false } }, has: ["tags"] },
};

const sideOf = (page) => page.getByRole("complementary", { name: /^About this/ });
const customProperty = async (edit, name, value) => {
  const { page } = edit;
  await page.getByRole("button", { name: "New custom property" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Value", { exact: true }).fill(value);
  await edit.change(() => page.keyboard.press("Enter"));
  await page.getByLabel("Value", { exact: true }).waitFor({ state: "detached" });
};

async function panelOfDataset(edit) {
  const { page } = edit;
  const urn = "urn:li:dataset:(urn:li:dataPlatform:kafka,edits.written,PROD)";
  const side = sideOf(page);
  await edit.store([{ urn, status: { value: { removed: false } } }]);
  await edit.open(pathOf(urn, "Documentation"));
  await edit.made(
    async () => {
      await edit.write("description", "What people say of this dataset");
      for (const part of Object.values(parts)) {
        await part.add(edit, side, urn);
      }
    },
    async () => {
      await page.getByText("What people say of this dataset", { exact: true }).first().waitFor();
      for (const part of Object.values(parts)) {
        await part.shown(side).first().waitFor();
      }
    },
    [[urn, "EditableDatasetProperties", "a.description", "What people say of this dataset"], ...Object.values(parts).map((part) => part.read(urn))],
  );
  await edit.made(
    async () => {
      for (const part of Object.values(parts)) {
        await part.drop(edit, side);
      }
    },
    async () => {
      await side.getByRole("heading").first().waitFor();
      for (const [name, part] of Object.entries(parts)) {
        assert.equal(await part.shown(side).count(), 0, name);
      }
    },
    Object.values(parts).map((part) => [...part.read(urn).slice(0, 3), []]),
  );
}

async function panels(edit) {
  const { page } = edit;
  const side = sideOf(page);
  const tabs = page.getByRole("navigation", { name: "Parts of this asset" }).getByRole("link");
  for (const [urn, { stored, about, custom, has, name }] of Object.entries(edited)) {
    const text = `What people say of this ${urn.split(":")[2]}`;
    await edit.store([{ urn, ...Object.fromEntries(Object.entries(stored).map(([aspect, value]) => [aspect, { value }])) }]);
    await edit.open(pathOf(urn, custom ? "Properties" : ""));
    await edit.made(
      async () => {
        if (custom) {
          await customProperty(edit, "edits", "kept");
          await tabs.first().click();
        }
        if (about) {
          await edit.write("description", text);
        }
        if (name) {
          await edit.more("Edits", "Rename");
          await page.getByRole("dialog").getByLabel("Name").fill("Edited");
          await edit.change(() => page.keyboard.press("Enter"));
          await page.getByRole("dialog").waitFor({ state: "detached" });
        }
        for (const part of has) {
          await parts[part].add(edit, side, urn);
        }
      },
      async () => {
        if (about) {
          await page.getByText(text, { exact: true }).first().waitFor();
        }
        if (name) {
          await page.getByRole("heading", { level: 1, name: "Edited", exact: true }).waitFor();
        }
        for (const part of has) {
          await parts[part].shown(side).first().waitFor();
        }
        if (custom) {
          await tabs.filter({ hasText: "Properties" }).click();
          await page.getByRole("button", { name: "Edit value of edits: kept" }).waitFor();
        }
      },
      [...(about ? [[urn, ...about, text]] : []), ...(name ? [[urn, ...name, "Edited"]] : []), ...has.map((part) => parts[part].read(urn)), ...(custom ? [[urn, custom, "a.customProperties['edits']", "kept"]] : [])],
    );
  }
}

const table = "urn:li:dataset:(urn:li:dataPlatform:snowflake,edits.table,PROD)";

const storeTable = (edit) => {
  const fields = ["id", "sum"].map((fieldPath) => ({ fieldPath, nativeDataType: "bigint", type: { type: { "com.linkedin.schema.NumberType": {} } } }));
  const schema = { schemaName: "table", platform: "urn:li:dataPlatform:snowflake", version: 0, hash: "", platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } }, fields };
  return edit.store([{ urn: table, schemaMetadata: { value: schema }, datasetProperties: { value: { name: "table" } } }]);
};

async function columns(edit) {
  const { page } = edit;
  await storeTable(edit);
  await edit.open(pathOf(table));
  const labels = "Choose terms and tags of id";
  const column = "[f for f in a.editableSchemaFieldInfo if f.fieldPath == 'id'][0]";
  const cell = page.getByRole("row", { name: /^id\b/u });
  await edit.made(
    async () => {
      await edit.write("description of id", "Counts up");
      await edit.choose(labels, "Refund", "Refund");
      await edit.choose(labels, "certified", "certified");
      await edit.more("table", "Rename");
      await page.getByRole("textbox", { name: "Name" }).fill("Renamed table");
      await edit.change(() => page.keyboard.press("Enter"));
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    async () => {
      await page.getByRole("heading", { level: 1, name: "Renamed table", exact: true }).waitFor();
      await page.getByRole("button", { name: "Edit description of id: Counts up" }).waitFor();
      await cell.getByRole("link", { name: "Refund" }).waitFor();
      await cell.getByRole("link", { name: "certified" }).waitFor();
    },
    [
      [table, "EditableSchemaMetadata", `${column}.description`, "Counts up"],
      [table, "EditableSchemaMetadata", `[graph.get_aspect(t.urn, GlossaryTermInfoClass).name for t in ${column}.glossaryTerms.terms]`, ["Refund"]],
      [table, "EditableSchemaMetadata", `[t.tag for t in ${column}.globalTags.tags]`, ["urn:li:tag:certified"]],
      [table, "EditableDatasetProperties", "a.name", "Renamed table"],
    ],
  );
  await edit.made(
    async () => {
      await edit.choose(labels, "Refund", "Refund");
      await edit.choose(labels, "certified", "certified");
    },
    async () => {
      await page.getByRole("button", { name: "Edit description of id: Counts up" }).waitFor();
      await cell.getByRole("link", { name: "Refund" }).or(cell.getByRole("link", { name: "certified" })).first().waitFor({ state: "detached" });
    },
    [[table, "EditableSchemaMetadata", `[${column}.glossaryTerms.terms, ${column}.globalTags.tags]`, [[], []]]],
  );
}

async function properties(edit) {
  const { page } = edit;
  const row = (name) => page.getByRole("row").filter({ has: page.getByRole("link", { name: new RegExp(`^${name}\\b`, "u") }) });
  await storeTable(edit);
  await edit.open(pathOf(table, "Properties"));
  await edit.made(
    async () => {
      await page.getByRole("button", { name: /^(Set|Edit) Data class$/u }).click();
      await page.getByRole("radio", { name: /secret/ }).check();
      await edit.change(() => page.getByRole("button", { name: "Save", exact: true }).click());
      await page.getByRole("button", { name: "Edit Data class" }).waitFor();
      await page.getByRole("button", { name: "Set Next review" }).click();
      await page.getByLabel("Next review", { exact: true }).fill("2027-02-28");
      await edit.change(() => page.keyboard.press("Enter"));
      await page.getByRole("button", { name: "Edit Next review" }).waitFor();
      await customProperty(edit, "cost/center~1", "4711");
      await customProperty(edit, "team", "stores");
    },
    async () => {
      await row("Data class").getByText("Named people only").waitFor();
      await row("Next review").getByText("2027-02-28").waitFor();
      await page.getByRole("button", { name: "Edit value of cost/center~1: 4711" }).waitFor();
      await page.getByRole("button", { name: "Edit value of team: stores" }).waitFor();
    },
    [
      [table, "StructuredProperties", "{p.propertyUrn.split('.')[-1]: p.values for p in a.properties}", { data_class: ["secret"], review_date: ["2027-02-28"] }],
      [table, "DatasetProperties", "a.customProperties", { "cost/center~1": "4711", team: "stores" }],
    ],
  );
  await edit.made(
    async () => {
      await edit.write("value of cost/center~1", "4712", "Enter");
      await edit.change(() => page.getByRole("button", { name: "Delete team" }).click());
      await page.getByRole("button", { name: "Edit Next review" }).click();
      await edit.change(() => page.getByRole("button", { name: "Take it off" }).click());
      await page.getByRole("button", { name: "Set Next review" }).waitFor();
    },
    async () => {
      await page.getByRole("button", { name: "Edit value of cost/center~1: 4712" }).waitFor();
      await row("Next review").getByText("Not set").waitFor();
      await page.getByRole("button", { name: "Delete team" }).waitFor({ state: "detached" });
    },
    [
      [table, "StructuredProperties", "[p.propertyUrn for p in a.properties]", ["urn:li:structuredProperty:fernhill.data_class"]],
      [table, "DatasetProperties", "a.customProperties", { "cost/center~1": "4712" }],
    ],
  );
}

async function incidents(edit) {
  const { page } = edit;
  await storeTable(edit);
  await edit.open(pathOf(table, "Quality"));
  const incident = (field) => [table, "IncidentsSummary", `[(lambda i: ${field})(graph.get_aspect(d.urn, IncidentInfoClass)) for d in (a.activeIncidentDetails or []) + (a.resolvedIncidentDetails or [])]`];
  const panel = (name) => page.getByRole("region", { name: `Incident ${name}` });
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Raise an incident" }).click();
      await page.getByRole("textbox", { name: "What is wrong" }).fill("It is late");
      await edit.change(() => page.getByRole("button", { name: "Raise incident", exact: true }).click());
      await panel("It is late").waitFor();
    },
    () => page.getByRole("link", { name: "1 open incident" }).waitFor(),
    [[...incident("[i.title, i.status.state]"), [["It is late", "ACTIVE"]]]],
  );
  await edit.made(
    async () => {
      await panel("It is late").waitFor();
      await edit.change(() => panel("It is late").getByRole("combobox", { name: "Priority" }).selectOption("Critical"));
      await edit.change(() => panel("It is late").getByRole("combobox", { name: "Stage" }).selectOption("Investigation"));
      await edit.write("description of the incident", "By hours");
      await edit.choose("Choose who works on it", "Data platform", "Data Platform");
      await edit.write("title of the incident", "It is too late", "Enter");
    },
    async () => {
      await panel("It is too late").getByText("By hours").waitFor();
      await panel("It is too late").getByRole("link", { name: /^Data Platform/ }).waitFor();
    },
    [[...incident("[i.title, i.description, i.priority, i.status.stage, [x.actor for x in i.assignees]]"), [["It is too late", "By hours", 0, "INVESTIGATION", ["urn:li:corpGroup:data-platform"]]]]],
  );
  await edit.made(
    async () => {
      await panel("It is too late").getByRole("textbox", { name: "What ended it" }).fill("It came");
      await edit.change(() => panel("It is too late").getByRole("button", { name: "Resolve incident" }).click());
      await panel("It is too late").getByRole("button", { name: "Open it again" }).waitFor();
    },
    () => panel("It is too late").getByText("It came").first().waitFor(),
    [
      [...incident("[i.status.state, i.status.message]"), [["RESOLVED", "It came"]]],
      [table, "IncidentsSummary", "a.activeIncidentDetails", []],
    ],
  );
}

async function queries(edit) {
  const { page } = edit;
  await storeTable(edit);
  await edit.open(pathOf(table, "Queries"));
  const dialog = page.getByRole("dialog");
  const text = (name) => page.getByRole("region", { name: `SQL of ${name}` });
  const urn = async () => (await edit.stack.graphql("query($i: ListQueriesInput!) { listQueries(input: $i) { queries { urn } } }", { i: { datasetUrn: table } })).listQueries.queries[0].urn;
  let query;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "New query" }).first().click();
      await dialog.getByLabel("Name").fill("Late ones");
      await dialog.getByLabel("SQL").fill("select 1 from late");
      await edit.change(() => dialog.getByRole("button", { name: "Create query" }).click());
      await dialog.waitFor({ state: "detached" });
      query = await urn();
    },
    () => text("Late ones").getByText("select 1 from late").waitFor(),
    () => [
      [query, "QueryProperties", "[a.name, a.statement.value, a.source]", ["Late ones", "select 1 from late", "MANUAL"]],
      [query, "QuerySubjects", "[s.entity for s in a.subjects]", [table]],
    ],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Edit Late ones", exact: true }).click();
      await dialog.getByLabel("What it is for").fill("For the morning");
      await dialog.getByLabel("SQL").fill("select 2 from late");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => text("Late ones").getByText("select 2 from late").waitFor(),
    () => [[query, "QueryProperties", "[a.description, a.statement.value]", ["For the morning", "select 2 from late"]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Delete Late ones", exact: true }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Delete query" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No query yet").waitFor(),
    () => [[query, null, "graph.exists(urn)", false]],
  );
}

// Assets whose lineage is edited manually, with the aspect that contains it.
const refunds = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.raw.raw_refunds,PROD)";
const downstream = {
  [table]: "UpstreamLineage",
  "urn:li:dataJob:(urn:li:dataFlow:(airflow,churn_model,prod),score)": "DataJobInputOutput",
};

async function lineage(edit) {
  const { page } = edit;
  const line = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "RAW_REFUNDS" });
  await storeTable(edit);
  for (const [urn, aspect] of Object.entries(downstream)) {
    const held = [urn, aspect, `"${refunds}" in json.dumps(a.to_obj())`];
    await edit.open(pathOf(urn, "Lineage"));
    await edit.made(
      async () => {
        await page.getByRole("button", { name: "Edit lineage" }).click();
        await page.getByRole("combobox", { name: "Add an upstream asset" }).fill("RAW_REFUNDS");
        await page.getByRole("option", { name: /RAW_REFUNDS/ }).first().click();
        await edit.change(() => page.getByRole("button", { name: "Add upstream asset" }).click());
        await line.getByText("by hand", { exact: true }).waitFor();
      },
      async () => {
        await page.getByRole("button", { name: "Edit lineage" }).click();
        await line.getByText("by hand", { exact: true }).waitFor();
      },
      [[...held, true]],
    );
    await edit.made(
      async () => {
        await edit.change(() => line.getByRole("button").click());
        await line.waitFor({ state: "detached" });
      },
      async () => {
        await page.locator(`[data-urn="${urn}"]`).waitFor();
        await edit.settled();
        assert.equal(await page.locator(`[data-urn="${refunds}"]`).count(), 0);
      },
      [[...held, false]],
    );
  }
}

async function removal(edit) {
  const { page } = edit;
  const gone = "urn:li:container:edits-removed";
  await edit.store([{ urn: gone, containerProperties: { value: { name: "Old shelf" } }, status: { value: { removed: true } } }]);
  await edit.open(pathOf(gone));
  await page.getByText("Old shelf was removed").waitFor();
  await page.getByText("Searches leave it out").waitFor();
  await edit.made(
    async () => {
      await edit.change(() => page.getByRole("button", { name: "Bring it back" }).click());
      await page.getByText("Old shelf is back").waitFor();
    },
    async () => {
      await page.getByRole("heading", { level: 1, name: "Old shelf" }).waitFor();
      await page.getByText("Old shelf was removed").waitFor({ state: "detached" });
    },
    [[gone, "Status", "a.removed", false]],
  );
}

export const stories = {
  "the panel of a dataset": panelOfDataset,
  "panels of other types": panels,
  "the tabs of a dataset": inTurn(columns, properties, incidents, queries, lineage),
  "what was removed": removal,
};
