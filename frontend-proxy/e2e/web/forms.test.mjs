// The pages to create, assign and monitor forms.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, go, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const care = "urn:li:form:care-of-tables";
const review = "urn:li:form:yearly-review";
const pageOf = (urn) => `/form/${encodeURIComponent(urn)}`;
const tableOf = (name) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.${name},PROD)`;

describe("forms", unlessMissing("forms"), () => {
  let stack, pages, as;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

  const formOf = async (urn) =>
    (await stack.graphql("query($u: String!) { form(urn: $u) { info { name description type prompts { id title type required structuredPropertyParams { structuredProperty { urn } } } actors { owners users { urn } groups { urn } } } } }", { u: urn })).form?.info;

  // Returns the forms of a dataset, as open or completed.
  const openOn = async (urn) =>
    (await stack.graphql("query($u: String!) { dataset(urn: $u) { forms { incompleteForms { form { urn } incompletePrompts { id } } } } }", { u: urn })).dataset.forms?.incompleteForms ?? [];

  it("lists the forms with how far assets are, finds, exports what was found, and leads to where the missing answers are given", () =>
    pages.visit(
      "/forms",
      async (page, opened) => {
        await row(page, "Care of tables").getByText("3 of 5 assets complete").waitFor();
        await row(page, "Yearly review").getByText("1 of 3 assets complete, 1 verified").waitFor();
        fewRequests(opened);
        await page.getByLabel("Find a form").fill("yearly");
        await page.getByRole("link", { name: "Care of tables" }).waitFor({ state: "detached" });
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
        const text = await readFile(await download.path(), "utf8");
        assert.match(text, /^\uFEFFForm,Description,Kind,Questions,Properties,Filled in by,Assets,Complete,Verified,URN\r\n/);
        assert.match(text, /Yearly review,.*,Verification,When is the next review\?; Who approves changes\?,.*,3,1,1,urn:li:form:yearly-review/);
        assert.doesNotMatch(text, /Care of tables/);
        await go(page, pageOf(care));
        await page.getByRole("row", { name: /How long is it kept/ }).getByText("4 of 5").waitFor();
        await page.getByRole("link", { name: "Answers of mart_plant_survival" }).waitFor();
        await page.getByText("No rule assigns it.").waitFor();
        await go(page, pageOf(review));
        await page.getByRole("link", { name: "Answers of fct_orders" }).waitFor();
        await page.getByText("Verified", { exact: false }).first().waitFor();
        await page.getByRole("radio", { name: /^Verified/ }).check();
        await page.getByRole("link", { name: "Answers of dim_customers" }).waitFor();
        await page.getByRole("link", { name: "Answers of fct_orders" }).waitFor({ state: "detached" });
        assert.match(page.url(), /assets=done/);
        await page.getByRole("link", { name: "Answers of dim_customers" }).click();
        await page.waitForURL(/\/dataset\/.*\/Governance/u);
        await page.getByRole("heading", { name: "Yearly review" }).waitFor();
        await go(page, pageOf("urn:li:form:gone"));
        await page.getByText("There is no such form").waitFor();
      },
      { as },
    ));

  it("makes a form, asks, assigns it by a rule, and deletes it with the number of assets", () =>
    pages.visit("/forms", async (page, opened) => {
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Create form" }).click();
      await dialog.getByRole("button", { name: "Create form" }).click();
      await dialog.getByText("A form needs a name.").waitFor();
      await dialog.getByLabel("Name", { exact: true }).fill("Season check");
      await dialog.getByLabel("What it is for").fill("Before the spring <b>sale</b>");
      await dialog.getByRole("radio", { name: /^Verification/ }).check();
      await dialog.getByLabel("People and groups who fill it in on every asset").fill("sorrel");
      await page.getByRole("option", { name: /Sorrel/ }).click();
      await page.keyboard.press("Escape");
      await opened.picture("form-create");
      assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
      await dialog.getByRole("button", { name: "Create form" }).click();
      await page.getByRole("heading", { level: 1, name: "Season check" }).waitFor();
      const urn = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1));
      assert.deepEqual((await formOf(urn)).actors, { owners: true, users: [{ urn: "urn:li:corpuser:sorrel.notebook" }], groups: null });

      // Assets that receive a form without questions would never be asked any question.
      assert.equal(await page.getByRole("button", { name: "Assign by rule" }).getAttribute("aria-disabled"), "true");
      const ask = async (title, property, required) => {
        await page.getByRole("button", { name: "Add question" }).click();
        await dialog.getByLabel("Question", { exact: true }).fill(title);
        await dialog.getByRole("combobox", { name: "Answered with the property" }).fill(property);
        await page.getByRole("option", { name: new RegExp(`^${property}`) }).click();
        await dialog.getByLabel("An answer is required").setChecked(required);
        await opened.picture("form-question");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        await dialog.getByRole("button", { name: "Add question" }).click();
        await page.getByRole("row", { name: new RegExp(`^${title.replace("?", "")}`) }).waitFor();
      };
      await ask("Is it ready?", "Data class", true);
      await ask("Until when?", "Retention", false);
      const order = async () => (await formOf(urn)).prompts.map(({ title, required }) => [title, required]);
      assert.deepEqual(await order(), [["Is it ready?", true], ["Until when?", false]]);

      await page.getByRole("button", { name: "More for Until when?" }).click();
      await page.getByRole("menuitem", { name: "Move up" }).click();
      await page.getByRole("row").nth(1).getByText("Until when?").waitFor();
      await page.getByRole("button", { name: "More for Until when?" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await dialog.getByLabel("Question", { exact: true }).fill("Until which day?");
      await dialog.getByLabel("An answer is required").check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("row", { name: /^Until which day/ }).waitFor();
      assert.deepEqual(await order(), [["Until which day?", true], ["Is it ready?", true]]);

      await page.getByRole("button", { name: "Assign by rule" }).click();
      await dialog.getByRole("combobox", { name: "Type of the condition" }).fill("Dataset");
      await page.getByRole("option", { name: "Dataset", exact: true }).click();
      await dialog.getByRole("button", { name: "Add condition" }).click();
      await dialog.getByRole("combobox", { name: "Field" }).last().click();
      await page.getByRole("option", { name: "Platform", exact: true }).click();
      await dialog.getByRole("combobox", { name: "Platform of the condition" }).fill("kafka");
      await page.getByRole("option", { name: /kafka/i }).first().click();
      await page.keyboard.press("Escape");
      await dialog.getByText("8 assets now; 8 get the form anew.").waitFor();
      await opened.picture("form-rule");
      assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
      await dialog.getByRole("button", { name: "Assign", exact: true }).click();
      await page.getByText("Type is Dataset and Platform is Kafka.").waitFor();
      await page.getByText("and all of them have the form").waitFor();
      await page.getByText("0 of 8 assets complete, 0 verified.").waitFor();
      await opened.picture("form-made");

      // The page reports an asset that was added later, and assigns the form to it.
      const token = await stack.token("later", "urn:li:corpuser:datahub");
      const late = "urn:li:dataset:(urn:li:dataPlatform:kafka,spring.offers,PROD)";
      await stack.call(token, "POST", "/openapi/v3/entity/dataset?async=false", [{ urn: late, datasetProperties: { value: { name: "spring.offers" } } }]);
      await page.reload();
      await page.getByText("1 of them came later and has not got the form.").waitFor();
      await page.getByRole("button", { name: "Give it to it" }).click();
      await page.getByText("0 of 9 assets complete").waitFor();
      assert.deepEqual((await openOn(late)).map(({ form, incompletePrompts }) => [form.urn, incompletePrompts.length]), [[urn, 2]]);

      await page.getByRole("link", { name: "9 assets", exact: true }).click();
      await page.waitForURL(/\/search\?/u);
      await page.getByRole("link", { name: /^spring\.offers/ }).waitFor();
      await page.goBack();

      await page.getByRole("button", { name: "Take the form off spring.offers" }).click();
      await dialog.getByRole("button", { name: "Take off" }).click();
      await page.getByText("0 of 8 assets complete").waitFor();
      assert.deepEqual(await openOn(late), []);
      await page.getByRole("button", { name: "Remove rule" }).click();
      await dialog.getByRole("button", { name: "Remove rule" }).click();
      await page.getByText("No rule assigns it.").waitFor();

      await page.getByRole("button", { name: "Delete form" }).click();
      await dialog.getByText("8 assets have it and lose it").waitFor();
      await opened.picture("form-delete");
      await dialog.getByRole("textbox").fill("Season check");
      await dialog.getByRole("button", { name: "Delete form" }).click();
      await page.getByRole("table", { name: "Forms" }).waitFor();
      await page.getByRole("link", { name: "Season check" }).waitFor({ state: "detached" });
      assert.equal(await formOf(urn), undefined);
    }, { as }));

  it("asks assets that are done a question that comes later, and is for owners of some types", () =>
    pages.visit(pageOf(review), async (page, opened) => {
      const dialog = page.getByRole("dialog");
      await page.getByText("1 verified", { exact: false }).first().waitFor();
      await page.getByRole("button", { name: "Add question" }).click();
      await dialog.getByLabel("Question", { exact: true }).fill("How secret?");
      await dialog.getByRole("combobox", { name: "Answered with the property" }).fill("Cluster key");
      await page.getByRole("option", { name: /^Cluster key/ }).click();
      await dialog.getByText("is asked it, too, and what was complete is open until it is answered").waitFor();
      await dialog.getByRole("button", { name: "Add question" }).click();
      await page.getByText("0 of 3 assets complete, 0 verified").first().waitFor();
      assert.ok((await openOn(tableOf("marts.dim_customers"))).some(({ form }) => form.urn === review));

      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await dialog.getByLabel("The owners of an asset fill it in").uncheck();
      await dialog.getByRole("combobox", { name: "Owners of these types fill it in" }).click();
      await page.getByRole("option", { name: "Business Owner" }).click();
      await page.keyboard.press("Escape");
      await opened.picture("form-owners");
      assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByText(/For owners of the type Business Owner/).waitFor();
      await page.reload();
      await page.getByText(/For owners of the type Business Owner/).waitFor();
      const { formInfo } = await stack.call(await stack.token("kinds", "urn:li:corpuser:datahub"), "GET", `/openapi/v3/entity/form/${encodeURIComponent(review)}?aspects=formInfo`);
      assert.deepEqual(formInfo.value.actors.ownershipTypes, ["urn:li:ownershipType:__system__business_owner"]);
      assert.equal(formInfo.value.actors.owners, false);
    }, { as }));

  it("makes a form once, though the types of its owners are refused at first, and says of a new and of a changed form what was saved", () =>
    pages.visit(
      "/forms",
      async (page) => {
        const dialog = page.getByRole("dialog");
        const stored = "**/openapi/v3/entity/form?async=false";
        const refuse = (route) => (route.request().method() === "PATCH" ? route.fulfill({ status: 500, body: "" }) : route.continue());
        await page.route(stored, refuse);
        await page.getByRole("button", { name: "Create form" }).click();
        await dialog.getByLabel("Name", { exact: true }).fill("In two steps");
        await dialog.getByLabel("The owners of an asset fill it in").uncheck();
        await dialog.getByRole("combobox", { name: "Owners of these types fill it in" }).click();
        await page.getByRole("option", { name: "Data Steward" }).click();
        await page.keyboard.press("Escape");
        await dialog.getByRole("button", { name: "Create form" }).click();
        await dialog.getByText("The form was saved, but not the types of its owners").waitFor();
        await page.unroute(stored);
        await dialog.getByLabel("Name", { exact: true }).fill("In two steps, renamed");
        await dialog.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("heading", { level: 1, name: "In two steps, renamed" }).waitFor();
        await page.getByText(/For owners of the type Data Steward/).waitFor();
        await page.goto(`${stack.proxy}/forms`);
        await page.getByRole("link", { name: "In two steps, renamed", exact: true }).waitFor();
        assert.equal(await page.getByRole("link", { name: /^In two steps/ }).count(), 1);

        // The same holds for a changed form, even if only the ownership types changed.
        const { createForm } = await stack.graphql("mutation($i: CreateFormInput!) { createForm(input: $i) { urn } }", { i: { name: "Saved in part", type: "COMPLETION", actors: { owners: false, users: ["urn:li:corpuser:datahub"] } } });
        await go(page, pageOf(createForm.urn));
        const choose = async (type) => {
          await dialog.getByRole("combobox", { name: "Owners of these types fill it in" }).click();
          await page.getByRole("option", { name: type }).click();
          await page.keyboard.press("Escape");
        };
        await page.route(stored, refuse);
        await page.getByRole("button", { name: "Edit", exact: true }).click();
        await choose("Data Steward");
        await dialog.getByRole("button", { name: "Save changes" }).click();
        await dialog.getByText("The types of its owners were not saved").waitFor();
        await dialog.getByLabel("Name", { exact: true }).fill("Saved in part, renamed");
        await dialog.getByRole("button", { name: "Save changes" }).click();
        await dialog.getByText("The form was saved, but not the types of its owners").waitFor();
        assert.equal((await formOf(createForm.urn)).name, "Saved in part, renamed");
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("heading", { level: 1, name: "Saved in part, renamed" }).waitFor();
      },
      { as, expected: [/status of 500/] },
    ));

  it("keeps what somebody else wrote meanwhile, and is followed by keyboard alone on a narrow page", () =>
    pages.visit(
      pageOf(care),
      async (page) => {
        const dialog = page.getByRole("dialog");
        await page.getByRole("button", { name: "More for Where does one ask about it?" }).click();
        await page.getByRole("menuitem", { name: "Edit" }).click();
        await dialog.getByLabel("Question", { exact: true }).fill("Mine");
        await stack.graphql("mutation($i: UpdateFormInput!) { updateForm(input: $i) { urn } }", { i: { urn: care, description: "Written meanwhile." } });
        await dialog.getByRole("button", { name: "Save changes" }).click();
        await dialog.getByText("Nothing was changed").waitFor();
        assert.equal(await dialog.getByLabel("Question", { exact: true }).inputValue(), "Mine");
        const { description, prompts } = await formOf(care);
        assert.equal(description, "Written meanwhile.");
        assert.equal(prompts.at(-1).title, "Where does one ask about it?");

        await page.goto(`${stack.proxy}/forms`);
        const link = page.getByRole("link", { name: "Yearly review" });
        await link.waitFor();
        await tabTo(page, link);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "Yearly review" }).waitFor();
        await page.getByRole("link", { name: "Answers of rev_daily" }).waitFor();
        const add = page.getByRole("button", { name: "Add assets" });
        await tabTo(page, add);
        await page.keyboard.press("Enter");
        await dialog.getByLabel("Find an asset").last().fill("raw_web_events");
        const found = dialog.getByRole("checkbox", { name: /raw_web_events/ });
        await found.waitFor();
        await tabTo(page, found);
        await page.keyboard.press("Space");
        await tabTo(page, dialog.getByRole("button", { name: "Add assets" }));
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "Answers of raw_web_events" }).waitFor();
        assert.ok((await openOn(tableOf("raw.raw_web_events"))).some(({ form }) => form.urn === review));
      },
      { as, size: sizes[2], expected: [/4\d\d/] },
    ));
});
