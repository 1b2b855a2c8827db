// Pages below a base path, for a site that serves other content at its root.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Explorer } from "./page.mjs";
import { Stack } from "./stack.mjs";
import { sessionCookies, unlessMissing, visit } from "./visit.mjs";

const base = "/catalog";

describe("the pages below a base path", unlessMissing("the pages below a base path"), () => {
  let stack, site;

  before(async () => {
    stack = await Stack.start();
    site = { proxy: await stack.secondProxy({ CARTULARY_BASE_PATH: base }) };
  });
  after(() => stack?.stop());

  it("lead through sign-in, settings and the explorer, and ask for nothing outside of it", () =>
    visit(
      site,
      `${base}/settings/tokens?state=ended`,
      async (page, opened) => {
        const outside = [];
        page.on("request", (request) => {
          const { pathname, protocol } = new URL(request.url());
          if (protocol !== "data:" && !pathname.startsWith(`${base}/`)) {
            outside.push(request.url());
          }
        });
        const at = () => new URL(page.url()).pathname + new URL(page.url()).search;

        await page.getByText("You will go on to").waitFor();
        assert.equal(at(), `${base}/login?redirect_uri=${encodeURIComponent(`${base}/settings/tokens?state=ended`)}`);
        await page.reload();
        await page.getByLabel("User name").fill("datahub");
        await page.getByLabel("Password", { exact: true }).fill(await stack.adminPassword());
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Access tokens" }).waitFor();
        assert.equal(at(), `${base}/settings/tokens?state=ended`);
        await page.getByText(`curl -s '${site.proxy}${base}/api/graphql'`).waitFor();
        for (const { name, path } of await page.context().cookies()) {
          assert.equal(path, base, `the cookie ${name}`);
        }

        await page.reload();
        await page.getByRole("heading", { name: "Access tokens" }).waitFor();
        await page.getByRole("link", { name: "Policies" }).click();
        await page.getByRole("heading", { name: "Policies" }).waitFor();
        assert.equal(at(), `${base}/settings/policies`);

        await page.getByRole("link", { name: "Cartulary, home" }).click();
        await page.getByText(`server: ${site.proxy}${base}/api/gms`).waitFor();
        assert.equal(at(), `${base}/`);

        await page.getByRole("link", { name: "GraphQL explorer" }).click();
        const explorer = new Explorer(opened);
        await explorer.ready();
        assert.equal(at(), `${base}/api/graphiql`);
        await explorer.schema();
        const answer = await explorer.run("{ me { corpUser { urn } } }");
        assert.equal(answer.data?.me?.corpUser?.urn, "urn:li:corpuser:datahub");

        await page.goto(site.proxy + base);
        assert.equal(at(), `${base}/`);
        await page.getByRole("button", { name: /^Account of/ }).click();
        await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        assert.equal(at(), `${base}/login`);
        assert.deepEqual(await sessionCookies(page), []);

        await page.goto(`${site.proxy}${base}/api/graphiql`);
        await explorer.ready();
        assert.equal(await explorer.signIn(), `${site.proxy}${base}/login?redirect_uri=${encodeURIComponent(`${base}/api/graphiql`)}`);
        assert.deepEqual(outside.filter((url) => url !== site.proxy + base), [], "requests outside the base path");
      },
      { expected: [/status of 401/] },
    ));

  it("are nowhere else", async () => {
    for (const path of ["/", "/login", "/api/graphiql", "/catalogue/"]) {
      const answer = await fetch(site.proxy + path, { headers: { accept: "text/html" } });
      assert.equal(answer.status, 404, path);
      assert.match(await answer.text(), /served below \/catalog\//);
    }
  });
});
