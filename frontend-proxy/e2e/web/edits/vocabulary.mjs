// Edits of the vocabulary: tags, the glossary, domains, data products, applications and structured
// properties.
import assert from "node:assert/strict";

import { inTurn, pathOf } from "./edit.mjs";

const asset = "urn:li:dataset:(urn:li:dataPlatform:kafka,edits.sorted,PROD)";

const storeAsset = (edit) => edit.store([{ urn: asset, datasetProperties: { value: { name: "edits_sorted" } } }]);
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: typeof name === "string" }) });

// own adds an owner to an entity and removes it again, in the dialog of the entity's menu.
async function own(edit, name, urn) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const removal = dialog.getByRole("button", { name: /^Remove Sorrel/ });
  const owners = "[[o.owner, o.typeUrn] for o in a.owners if 'sorrel' in o.owner]";
  await edit.made(
    async () => {
      await edit.more(name, "Owners");
      await dialog.getByLabel("Find a person or a group").last().fill("sorrel");
      await dialog.getByRole("radio", { name: /Sorrel/ }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Add owner" }).click());
      await removal.waitFor();
    },
    async () => {
      await edit.more(name, "Owners");
      await removal.waitFor();
    },
    [[urn, "Ownership", owners, [["urn:li:corpuser:sorrel.notebook", "urn:li:ownershipType:__system__technical_owner"]]]],
  );
  await edit.made(
    async () => {
      await edit.change(() => removal.click());
      await removal.waitFor({ state: "detached" });
    },
    async () => {
      await edit.more(name, "Owners");
      await dialog.getByLabel("Find a person or a group").last().waitFor();
      assert.equal(await removal.count(), 0);
      await dialog.getByRole("button", { name: "Done" }).click();
    },
    [[urn, "Ownership", owners, []]],
  );
}

// hold adds an asset to an entity on its Assets tab, and removes it again.
async function hold(edit, urn, put, out) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  await storeAsset(edit);
  await edit.open(pathOf(urn, "Assets"));
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Add assets" }).first().click();
      await dialog.getByLabel("Find an asset", { exact: true }).last().fill("edits_sorted");
      await dialog.getByRole("checkbox", { name: /edits_sorted/ }).first().check();
      await edit.change(() => dialog.getByRole("button", { name: "Add assets" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("table", { name: "Assets" }).getByText("edits_sorted").waitFor(),
    [put],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Take out edits_sorted" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Take out", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No asset yet").waitFor(),
    [out],
  );
}

// rename changes the name of an entity by its menu.
async function rename(edit, before, after) {
  const { page } = edit;
  await edit.more(before, "Rename");
  await page.getByRole("dialog").getByLabel("Name").fill(after);
  await edit.change(() => page.getByRole("button", { name: "Rename", exact: true }).click());
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

// remove deletes an entity by its menu, or by a button on its page.
async function remove(edit, name, item, verb = item) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  await edit.more(name, item);
  const typed = dialog.getByLabel(/^Type/);
  const go = dialog.getByRole("button", { name: verb, exact: true });
  await go.waitFor();
  if (await typed.isVisible()) {
    await typed.fill(name);
  }
  await edit.change(() => go.click());
  await dialog.waitFor({ state: "detached" });
}

async function tags(edit) {
  const { page } = edit;
  await edit.open("/tags");
  let urn;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create tag" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Äpfel");
      await page.getByLabel("Description", { exact: true }).fill("Of the season");
      await edit.change(() => page.getByRole("button", { name: "Create", exact: true }).click());
      await row(page, "Äpfel").waitFor();
      urn = await edit.urnBehind(row(page, "Äpfel").getByRole("link").first());
    },
    () => row(page, "Äpfel").getByText("Of the season").waitFor(),
    () => [[urn, "TagProperties", "[a.name, a.description]", ["Äpfel", "Of the season"]]],
  );
  await edit.made(
    async () => {
      await edit.change(() => page.getByLabel("Colour of Äpfel").fill("#cc3311"));
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await edit.write("description of Äpfel", "Of all seasons", "Enter");
      await rename(edit, "Äpfel", "apples");
    },
    async () => {
      await row(page, "apples").getByText("Of all seasons").waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-label="Colour of apples"]')?.value === "#cc3311");
    },
    [[urn, "TagProperties", "[a.name, a.description, a.colorHex]", ["apples", "Of all seasons", "#cc3311"]]],
  );
  await own(edit, "apples", urn);
  await hold(edit, urn, [asset, "GlobalTags", "[t.tag for t in a.tags]", [urn]], [asset, "GlobalTags", "a.tags", []]);
  await edit.open("/tags?find=apples");
  await edit.made(
    () => remove(edit, "apples", "Delete tag"),
    () => page.getByText("No tag matches").waitFor(),
    [[urn, null, "graph.exists(urn)", false]],
  );
}

