// Long lists, and a computer with a wrong clock.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { admin, Stack } from "./stack.mjs";
import { sizes, unlessMissing, visit } from "./visit.mjs";

const people = 10_000;
const tokens = 900; // the limit is 1,000 per user
const day = 86_400_000;

describe("long lists", unlessMissing("long lists"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    const token = await stack.token("many", admin);
    const users = Array.from({ length: people }, (_, i) => {
      const name = `Person ${String(i).padStart(5, "0")}`;
      return { urn: `urn:li:corpuser:p${i}`, corpUserInfo: { value: { active: true, displayName: name, fullName: name, email: `p${i}@people.example` } } };
    });
    for (let from = 0; from < people; from += 2000) {
      await stack.call(token, "POST", "/openapi/v3/entity/corpuser?async=false", users.slice(from, from + 2000));
    }
    const create = "mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { metadata { id } } }";
    for (let from = 0; from < tokens; from += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => stack.graphql(create, { input: { type: "PERSONAL", actorUrn: admin, duration: "ONE_MONTH", name: `job ${String(from + i).padStart(4, "0")}`, description: "" } })),
      );
    }
  });
  after(() => stack?.stop());

  it("finds one of ten thousand people, and turns the pages", () =>
    visit(
      stack,
      "/settings/users",
      async (page, opened) => {
        const rows = page.getByRole("table", { name: "Users" }).getByRole("row");
        await page.getByText(/^1 to 25 of 10,0\d\d$/).waitFor();
        assert.ok((await rows.count()) <= 26, "no more rows than a page has");
        await page.getByRole("button", { name: "Next" }).click();
        await page.getByText(/^26 to 50 of 10,0\d\d$/).waitFor();
        await page.getByRole("searchbox", { name: "Find a person" }).fill("p9876");
        await page.getByText("Person 09876", { exact: true }).waitFor();
        const { lcp } = await opened.seen();
        console.log(`10,000 people: largest paint after ${lcp.toFixed(0)} ms`);
      },
      { as },
    ));

  it("lists nine hundred tokens, of which those in sight are drawn", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        const table = page.getByRole("table", { name: "Access tokens" });
        await table.waitFor();
        assert.ok((await table.getByRole("row").count()) < 200, "only those in sight are there");
        await page.getByRole("searchbox", { name: "Find a token" }).fill("job 0734");
        await page.getByText("job 0734", { exact: true }).waitFor();
        await page.waitForFunction(() => document.querySelectorAll('table[aria-label="Access tokens"] tbody tr').length === 1);
        const { lcp } = await opened.seen();
        console.log(`900 tokens: largest paint after ${lcp.toFixed(0)} ms`);
      },
      { as, size: sizes[0] },
    ));

  it("go on with a clock that is a year behind or ahead", async () => {
    for (const offset of [-365 * day, 365 * day]) {
      await visit(
        stack,
        "/settings/tokens",
        async (page) => {
          await page.clock.setFixedTime(Date.now() + offset);
          for (const [path, shown] of [
            ["/settings/tokens", page.getByRole("table", { name: "Access tokens" })],
            ["/settings/audit", page.getByRole("heading", { level: 1, name: "Audit" })],
            ["/", page.getByRole("heading", { level: 1 })],
          ]) {
            await page.goto(stack.proxy + path);
            await shown.waitFor();
          }
        },
        { as },
      );
    }
  });
});
