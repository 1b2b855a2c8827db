// Signing out everywhere: by a user with two browsers, and by an administrator.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Browser } from "./browser.mjs";
import { Stack } from "./stack.mjs";
import { answered, sessionCookies, tabTo, unlessMissing, visit } from "./visit.mjs";

const account = (page) => page.getByRole("button", { name: /^Account of/ });
const farewell = (page) => page.getByText("You are signed out everywhere").waitFor();

describe("signing out everywhere", unlessMissing("signing out everywhere"), () => {
  let stack, as, robin;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
    robin = await stack.person("Robin Sparrow");
  });
  after(() => stack?.stop());

  // elsewhere runs a story in another browser of a user, on the profile page.
  async function elsewhere({ username, password }, story) {
    const browser = await Browser.launch();
    try {
      await browser.signIn(stack.proxy, username, password);
      const { page } = await browser.open(`${stack.proxy}/settings/profile`);
      await page.getByRole("heading", { name: "Profile" }).waitFor();
      await story(page);
    } finally {
      await browser.close();
    }
  }

  const statusIn = (page) =>
    page.evaluate(async () => {
      const { status } = await fetch("/api/graphql", { method: "POST", headers: { "content-type": "application/json" }, body: '{"query":"{ me { corpUser { urn } } }"}' });
      return status;
    });

  // isOut asserts that the session of a page has ended, and that a reload leads to the sign-in page.
  async function isOut(page) {
    assert.equal(await statusIn(page), 401);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await page.getByText("You are signed out everywhere").count(), 0, "another browser tells what it does not know");
  }

  it("ends the sessions of all browsers from the account menu, and leaves tokens alone", () =>
    elsewhere(robin, (other) =>
      visit(
        stack,
        "/",
        async (page, opened) => {
          const token = await stack.token("goes on", robin.urn);
          await account(page).click();
          await opened.picture("account-menu");
          await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
          await page.getByText("Your access tokens stay valid").waitFor();
          await opened.picture("sign-out-everywhere");
          assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
          await page.getByRole("button", { name: "Stay signed in" }).click();
          assert.equal(await statusIn(page), 200);

          await account(page).click();
          await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
          await page.getByRole("button", { name: "Sign out everywhere" }).click();
          await farewell(page);
          assert.equal(new URL(page.url()).pathname, "/login");
          assert.deepEqual(await sessionCookies(page), []);
          await opened.picture("signed-out-everywhere");
          assert.deepEqual(await opened.accessibility(), [], "against WCAG 2.2 A and AA");
          await isOut(other);
          assert.equal((await stack.call(token, "POST", "/api/graphql", { query: "{ me { corpUser { urn } } }" })).data.me.corpUser.urn, robin.urn);

          await page.getByLabel("User name").fill(robin.username);
          await page.getByLabel("Password", { exact: true }).fill(robin.password);
          await page.keyboard.press("Enter");
          await account(page).waitFor();
          assert.equal(await statusIn(page), 200);
          assert.equal(await statusIn(other), 401);
          await page.goto(`${stack.proxy}/login`);
          await page.getByRole("heading", { name: "Sign in" }).waitFor();
          assert.equal(await page.getByText("You are signed out everywhere").count(), 0, "it is told once");
        },
        { as: robin },
      ),
    ));

  it("is there on the profile, by keyboard alone; says so when it does not work and signs nobody out; and holds over a restart of the service", () =>
    elsewhere(robin, (other) =>
      visit(
        stack,
        "/settings/profile",
        async (page) => {
          await tabTo(page, page.getByRole("button", { name: "Sign out everywhere" }));
          await page.keyboard.press("Enter");
          const dialog = page.getByRole("dialog");
          await stack.withoutService(async () => {
            await tabTo(page, dialog.getByRole("button", { name: "Sign out everywhere" }));
            await page.keyboard.press("Enter");
            await page.getByText("Nothing was changed").waitFor();
          });
          assert.equal(await statusIn(page), 200);
          assert.equal(await statusIn(other), 200);
          await page.keyboard.press("Enter");
          await farewell(page);
          await stack.withoutService();
          await isOut(other);
        },
        { as: robin, expected: [/status of 50[234]/, /status of 401/] },
      ),
    ));

  it("ends the sessions of somebody else for who manages credentials", () =>
    elsewhere(robin, (other) =>
      visit(
        stack,
        "/settings/users",
        async (page) => {
          await page.getByRole("button", { name: "More for Robin Sparrow" }).click();
          await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
          await page.getByText("Their access tokens stay valid").waitFor();
          await answered(page, () => page.getByRole("button", { name: "Sign out everywhere" }).click(), "EndSessions");
          await page.getByText("Robin Sparrow is signed out everywhere").waitFor();
          assert.equal(await statusIn(page), 200);
          await isOut(other);
          await page.goto(`${stack.proxy}/settings/audit`);
          await page.getByText("ended all sessions of").first().waitFor();
        },
        { as },
      ),
    ));
});
