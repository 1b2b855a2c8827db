// Edits of forms, tests, policies, views and announcements, and bulk changes of assets.
import assert from "node:assert/strict";

import { admin } from "../stack.mjs";
import { inTurn, pathOf } from "./edit.mjs";

const asset = "urn:li:dataset:(urn:li:dataPlatform:kafka,edits.ruled,PROD)";
const owned = { owner: admin, type: "CUSTOM", typeUrn: "urn:li:ownershipType:__system__technical_owner" };
const storeAsset = (edit, more = {}) => edit.store([{ urn: asset, datasetProperties: { value: { name: "edits_ruled" } }, ownership: { value: { owners: [owned] } }, ...more }]);
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

async function forms(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  await storeAsset(edit);
  await edit.open("/forms");
  let urn;
  const ask = async (title, property) => {
    await page.getByRole("button", { name: "Add question" }).click();
    await dialog.getByLabel("Question", { exact: true }).fill(title);
    await dialog.getByRole("combobox", { name: "Answered with the property" }).fill(property);
    await page.getByRole("option", { name: new RegExp(`^${property}`, "u") }).click();
    await edit.change(() => dialog.getByRole("button", { name: "Add question" }).click());
    await dialog.waitFor({ state: "detached" });
  };
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create form" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Season check");
      await dialog.getByLabel("What it is for").fill("Before the spring");
      await dialog.getByRole("radio", { name: /^Verification/ }).check();
      await dialog.getByLabel("The owners of an asset fill it in").uncheck();
      await dialog.getByRole("combobox", { name: "Owners of these types fill it in" }).click();
      await page.getByRole("option", { name: "Technical Owner" }).click();
      await page.keyboard.press("Escape");
      await edit.change(() => dialog.getByRole("button", { name: "Create form" }).click());
      await page.getByRole("heading", { level: 1, name: "Season check" }).waitFor();
      urn = edit.urn;
      await ask("How secret?", "Data class");
    },
    async () => {
      await page.getByRole("row", { name: /^How secret/ }).waitFor();
      await page.getByText(/owners of the type Technical Owner/).waitFor();
    },
    () => [
      [urn, "FormInfo", "[a.name, a.description, a.type, [[p.title, p.structuredPropertyParams.urn] for p in a.prompts]]", ["Season check", "Before the spring", "VERIFICATION", [["How secret?", "urn:li:structuredProperty:fernhill.data_class"]]]],
      ["", null, `graph._get_generic("${edit.stack.proxy}/api/gms/entitiesV2/" + urllib.parse.quote("${urn}", safe=""))["aspects"]["formInfo"]["value"]["actors"]["ownershipTypes"]`, ["urn:li:ownershipType:__system__technical_owner"]],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("How secret?", "Edit");
      await dialog.getByLabel("Question", { exact: true }).fill("How secret is it?");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Check of the season");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Add assets" }).click();
      await dialog.getByLabel("Find an asset").last().fill("edits_ruled");
      await dialog.getByRole("checkbox", { name: /edits_ruled/ }).first().check();
      await edit.change(() => dialog.getByRole("button", { name: "Add assets" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await page.getByRole("heading", { level: 1, name: "Check of the season" }).waitFor();
      await page.getByRole("row", { name: /^How secret is it/ }).waitFor();
      await page.getByRole("link", { name: "Answers of edits_ruled" }).waitFor();
    },
    () => [
      [urn, "FormInfo", "[a.name, [p.title for p in a.prompts]]", ["Check of the season", ["How secret is it?"]]],
      [asset, "Forms", "[f.urn for f in a.incompleteForms]", [urn]],
    ],
  );

  // The user answers and verifies the form on the asset page.
  await edit.open(pathOf(asset, "Governance"));
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Answer: How secret is it?" }).click();
      await page.getByRole("radio", { name: /secret/ }).check();
      await edit.change(() => page.getByRole("button", { name: "Save", exact: true }).click());
      await edit.change(() => page.getByRole("button", { name: "Verify Check of the season" }).click());
      await page.getByText("Verified", { exact: true }).waitFor();
    },
    () => page.getByText("Verified", { exact: true }).waitFor(),
    () => [
      [asset, "StructuredProperties", "[[p.propertyUrn, p.values] for p in a.properties]", [["urn:li:structuredProperty:fernhill.data_class", ["secret"]]]],
      [asset, "Forms", "[[f.urn for f in a.completedForms], [v.form for v in a.verifications]]", [[urn], [urn]]],
    ],
  );

  await edit.open(pathOf(urn));
  await edit.made(
    async () => {
      await page.getByRole("radio", { name: /^Verified/ }).check();
      await page.getByRole("button", { name: "Take the form off edits_ruled" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Take off" }).click());
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Assign by rule" }).click();
      await dialog.getByRole("combobox", { name: "Type of the condition" }).fill("Data product");
      await page.getByRole("option", { name: "Data product", exact: true }).click();
      await page.keyboard.press("Escape");
      await dialog.getByText(/get the form anew/).waitFor();
      await edit.change(() => dialog.getByRole("button", { name: "Assign", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await page.getByText("Type is Data product.").waitFor();
      await page.getByRole("link", { name: "Answers of edits_ruled" }).waitFor({ state: "detached" });
    },
    () => [
      [asset, "Forms", "[f.urn for f in a.incompleteForms + a.completedForms]", []],
      [urn, "DynamicFormAssignment", "'dataProduct' in json.dumps(a.to_obj())", true],
      ["urn:li:dataProduct:churn", "Forms", "[f.urn for f in a.incompleteForms]", [urn]],
    ],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Remove rule" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Remove rule" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No rule assigns it.").waitFor(),
    () => [[urn, "DynamicFormAssignment", "True", null]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Delete form" }).click();
      await dialog.getByRole("textbox").fill("Check of the season");
      await edit.change(() => dialog.getByRole("button", { name: "Delete form" }).click());
      await page.getByRole("table", { name: "Forms" }).waitFor();
    },
    async () => {
      await row(page, "Care of tables").waitFor();
      assert.equal(await row(page, "Check of the season").count(), 0);
    },
    () => [
      [urn, null, "graph.exists(urn)", false],
      ["urn:li:dataProduct:churn", "Forms", "[f.urn for f in a.incompleteForms]", []],
    ],
  );
}

async function tests(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const definition = page.getByLabel("Definition, JSON or YAML");
  await storeAsset(edit);
  await edit.open("/tests");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "More about tests" }).click();
      await page.getByRole("menuitem", { name: "Add the starter pack" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Add 8 tests" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("link", { name: /Lineage is intact/ }).first().waitFor(),
    [["urn:li:test:starter-owned", "TestInfo", "a.name", "Has an owner"]],
  );
  await edit.open("/tests/new?view=text");
  let urn;
  const rules = '{"on":{"types":["dataset"]},"rules":{"property":"owners","operator":"exists"}}';
  await edit.made(
    async () => {
      await page.getByLabel("Name", { exact: true }).fill("Answered for");
      await page.getByLabel("Category").fill("Care");
      await definition.fill(rules);
      await edit.change(() => page.getByRole("button", { name: "Create test" }).click());
      await page.getByRole("button", { name: "Save" }).waitFor();
      urn = edit.urn;
    },
    async () => {
      await page.getByRole("heading", { level: 1, name: "Answered for" }).waitFor();
      assert.equal(await page.getByLabel("Category").inputValue(), "Care");
    },
    () => [[urn, "TestInfo", "[a.name, a.category, a.definition.json]", ["Answered for", "Care", rules]]],
  );
  await edit.made(
    async () => {
      await page.getByLabel("Name", { exact: true }).fill("Has somebody");
      await page.getByLabel("What it is for").fill("So that one can ask");
      await edit.change(() => page.getByRole("button", { name: "Save" }).click());
      await page.getByText("was saved").waitFor();
    },
    async () => {
      await page.getByRole("heading", { level: 1, name: "Has somebody" }).waitFor();
      assert.equal(await page.getByLabel("What it is for").inputValue(), "So that one can ask");
    },
    () => [[urn, "TestInfo", "[a.name, a.description, a.definition.json]", ["Has somebody", "So that one can ask", rules]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Run on one asset" }).click();
      await dialog.getByLabel("Asset", { exact: true }).fill("edits_ruled");
      await dialog.getByRole("list", { name: "Assets found" }).getByRole("button").first().click();
      await dialog.getByRole("switch", { name: "Keep results" }).check({ force: true });
      await edit.change(() => dialog.getByRole("button", { name: "Run", exact: true }).click());
      await dialog.getByText("The results were kept.").waitFor();
    },
    () => page.getByRole("heading", { level: 1, name: "Has somebody" }).waitFor(),
    () => [[asset, "TestResults", `"${urn}" in [r.test for r in a.passing]`, true]],
  );
  await edit.open(pathOf(asset, "Governance"));
  await page.getByRole("link", { name: "Has somebody" }).waitFor();
  await edit.open(`/tests/${encodeURIComponent("urn:li:test:starter-owned")}?view=runs`);
  await edit.made(
    async () => {
      await edit.change(() => page.getByRole("button", { name: "Run on all assets" }).click());
      await page.getByRole("complementary").getByText("done", { exact: true }).waitFor();
    },
    () => page.getByText("asked for by datahub").first().waitFor(),
    () => [[asset, "TestResults", `"urn:li:test:starter-owned" in [r.test for r in a.passing]`, true]],
  );
  await edit.open(`/tests/${encodeURIComponent(urn)}`);
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Delete test" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Delete test" }).click());
      await page.getByRole("heading", { level: 1, name: "Tests" }).waitFor();
    },
    async () => {
      await page.getByRole("link", { name: /Lineage is intact/ }).first().waitFor();
      assert.equal(await page.getByRole("link", { name: /Has somebody/ }).count(), 0);
    },
    () => [[urn, null, "graph.exists(urn)", false]],
  );
}

