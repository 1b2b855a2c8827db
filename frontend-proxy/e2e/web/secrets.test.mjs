// The secrets of ingestion in a real browser against both binaries.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { shown, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const values = async (stack, name) => (await stack.graphql("query($n: [String!]!) { getSecretValues(input: {secrets: $n}) { value } }", { n: [name] })).getSecretValues.map(({ value }) => value);

describe("secrets", unlessMissing("secrets"), () => {
  let stack, as, plain;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    plain = await stack.person("Plain Reader", "Reader");
    await stack.graphql('mutation { createSecret(input: {name: "SHOP_PASSWORD", value: "hidden-value", description: "كلمة السر"}) }');
  });
  after(() => stack?.stop());

  it("lists secrets without their values", () =>
    shown(
      stack,
      "/ingestion/secrets",
      "secrets",
      async (page) => {
        await page.getByText("SHOP_PASSWORD", { exact: true }).waitFor();
        assert.ok(!(await page.content()).includes("hidden-value"));
      },
      { as },
    ));

  it("replaces the value of a secret and deletes it", () =>
    visit(
      stack,
      "/ingestion/secrets",
      async (page) => {
        await page.getByRole("button", { name: "More for SHOP_PASSWORD" }).click();
        await page.getByRole("menuitem", { name: "Replace value" }).click();
        await page.getByRole("dialog").getByRole("textbox", { name: "Value" }).fill("newer");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("SHOP_PASSWORD was changed").waitFor();
        assert.deepEqual(await values(stack, "SHOP_PASSWORD"), ["newer"]);

        await page.getByRole("button", { name: "More for SHOP_PASSWORD" }).click();
        await page.getByRole("menuitem", { name: "Delete secret" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete secret" }).click();
        await page.getByText("SHOP_PASSWORD was deleted").waitFor();
        assert.deepEqual(await values(stack, "SHOP_PASSWORD"), []);
      },
      { as },
    ));

  it("creates a secret by keyboard alone, on a narrow page, and refuses a name that is taken", () =>
    visit(
      stack,
      "/ingestion/secrets",
      async (page) => {
        const create = async () => {
          const button = page.getByRole("button", { name: "New secret" });
          await button.waitFor();
          await tabTo(page, button);
          await page.keyboard.press("Enter");
          await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
          await page.keyboard.type("BY_KEYBOARD");
          await tabTo(page, page.getByRole("dialog").getByLabel("Value"));
          await page.keyboard.type("typed");
          await page.keyboard.press("Enter");
        };
        await create();
        await page.getByText("BY_KEYBOARD was created").waitFor();
        assert.deepEqual(await values(stack, "BY_KEYBOARD"), ["typed"]);
        await page.reload();
        await page.getByText("BY_KEYBOARD", { exact: true }).waitFor();
        await create();
        await page.getByText("No secret was created").waitFor();
        assert.equal(await page.getByRole("dialog").getByLabel("Name").inputValue(), "BY_KEYBOARD");
      },
      { as, size: sizes[2] },
    ));

  it("says to whom may not manage secrets what they need", () =>
    visit(
      stack,
      "/ingestion/secrets",
      async (page) => {
        await page.getByText("You may not see the secrets").waitFor();
        assert.equal(await page.getByRole("link", { name: "Ingestion", exact: true }).count(), 0);
      },
      { as: plain },
    ));
});
