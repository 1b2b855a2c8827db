// Metadata tests and forms of an asset, on the asset page.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, Pages, sizes, tabTo, unlessMissing } from "./visit.mjs";

const urnOf = (name) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.${name},PROD)`;
const orders = urnOf("marts.fct_orders");
const survival = urnOf("marts.mart_plant_survival");
const pathOf = (urn) => `/dataset/${encodeURIComponent(urn)}/Governance`;

describe("governance of an asset", unlessMissing("governance of an asset"), () => {
  let stack, pages, as, plain;

  before(async () => {
    stack = await Stack.start();
    pages = new Pages(stack);
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader", "Reader");
    // The administrator answers the questions for owners, as an owner, and those for the group of analysts,
    // as a member.
    for (const urn of [orders, survival]) {
      await stack.graphql("mutation($i: AddOwnerInput!) { addOwner(input: $i) }", {
        i: { ownerUrn: "urn:li:corpuser:datahub", ownerEntityType: "CORP_USER", ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner", resourceUrn: urn },
      });
    }
    await stack.graphql("mutation($i: UpdateFormInput!) { updateForm(input: $i) { urn } }", { i: { urn: "urn:li:form:yearly-review", actors: { usersToAdd: ["urn:li:corpuser:datahub"] } } });
    const definition = { on: { types: ["dataset"] }, rules: [{ property: "deprecation.deprecated", operator: "exists" }] };
    await stack.graphql("mutation($i: CreateTestInput!) { createTest(input: $i) }", { i: { id: "retired", name: "Is on its way out", category: "Care", definition: { json: JSON.stringify(definition) } } });
    await stack.graphql("mutation($u: String!) { runTest(input: { urn: $u, push: true }) { failing { type } } }", { u: orders });
  });
  after(async () => {
    await pages?.close();
    await stack?.stop();
  });

  const formsOf = async (urn) =>
    (await stack.graphql("query($u: String!) { dataset(urn: $u) { forms { incompleteForms { form { urn } } completedForms { form { urn } completedPrompts { id fieldAssociations { completedFieldPrompts { fieldPath } } } } verifications { form { urn } } } } }", { u: urn })).dataset.forms;

  it("verifies by keyboard alone on a narrow page, and tells why a test fails without keeping it", () =>
    pages.visit(
      pathOf(orders),
      async (page, opened) => {
        await page.getByRole("heading", { name: "Care of tables" }).waitFor();
        fewRequests(opened);
        await page.getByRole("button", { name: "Check now" }).click();
        await page.getByRole("row", { name: /Is on its way out/ }).getByText(/No deprecat/i).waitFor();
        await opened.picture("governance-why");
        assert.deepEqual(await opened.accessibilityWithin("main"), []);

        const verify = page.getByRole("button", { name: "Verify Yearly review" });
        await verify.waitFor();
        await tabTo(page, verify, 120);
        await page.keyboard.press("Enter");
        await page.getByText("Verified", { exact: true }).waitFor();
        await page.reload();
        await page.getByText("Verified", { exact: true }).waitFor();
        assert.deepEqual((await formsOf(orders)).verifications.map(({ form }) => form.urn), ["urn:li:form:yearly-review"]);
        await page.getByRole("link", { name: "Is on its way out" }).click();
        await page.waitForURL(/\/tests\//u);
      },
      { as, size: sizes[2] },
    ));

  it("answers a question by mouse, which completes the form", () =>
    pages.visit(pathOf(survival), async (page, opened) => {
      await page.getByText("1 required question left").waitFor();
      await page.getByRole("button", { name: "Answer: How long is it kept?" }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("An answer needs a value.").waitFor();
      await page.getByRole("radio", { name: /One quarter/ }).check();
      await opened.picture("governance-answer");
      assert.deepEqual(await opened.accessibilityWithin("main"), []);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Complete", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("Complete", { exact: true }).waitFor();
      const { completedForms } = await formsOf(survival);
      assert.deepEqual(completedForms.map(({ form }) => form.urn), ["urn:li:form:care-of-tables"]);
      const { dataset } = await stack.graphql("query($u: String!) { dataset(urn: $u) { structuredProperties { properties { structuredProperty { urn } values { ... on NumberValue { numberValue } } } } } }", { u: survival });
      assert.deepEqual(dataset.structuredProperties.properties.find(({ structuredProperty }) => structuredProperty.urn.endsWith("retention_days")).values, [{ numberValue: 90 }]);
    }, { as }));

  it("answers for a column, and keeps the text of an answer that is refused", async () => {
    const property = "urn:li:structuredProperty:fernhill.column_note";
    await stack.graphql("mutation($i: CreateStructuredPropertyInput!) { createStructuredProperty(input: $i) { urn } }", {
      i: { qualifiedName: "fernhill.column_note", displayName: "Column note", valueType: "urn:li:dataType:datahub.string", entityTypes: ["urn:li:entityType:datahub.schemaField"] },
    });
    await stack.graphql("mutation($i: CreateFormInput!) { createForm(input: $i) { urn } }", {
      i: { id: "columns", name: "Notes on columns", prompts: [{ id: "columns-note", title: "What is in the column?", type: "FIELDS_STRUCTURED_PROPERTY", structuredPropertyParams: { urn: property } }] },
    });
    const assign = (to) =>
      to
        ? stack.graphql("mutation($i: BatchAssignFormInput!) { batchAssignForm(input: $i) }", { i: { formUrn: "urn:li:form:columns", entityUrns: [survival] } })
        : stack.graphql("mutation($i: BatchRemoveFormInput!) { batchRemoveForm(input: $i) }", { i: { formUrn: "urn:li:form:columns", entityUrns: [survival] } });
    await assign(true);
    const askOwners = (owners) => stack.graphql("mutation($i: UpdateFormInput!) { updateForm(input: $i) { urn } }", { i: { urn: "urn:li:form:columns", actors: { owners } } });
    await pages.visit(pathOf(survival), async (page, opened) => {
      await page.getByRole("button", { name: "Columns: What is in the column?" }).click();
      const answer = page.getByRole("button", { name: /^Answer for / }).first();
      await answer.click();
      await page.getByLabel("Column note", { exact: true }).fill("Counted by hand");
      await askOwners(false); // another user removes owners from the actors of the form meanwhile
      await page.keyboard.press("Enter");
      await page.getByRole("main").getByRole("alert").filter({ hasText: "Notes on columns is for nobody to fill in." }).waitFor();
      await askOwners(true);
      const note = page.getByLabel("Column note", { exact: true });
      assert.equal(await note.inputValue(), "Counted by hand");
      await assign(false); // and removes the form from the asset
      await note.press("Enter");
      await page.getByRole("main").getByRole("alert").filter({ hasText: "Notes on columns was taken off" }).waitFor();
      await page.getByText("What you wrote stays here").waitFor();
      await opened.picture("governance-gone");
      assert.deepEqual(await opened.accessibilityWithin("main"), []);
      assert.equal(await note.inputValue(), "Counted by hand");
      await assign(true);
      await note.press("Enter");
      await page.getByText("Counted by hand").waitFor();
      await page.getByText("1 column", { exact: true }).waitFor();
    }, { as });
  });

  it("is for an owner of an asked type whose type is stored as the older word alone", async () => {
    const customers = urnOf("marts.dim_customers");
    const token = await stack.token("elsewhere", "urn:li:corpuser:datahub");
    const { createForm } = await stack.graphql("mutation($i: CreateFormInput!) { createForm(input: $i) { urn } }", { i: { name: "Review by stewards", type: "VERIFICATION", actors: { owners: false, users: [] } } });
    const { formInfo } = await stack.call(token, "GET", `/openapi/v3/entity/form/${encodeURIComponent(createForm.urn)}?aspects=formInfo`);
    const value = { ...formInfo.value, actors: { ...formInfo.value.actors, ownershipTypes: ["urn:li:ownershipType:__system__data_steward"] } };
    await stack.call(token, "POST", "/openapi/v3/entity/form?async=false", [{ urn: createForm.urn, formInfo: { value } }]);
    await stack.graphql("mutation($i: BatchAssignFormInput!) { batchAssignForm(input: $i) }", { i: { formUrn: createForm.urn, entityUrns: [customers] } });
    const owned = (type) => stack.call(token, "POST", "/openapi/v3/entity/dataset?async=false", [{ urn: customers, ownership: { value: { owners: [{ owner: plain.urn, type }] } } }]);
    await owned("DEVELOPER");
    await pages.visit(pathOf(customers), async (page) => {
      const verify = page.getByRole("button", { name: "Verify Review by stewards" });
      await verify.waitFor();
      assert.equal(await verify.getAttribute("aria-disabled"), "true");
      await owned("DATA_STEWARD");
      await page.reload();
      await verify.waitFor();
      assert.equal(await verify.getAttribute("aria-disabled"), null);
      await verify.click();
      await verify.waitFor({ state: "detached" });
      const { dataset } = await stack.graphql("query($u: String!) { dataset(urn: $u) { forms { verifications { form { urn } } } } }", { u: customers });
      assert.ok(dataset.forms.verifications.some(({ form }) => form.urn === createForm.urn));
    }, { as: { username: plain.username, password: plain.password } });
  });
});