async function glossary(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const heading = (name) => page.getByRole("heading", { level: 1, name, exact: true });
  const create = async (what, name) => {
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("menuitem", { name: what, exact: true }).click();
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await edit.change(() => dialog.getByRole("button", { name: /^Create / }).click());
    await heading(name).waitFor();
    return edit.urn;
  };
  await storeAsset(edit);
  await edit.open("/glossary");
  let group, term;
  await edit.made(
    async () => {
      group = await create("Group of terms", "Baskets");
      await edit.write("definition", "All about baskets");
    },
    async () => {
      await heading("Baskets").waitFor();
      await page.getByText("All about baskets").first().waitFor();
    },
    () => [[group, "GlossaryNodeInfo", "[a.name, a.definition, a.parentNode]", ["Baskets", "All about baskets", null]]],
  );
  await edit.made(
    async () => {
      term = await create("Term", "Basket value");
      await edit.write("definition", "Sum of a basket");
      await edit.more("Basket value", "Domain");
      await dialog.getByLabel("Find a domain").last().fill("finance");
      await dialog.getByRole("radio", { name: /Finance/ }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Put in domain" }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Add to assets" }).first().click();
      await dialog.getByLabel("Find an asset").last().fill("edits_sorted");
      await dialog.getByRole("checkbox", { name: /edits_sorted/ }).first().check();
      await edit.change(() => dialog.getByRole("button", { name: "Add to assets" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await page.getByText("Sum of a basket").first().waitFor();
      await page.getByRole("navigation", { name: "Where it stands" }).getByText("Baskets").waitFor();
      await page.getByRole("link", { name: /^Finance/ }).first().waitFor();
      await page.getByRole("table").getByText("edits_sorted").waitFor();
    },
    () => [
      [term, "GlossaryTermInfo", "[a.name, a.definition, a.parentNode]", ["Basket value", "Sum of a basket", group]],
      [term, "Domains", "a.domains", ["urn:li:domain:finance"]],
      [asset, "GlossaryTerms", "[t.urn for t in a.terms]", [term]],
    ],
  );
  await edit.made(
    async () => {
      await rename(edit, "Basket value", "Value of a basket");
      await edit.more("Value of a basket", "Domain");
      await edit.change(() => dialog.getByRole("button", { name: "Take out of its domain" }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Take the term off edits_sorted" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Take off" }).click());
      await dialog.waitFor({ state: "detached" });
      await edit.more("Value of a basket", "Move to");
      await dialog.getByLabel("Find a group").last().fill("commerce");
      await dialog.getByRole("radio", { name: /Commerce/ }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Move", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await heading("Value of a basket").waitFor();
      await page.getByRole("navigation", { name: "Where it stands" }).getByText("Commerce").waitFor();
      await page.getByText("No domain yet").waitFor();
      await page.getByText("Nothing carries this term yet").waitFor();
    },
    [
      [term, "GlossaryTermInfo", "[a.name, a.parentNode]", ["Value of a basket", "urn:li:glossaryNode:fernhill.commerce"]],
      [term, "Domains", "a.domains", []],
      [asset, "GlossaryTerms", "a.terms", []],
    ],
  );
  await edit.open(pathOf(term, "related"));
  const relate = async (way, text, name) => {
    await page.getByRole("button", { name: "Add relation" }).click();
    await dialog.getByRole("combobox").selectOption({ label: way });
    await dialog.getByLabel("Find a term to tie it to").last().fill(text);
    await dialog.getByRole("checkbox", { name }).first().check();
    await edit.change(() => dialog.getByRole("button", { name: "Add relation" }).click());
    await dialog.waitFor({ state: "detached" });
  };
  await edit.made(
    async () => {
      await relate("is a kind of", "gross", /Gross margin/);
      await relate("contains", "churn", /^Churn/);
    },
    async () => {
      await page.getByRole("heading", { name: "Is a kind of" }).waitFor();
      await page.getByRole("heading", { name: "Contains" }).waitFor();
    },
    [[term, "GlossaryRelatedTerms", "[a.isRelatedTerms, a.hasRelatedTerms]", [["urn:li:glossaryTerm:gross-margin"], ["urn:li:glossaryTerm:churn"]]]],
  );
  await edit.made(
    async () => {
      await edit.change(() => page.getByRole("button", { name: /^Remove Gross margin/ }).click());
      await page.getByRole("heading", { name: "Is a kind of" }).waitFor({ state: "detached" });
    },
    async () => {
      await page.getByRole("heading", { name: "Contains" }).waitFor();
      await page.getByRole("heading", { name: "Is a kind of" }).waitFor({ state: "detached" });
    },
    [[term, "GlossaryRelatedTerms", "[a.isRelatedTerms, a.hasRelatedTerms]", [[], ["urn:li:glossaryTerm:churn"]]]],
  );
  await edit.open(pathOf(term, "documentation"));
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Add link" }).click();
      await dialog.getByLabel("Address").fill("https://docs.example/basket");
      await dialog.getByLabel("Shown as").fill("Of baskets");
      await edit.change(() => dialog.getByRole("button", { name: "Add link" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("link", { name: "Of baskets" }).waitFor(),
    [[term, "InstitutionalMemory", "[[e.url, e.description] for e in a.elements]", [["https://docs.example/basket", "Of baskets"]]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Remove the link Of baskets" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Remove link" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No link yet").waitFor(),
    [[term, "InstitutionalMemory", "a.elements", []]],
  );
  await edit.open(pathOf(group));
  await edit.made(
    () => remove(edit, "Baskets", "Delete group"),
    () => heading("Baskets").waitFor({ state: "detached" }),
    [[group, null, "graph.exists(urn)", false]],
  );
}

async function domains(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const create = async (verb, name) => {
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("What is in it").fill(`All of ${name}`);
    await edit.change(() => dialog.getByRole("button", { name: verb }).click());
    await dialog.waitFor({ state: "detached" });
  };
  await edit.open("/domains");
  let above, below;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create domain" }).click();
      await create("Create domain", "Retail");
      above = await edit.urnBehind(row(page, /^Retail/).getByRole("link").first());
      await edit.more("Retail", "New sub-domain");
      await create("Create sub-domain", "Tills");
      await page.getByRole("button", { name: "Open Retail" }).click();
      below = await edit.urnBehind(row(page, /^Tills/).getByRole("link").first());
    },
    () => row(page, /^Tills/).waitFor(),
    () => [
      [above, "DomainProperties", "[a.name, a.description, a.parentDomain]", ["Retail", "All of Retail", null]],
      [below, "DomainProperties", "[a.name, a.description, a.parentDomain]", ["Tills", "All of Tills", above]],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("Tills", "Move below");
      await dialog.getByLabel("Find a domain").last().fill("Finance");
      await dialog.getByRole("radio", { name: /Finance/ }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Move", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Open Finance" }).click();
      await rename(edit, "Tills", "Tills and cards");
    },
    () => row(page, /^Tills and cards/).waitFor(),
    () => [[below, "DomainProperties", "[a.name, a.parentDomain]", ["Tills and cards", "urn:li:domain:finance"]]],
  );
  await own(edit, "Tills and cards", below);
  await hold(edit, below, [asset, "Domains", "a.domains", [below]], [asset, "Domains", "a.domains", []]);
  await edit.open(`/domains?open=${encodeURIComponent("urn:li:domain:finance")}`);
  await edit.made(
    () => remove(edit, "Tills and cards", "Delete domain"),
    async () => {
      await row(page, /^Finance/).waitFor();
      await row(page, /^Tills and cards/).waitFor({ state: "detached" });
    },
    [[below, null, "graph.exists(urn)", false]],
  );
}

// The pages of data products and applications are alike.
const collections = (path, what, other, aspect, create, put, out) => async (edit) => {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  await edit.open(path);
  let urn;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: `Create ${what}` }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Weekly figures");
      await dialog.getByLabel("What it offers").fill("What a week brings");
      await create(dialog);
      await edit.change(() => dialog.getByRole("button", { name: `Create ${what}` }).click());
      await dialog.waitFor({ state: "detached" });
      urn = await edit.urnBehind(row(page, /^Weekly figures/).getByRole("link").first());
    },
    () => row(page, /^Weekly figures/).getByText("What a week brings").waitFor(),
    () => [[urn, aspect, "[a.name, a.description]", ["Weekly figures", "What a week brings"]]],
  );
  await edit.made(
    async () => {
      await edit.write("description of Weekly figures", "What the week brought");
      await rename(edit, "Weekly figures", "Figures of the week");
    },
    () => row(page, /^Figures of the week/).getByText("What the week brought").waitFor(),
    () => [[urn, aspect, "[a.name, a.description]", ["Figures of the week", "What the week brought"]]],
  );
  await hold(edit, urn, put(urn), out(urn));
  await edit.open(path);
  await edit.made(
    () => remove(edit, "Figures of the week", "Delete", `Delete ${what}`),
    async () => {
      await row(page, other).waitFor();
      await row(page, /^Figures of the week/).waitFor({ state: "detached" });
    },
    [[urn, null, "graph.exists(urn)", false]],
  );
};