async function policies(edit) {
  const { page } = edit;
  const heading = (name) => page.getByRole("heading", { level: 1, name });
  const policy = (field, want) => [urn, "DataHubPolicyInfo", field, want];
  await edit.open("/settings/policies/new");
  let urn;
  await edit.made(
    async () => {
      await page.getByLabel("Name", { exact: true }).fill("Edits of tags");
      await page.getByRole("combobox", { name: "People and groups" }).fill("Moss Hosepipe");
      await page.getByRole("option", { name: "Moss Hosepipe", exact: true }).click();
      await page.keyboard.press("Tab");
      await page.getByRole("checkbox", { name: "Edit Tags", exact: true }).check();
      await edit.change(() => page.getByRole("button", { name: "Make policy" }).click());
      await heading("Edits of tags").waitFor();
      urn = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1));
    },
    async () => {
      await heading("Edits of tags").waitFor();
      assert.ok(await page.getByRole("checkbox", { name: "Edit Tags", exact: true }).isChecked());
    },
    () => [policy("[a.displayName, a.type, a.state, a.privileges, a.actors.users]", ["Edits of tags", "METADATA", "ACTIVE", ["EDIT_ENTITY_TAGS"], ["urn:li:corpuser:moss.hosepipe"]])],
  );
  await edit.made(
    async () => {
      await page.getByLabel("What it is for").fill("For the night");
      await page.getByRole("checkbox", { name: "Edit Owners", exact: true }).check();
      await edit.change(() => page.getByRole("button", { name: "Save changes" }).click());
      await page.getByText("Edits of tags was saved").waitFor();
    },
    async () => {
      await heading("Edits of tags").waitFor();
      assert.ok(await page.getByRole("checkbox", { name: "Edit Owners", exact: true }).isChecked());
      assert.equal(await page.getByLabel("What it is for").inputValue(), "For the night");
    },
    () => [policy("[a.description, sorted(a.privileges)]", ["For the night", ["EDIT_ENTITY_OWNERS", "EDIT_ENTITY_TAGS"]])],
  );
  await edit.open("/settings/policies?find=edits+of+tags");
  const on = page.getByRole("switch", { name: "Edits of tags" });
  await edit.made(
    () => edit.change(() => on.locator("..").click()),
    async () => {
      await on.waitFor();
      assert.equal(await on.isChecked(), false);
    },
    () => [policy("[a.state, a.description]", ["INACTIVE", "For the night"])],
  );
  await edit.made(
    async () => {
      await edit.more("Edits of tags", "Delete");
      await edit.change(() => page.getByRole("button", { name: "Delete policy" }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    () => page.getByText("No policy matches").waitFor(),
    () => [[urn, null, "graph.exists(urn)", false]],
  );
}

async function announcements(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const posts = "[graph.get_aspect(u, PostInfoClass).content for u in graph.get_urns_by_filter(entity_types=['post'])]";
  await edit.open("/settings/announcements");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Announce something" }).first().click();
      await dialog.getByLabel("Title").fill("Nightly repairs");
      await dialog.getByLabel("Text").fill("From ten on");
      await dialog.getByLabel("Leads to").fill("/glossary");
      await edit.change(() => dialog.getByRole("button", { name: "Announce", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("table").getByText("Nightly repairs").waitFor(),
    [["", null, `[[c.title, c.description, c.link] for c in ${posts}]`, [["Nightly repairs", "From ten on", "/glossary"]]]],
  );
  await edit.made(
    async () => {
      await edit.more("Nightly repairs", "Change");
      await dialog.getByLabel("Title").fill("Repairs at night");
      await edit.change(() => dialog.getByRole("button", { name: "Save changes" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByRole("table").getByText("Repairs at night").waitFor(),
    [["", null, `[[c.title, c.link] for c in ${posts}]`, [["Repairs at night", "/glossary"]]]],
  );
  await edit.open("/");
  await page.getByText("Repairs at night").waitFor();
  await edit.open("/settings/announcements");
  await edit.made(
    async () => {
      await edit.more("Repairs at night", "Delete announcement");
      await edit.change(() => dialog.getByRole("button", { name: "Delete announcement" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("Nothing is announced").waitFor(),
    [["", null, posts, []]],
  );
}

async function views(edit) {
  const { page } = edit;
  const open = () => page.getByRole("button", { name: "Views" }).click();
  const usual = [admin, "CorpUserSettings", "a.views.defaultView"];
  await edit.open("/search?query=*&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Akafka");
  let urn;
  await edit.made(
    async () => {
      await open();
      await page.getByRole("menuitem", { name: "Save filters as a view" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Streams");
      await edit.change(() => page.getByRole("button", { name: "Save view" }).click());
      await page.getByText("View is").waitFor();
      urn = new URL(page.url()).searchParams.get("view");
    },
    () => page.getByText("View is").waitFor(),
    () => [[urn, "DataHubViewInfo", "[a.name, a.type, [[c.field, c.values] for f in a.definition.filter.or_ for c in f.and_]]", ["Streams", "PERSONAL", [["platform", ["urn:li:dataPlatform:kafka"]]]]]],
  );
  await edit.made(
    async () => {
      await open();
      await edit.change(() => page.getByRole("menuitem", { name: "Begin my searches with this view" }).click());
    },
    async () => {
      await edit.open("/search?query=*");
      await page.getByText("View is").waitFor();
    },
    () => [[...usual, urn]],
  );
  await edit.made(
    async () => {
      await open();
      await edit.change(() => page.getByRole("menuitem", { name: "Begin my searches without a view" }).click());
      await page.getByText("Your searches begin without a view").waitFor();
      await open();
      await page.getByRole("menuitemradio", { name: "Streams" }).click();
      await open();
      await page.getByRole("menuitem", { name: "Delete this view" }).click();
      await edit.change(() => page.getByRole("dialog").getByRole("button", { name: "Delete view" }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    async () => {
      await open();
      await page.getByRole("menuitem", { name: "Save filters as a view" }).waitFor();
      assert.equal(await page.getByRole("menuitemradio", { name: "Streams" }).count(), 0);
    },
    () => [
      [...usual, null],
      [urn, null, "graph.exists(urn)", false],
    ],
  );
}

async function many(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const other = asset.replace("ruled", "ruled_too");
  await storeAsset(edit);
  await edit.store([{ urn: other, datasetProperties: { value: { name: "edits_ruled_too" } } }]);
  await edit.open("/search?query=edits_ruled&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Akafka");
  const results = page.getByRole("list", { name: "Results" });
  // all selects all results and opens the dialog of a change.
  const all = async (change) => {
    await results.getByRole("link", { name: /edits_ruled_too/ }).first().waitFor();
    await page.getByRole("checkbox", { name: /^Select edits_ruled/ }).first().click();
    const rest = page.getByRole("button", { name: /^Select all/ });
    if (await rest.isVisible()) {
      await rest.click();
    }
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: change, exact: true }).click();
  };
  const pick = async (label, text, name) => {
    await dialog.getByRole("combobox", { name: label }).fill(text);
    await page.getByRole("option", { name }).first().click();
    if (await page.getByRole("listbox").isVisible()) {
      await page.keyboard.press("Escape"); // a multi-select list stays open above the buttons
    }
  };
  const save = async (verb) => {
    await edit.change(() => dialog.getByRole("button", { name: verb, exact: true }).click());
    await dialog.waitFor({ state: "detached" });
  };
  const both = (aspect, expression, want) => [asset, other].map((urn) => [urn, aspect, expression, want]);
  await edit.made(
    async () => {
      await all("Tag");
      await pick("Tags", "seasonal", /^seasonal/);
      await save("Add tags");
      await page.getByRole("button", { name: "Term", exact: true }).click();
      await pick("Terms", "churn", /^Churn/);
      await save("Add terms");
      await page.getByRole("button", { name: "Owner", exact: true }).click();
      await pick("People and groups", "Moss", /^Moss Hosepipe/);
      await save("Add owners");
      await page.getByRole("button", { name: "Domain", exact: true }).click();
      await pick("Domain", "finance", /^Finance/);
      await save("Set domain");
      await page.getByRole("button", { name: "Deprecate", exact: true }).click();
      await page.getByLabel("Why, and what to use instead").fill("Old");
      await save("Deprecate");
    },
    async () => {
      await results.getByText("Deprecated").nth(1).waitFor();
      await results.getByText("seasonal").nth(1).waitFor();
    },
    [
      ...both("GlobalTags", "[t.tag for t in a.tags]", ["urn:li:tag:seasonal"]),
      ...both("GlossaryTerms", "[t.urn for t in a.terms]", ["urn:li:glossaryTerm:churn"]),
      ...both("Ownership", '"urn:li:corpuser:moss.hosepipe" in [o.owner for o in a.owners]', true),
      ...both("Domains", "a.domains", ["urn:li:domain:finance"]),
      ...both("Deprecation", "[a.deprecated, a.note]", [true, "Old"]),
    ],
  );
  await edit.made(
    async () => {
      await all("Domain");
      await save("Take out of domain");
      await page.getByRole("button", { name: "Deprecate", exact: true }).click();
      await dialog.getByRole("radio", { name: "Not deprecated" }).check({ force: true });
      await save("End deprecation");
    },
    async () => {
      await results.getByText("seasonal").nth(1).waitFor();
      assert.equal(await results.getByText("Deprecated").count(), 0);
    },
    [...both("Domains", "a.domains", []), ...both("Deprecation", "a.deprecated", false)],
  );
}

export const stories = { "forms and answers": forms, "metadata tests": tests, "policies and announcements": inTurn(policies, announcements), "views, and changes of many assets": inTurn(views, many) };
