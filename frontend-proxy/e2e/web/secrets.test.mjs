// Ingestion secrets in a browser against both binaries.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Stack } from "./stack.mjs";
import { fewRequests, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const values = async (stack, name) => (await stack.graphql("query($n: [String!]!) { getSecretValues(input: {secrets: $n}) { value } }", { n: [name] })).getSecretValues.map(({ value }) => value);

describe("secrets", unlessMissing("secrets"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    await stack.graphql('mutation { createSecret(input: {name: "SHOP_PASSWORD", value: "hidden-value", description: "كلمة السر"}) }');
  });
  after(() => stack?.stop());

  it("lists secrets without their values; creates one by keyboard on a narrow page and refuses a name that is taken; replaces a value and deletes the secret", () =>
    visit(
      stack,
      "/ingestion/secrets",
      async (page, opened) => {
        await page.getByText("SHOP_PASSWORD", { exact: true }).waitFor();
        assert.ok(!(await page.content()).includes("hidden-value"));
        fewRequests(opened);
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
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });

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
      { as, size: sizes[2] },
    ));
});