const products = collections(
  "/data-products",
  "data product",
  /^Plant health/,
  "DataProductProperties",
  async (dialog) => {
    await dialog.getByLabel("Find a domain").last().fill("finance");
    await dialog.getByRole("radio", { name: /Finance/ }).click();
  },
  (urn) => [urn, "DataProductProperties", "[x.destinationUrn for x in a.assets]", [asset]],
  (urn) => [urn, "DataProductProperties", "a.assets", []],
);
const applications = collections(
  "/applications",
  "application",
  /^Fernhill Shop/,
  "ApplicationProperties",
  () => undefined,
  (urn) => [asset, "Applications", "a.applications", [urn]],
  () => [asset, "Applications", "a.applications", []],
);

async function definitions(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const urn = "urn:li:structuredProperty:fernhill.care_tier";
  await edit.open("/structured-properties");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create property" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Care tier");
      await dialog.getByLabel("Qualified name").fill("fernhill.care_tier");
      await dialog.getByLabel("Allowed values").fill("gold | Within an hour\nsilver");
      await edit.change(() => dialog.getByRole("button", { name: "Create property" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => row(page, "Care tier").getByText("gold (Within an hour), silver").waitFor(),
    [[urn, "StructuredPropertyDefinition", "[a.displayName, a.cardinality, [[v.value, v.description] for v in a.allowedValues]]", ["Care tier", "SINGLE", [["gold", "Within an hour"], ["silver", null]]]]],
  );
  await edit.made(
    async () => {
      await edit.more("Care tier", "Edit");
      await dialog.getByLabel("Name", { exact: true }).fill("Tier of care");
      await dialog.getByLabel("Description").fill("How fast it is mended");
      await dialog.getByLabel("Allowed values").fill("bronze\ngold | Within an hour\nsilver | Within a day");
      await dialog.getByLabel("A filter of the search").check();
      await dialog.getByLabel("Assets may have several values").check();
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => row(page, "Tier of care").getByText("bronze, gold (Within an hour), silver (Within a day)").waitFor(),
    [
      [urn, "StructuredPropertyDefinition", "[a.displayName, a.description, a.cardinality, [v.value for v in a.allowedValues]]", ["Tier of care", "How fast it is mended", "MULTIPLE", ["bronze", "gold", "silver"]]],
      [urn, "StructuredPropertySettings", "a.showInSearchFilters", true],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("Tier of care", "Delete property");
      await dialog.getByRole("textbox").fill("Tier of care");
      await edit.change(() => dialog.getByRole("button", { name: "Delete property" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await row(page, "Data class").waitFor();
      await row(page, "Tier of care").waitFor({ state: "detached" });
    },
    [[urn, null, "graph.exists(urn)", false]],
  );
}

export const stories = { tags, glossary, "domains, data products and applications": inTurn(domains, products, applications), "structured properties": definitions };
