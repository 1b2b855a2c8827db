// Sign-in and access tokens, from the first page of a user to a token that is refused.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { python, unlessNoClient } from "./client.mjs";
import { Stack } from "./stack.mjs";
import { fewRequests, orByItself, sizes, tabTo, unlessMissing, visit } from "./visit.mjs";

const who = "{ me { corpUser { urn } } }";
const generate = (page) => page.getByRole("button", { name: "Generate personal access token" });

// A dataset that the client writes and reads.
const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,tokens.written,PROD)";
const writer = `
import sys
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig
from datahub.metadata.schema_classes import DatasetPropertiesClass

server, token, urn, text = sys.argv[1:]
graph = DataHubGraph(DatahubClientConfig(server=server, token=token))
graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=DatasetPropertiesClass(description=text)))
print(graph.get_aspect(urn, DatasetPropertiesClass).description)
`;

describe("sign-in and access tokens", unlessMissing("sign-in and access tokens"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start();
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  // status returns the response status for a request with a token.
  const status = async (token) =>
    (
      await fetch(`${stack.proxy}/api/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ query: who }),
      })
    ).status;

  it("leads who is signed out to sign-in, back to the page asked for, and to no other site", () =>
    visit(
      stack,
      "/settings/tokens?state=ended",
      async (page) => {
        await page.getByText("You will go on to").waitFor();
        assert.equal(new URL(page.url()).pathname, "/login");
        await page.getByLabel("User name").fill("datahub");
        await page.getByLabel("Password", { exact: true }).fill("not the password");
        await page.keyboard.press("Enter");
        await page.getByText("User name and password do not match.").waitFor();
        await page.getByLabel("Password", { exact: true }).fill(as.password);
        await page.keyboard.press("Enter");
        await generate(page).waitFor();
        assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/settings/tokens?state=ended");

        // Sign-in does not redirect to other sites.
        for (const bad of ["https://evil.example/", String.raw`/\evil.example`]) {
          await page.goto("about:blank"); // an open page would redirect to sign-in after the first 401
          await page.context().request.post(`${stack.proxy}/logOut`);
          await page.goto(`${stack.proxy}/login?redirect_uri=${encodeURIComponent(bad)}`);
          await page.getByLabel("User name").fill("datahub");
          await page.getByLabel("Password", { exact: true }).fill(as.password);
          await page.keyboard.press("Enter");
          await page.getByText("No asset is in the catalog yet.").waitFor();
          assert.equal(page.url(), `${stack.proxy}/`);
        }
      },
      { expected: [/status of 401/, /status of 400 .*\/logIn/] },
    ));

  it("generates a token by keyboard on a narrow page, shows it once, and revokes it; makes tokens with chosen privileges", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        await generate(page).waitFor();
        fewRequests(opened);
        await tabTo(page, generate(page));
        await page.keyboard.press("Enter");
        await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
        await page.keyboard.type("stock-forecast");
        await page.getByLabel("What is it for").fill("Reads <b>stock</b> tables");
        await page.getByLabel("Ends").selectOption({ label: "in 1 day" });
        await opened.picture("token-create");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        const token = await page.locator("[data-token]").textContent();
        await opened.picture("token-created");
        assert.deepEqual(await opened.accessibilityWithin("[role=dialog]"), [], "against WCAG 2.2 A and AA");
        assert.equal(await status(token), 200);

        // The dialog does not close by accident, because the token cannot be shown again.
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Back to the token" }).click();
        await tabTo(page, page.getByLabel("I have saved the token"));
        await page.keyboard.press("Space");
        await tabTo(page, page.getByRole("button", { name: "Done" }));
        await page.keyboard.press("Enter");
        await page.getByText("Reads <b>stock</b> tables").waitFor();
        assert.ok(!(await page.content()).includes(token));
        await page.reload();
        await page.getByText("stock-forecast").waitFor();
        assert.ok(!(await page.content()).includes(token));
        assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes(token));

        await page.getByRole("button", { name: "Revoke stock-forecast" }).click();
        await opened.picture("token-revoke");
        await tabTo(page, page.getByRole("button", { name: "Revoke token" }));
        await page.keyboard.press("Enter");
        await page.getByText("stock-forecast was revoked").waitFor();
        assert.equal(await status(token), 401);

        await generate(page).click();
        await page.getByRole("button", { name: "Generate token" }).click();
        await page.getByText("A name tells you later").waitFor();
        await page.getByLabel("Name", { exact: true }).fill("narrow");
        await page.getByLabel("Chosen privileges").check();
        await page.getByRole("button", { name: "Generate token" }).click();
        await page.getByText("Tick one privilege at least.").waitFor();
        await page.getByLabel("Find a privilege").fill("manage tags");
        await page.getByRole("group", { name: "Privileges" }).getByRole("checkbox").first().check();
        await page.getByRole("button", { name: "Generate token" }).click();
        await page.locator("[data-token]").waitFor();
        await page.getByLabel("I have saved the token").check();
        await page.getByRole("button", { name: "Done" }).click();
        await page.getByText("1 privilege").waitFor();
      },
      { as, size: sizes[2] },
    ));

  it("generates a token that the Python client writes with until it is revoked", unlessNoClient("a token in the Python client"), () =>
    visit(
      stack,
      "/settings/tokens",
      async (page) => {
        const described = async () => (await stack.graphql("query($urn: String!) { dataset(urn: $urn) { properties { description } } }", { urn: dataset })).dataset?.properties?.description;
        const write = (token, text) => python(writer, `${stack.proxy}/api/gms`, token, dataset, text);
        await generate(page).click();
        await page.getByLabel("Name", { exact: true }).fill("python-client");
        await page.getByRole("button", { name: "Generate token" }).click();
        const token = await page.locator("[data-token]").textContent();
        await page.getByLabel("I have saved the token").check();
        await page.getByRole("button", { name: "Done" }).click();

        const written = await write(token, "by the client");
        assert.ok(written.ok, written.stderr);
        assert.equal(written.stdout.trim().split("\n").at(-1), "by the client");
        assert.equal(await described(), "by the client");

        await page.getByRole("button", { name: "Revoke python-client" }).click();
        await page.getByRole("button", { name: "Revoke token" }).click();
        await page.getByText("python-client was revoked").waitFor();
        const refused = await write(token, "too late");
        assert.ok(!refused.ok);
        assert.match(refused.stderr, /401[\s\S]*revoked/);
        assert.ok(!refused.stderr.includes(token), "the refusal repeats the token");
        assert.equal(await described(), "by the client");
      },
      { as },
    ));

  it("says that the catalog is away, recovers, and leads to sign-in when another tab has signed out", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        await generate(page).waitFor();
        await stack.withoutService(async () => {
          await page.getByRole("radio", { name: "Everyone’s" }).click();
          await page.getByText("The catalog does not answer.").waitFor();
          await opened.picture("away");
        });
        await orByItself(() => page.getByRole("button", { name: "Try now" }).click(), page.getByText("The catalog does not answer.").waitFor({ state: "detached" }));
        await page.getByRole("table", { name: "Access tokens" }).waitFor();

        // Another tab signs out.
        await page.context().request.post(`${stack.proxy}/logOut`);
        await orByItself(() => page.getByRole("radio", { name: "Mine" }).click(), page.getByText("You will go on to").waitFor());
      },
      { as, expected: [/status of 50[234]/, /status of 401/] },
    ));
});

describe("access tokens where token authentication is off", unlessMissing("access tokens that are turned off"), () => {
  let stack, as;

  before(async () => {
    stack = await Stack.start({ service: { CARTULARY_AUTH_ENABLED: "false" }, proxy: { CARTULARY_AUTH_ENABLED: "false" } });
    as = { username: "datahub", password: await stack.adminPassword() };
  });
  after(() => stack?.stop());

  it("says so, and whom to ask", () =>
    visit(
      stack,
      "/settings/tokens",
      async (page, opened) => {
        await page.getByText("Token based authentication is turned off here").waitFor();
        await page.getByText("Contact an administrator to turn it on.").waitFor();
        assert.equal(await generate(page).count(), 0);
        await opened.picture("tokens-off");
        assert.deepEqual(await opened.accessibility(), []);
      },
      { as },
    ));
});
