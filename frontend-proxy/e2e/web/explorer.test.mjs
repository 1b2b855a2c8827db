// The GraphQL explorer in a browser, through the proxy and directly at the service.
//
//   CHROMIUM     path of the browser, default /usr/bin/chromium
//   SCREENSHOTS  folder for screenshots; none are taken if it is not set
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { after, before, describe, it } from "node:test";

import { Browser, chromium } from "./browser.mjs";
import { Explorer } from "./page.mjs";
import { Stack, admin } from "./stack.mjs";

const reader = "urn:li:corpuser:e2e-explorer";
const me = "{ me { corpUser { urn username } } }";
const createTag = (name) => `mutation { createTag(input: {name: "${name}", description: "Made in the explorer"}) }`;

const most = { bytes: 1.6e6 };

// Known accessibility problems of GraphiQL 5.4 that cannot be fixed from outside, each with the reason.
const known = [
  // A tab can be dragged, so a focusable element surrounds the button that selects it.
  /^nested-interactive at (li|\.graphiql-tab)\b/,
  // The completion list belongs to the editor: it refers to an active row before that row is rendered, gives
  // rows longer labels than their visible text, and covers the content behind it.
  /^aria-valid-attr-value at \.monaco-list\b/,
  /^label-content-name-mismatch at #suggest-aria-id/,
  // Rows of the history are labelled with their action, but show their content.
  /^label-content-name-mismatch at \.graphiql-history-item-label\b/,
  /^target-size at \.(monaco-list|graphiql-execute-button)\b/,
];

const missing = !existsSync(chromium) && `no browser at ${chromium}: set CHROMIUM, or install it`;
if (missing) {
  console.error(`\n!!! SKIPPED: the explorer in a browser: ${missing}\n`);
}

describe("the explorer", { skip: missing, timeout: 900_000 }, () => {
  let stack, browser, token, ofReader;

  before(async () => {
    stack = await Stack.start();
    token = await stack.token("explorer", admin);
    await stack.call(token, "POST", "/api/gms/openapi/v3/entity/corpuser?async=false", [
      { urn: reader, corpUserInfo: { value: { active: true, displayName: "Reader" } } },
    ]);
    await stack.call(token, "POST", "/api/graphql", {
      query: "mutation($i: BatchAssignRoleInput!) { batchAssignRole(input: $i) }",
      variables: { i: { roleUrn: "urn:li:dataHubRole:Editor", actors: [reader] } },
    });
    ofReader = await stack.token("explorer", reader);
  });
  after(() => stack?.stop());

  // visit runs a story in a new browser, and then asserts the general requirements of the page.
  async function visit(story, { address = stack.proxy, signedIn = false, scheme = "light", refused = false } = {}) {
    browser = await Browser.launch(scheme);
    try {
      if (signedIn) {
        await browser.signIn(stack.proxy, "datahub", await stack.adminPassword());
      }
      const opened = await browser.open(`${address}/api/graphiql`);
      const explorer = new Explorer(opened);
      await explorer.ready();
      await story(explorer, opened);
      const { violations } = await opened.seen();
      assert.deepEqual(opened.foreign, [], "requests to other hosts");
      assert.deepEqual(violations, [], "against the content policy");
      const unexpected = opened.errors.filter((text) => !refused || !/status of 401 .*\/api\/graphql/.test(text));
      assert.deepEqual(unexpected, [], "errors on the console");
    } finally {
      await browser.close();
    }
  }

  async function accessible(opened) {
    const broken = await opened.accessibility();
    assert.deepEqual(broken.filter((what) => !known.some((rule) => rule.test(what))), [], "against WCAG 2.2 A and AA");
  }

  it("opens for somebody signed out and says what to do", () =>
    visit(
      async (explorer, opened) => {
        await explorer.banner(/Sign in, or put an access token/);
        assert.equal(await explorer.signIn(), `${stack.proxy}/login?redirect_uri=%2Fapi%2Fgraphiql`);
        await opened.picture("signed-out-light");
        await accessible(opened);
        await explorer.pasteToken("no-token");
        await explorer.banner(/was refused/);
      },
      { refused: true },
    ));

  it("loads within its budget, runs queries and mutations with the login cookie, keeps a history, and leaves room to read in a narrow window", () =>
    visit(
      async (explorer, opened) => {
        await explorer.schema();
        await explorer.noBanner();
        const answer = await explorer.run(me);
        assert.deepEqual(answer.data, { me: { corpUser: { urn: admin, username: "datahub" } } });
        await opened.picture("query-light");
        await explorer.run("query whoami { me { corpUser { urn } } }");
        assert.match(await explorer.history(), /whoami/);
        const { data } = await explorer.run(createTag("made with the cookie"));
        assert.match(data?.createTag ?? "", /^urn:li:tag:/);
        assert.deepEqual(await owners(data.createTag), [admin]);

        await opened.page.setViewportSize({ width: 400, height: 800 });
        const wide = [".graphiql-query-editor", ".graphiql-response"];
        await opened.picture("narrow-light");
        assert.deepEqual(await explorer.cramped(wide, 250), []);
        await explorer.docs("CorpUser");
        await opened.picture("narrow-docs-light");
        assert.deepEqual(await explorer.cramped([...wide, ".graphiql-plugin"], 250), []);

        // At this point the page has loaded all of its files.
        const { lcp } = await opened.seen();
        const bytes = await opened.bytes("/api/graphiql");
        const schema = await opened.bytes("/api/graphql");
        console.log(
          `explorer: ${(bytes / 1e3).toFixed(0)} kB and ${(schema / 1e3).toFixed(0)} kB of schema, largest paint after ${lcp.toFixed(0)} ms`,
        );
        assert.ok(bytes <= most.bytes, `${bytes} bytes`);
      },
      { signedIn: true },
    ));

  it("acts as the owner of a pasted token, whoever is signed in, and does not keep it", () =>
    visit(
      async (explorer) => {
        await explorer.schema();
        await explorer.headers({ Authorization: `Bearer ${ofReader}` });
        const answer = await explorer.run(me);
        assert.equal(answer.data?.me?.corpUser?.urn, reader);
        const { data } = await explorer.run(createTag("made with a token"));
        assert.match(data?.createTag ?? "", /^urn:li:tag:/);
        assert.deepEqual(await owners(data.createTag), [reader]);
        assert.ok(!(await explorer.stored()).includes(ofReader.slice(0, 40)), "the token is in the browser's storage");
      },
      { signedIn: true },
    ));

  for (const scheme of ["light", "dark"]) {
    it(`completes, shows the documentation, and is accessible in each of its states, ${scheme}`, () =>
      visit(
        async (explorer, opened) => {
          const states = {
            schema: () => explorer.schema(),
            result: () => explorer.run(me),
            headers: () => explorer.headers({ "x-trace": "1" }),
            documentation: () => explorer.docs("CorpUser"),
            history: () => explorer.history(),
            completion: async () => assert.ok((await explorer.completions("{ me { corpUser { usern")).includes("username")),
            settings: () => explorer.press("Open settings dialog"),
          };
          for (const [name, reach] of Object.entries(states)) {
            await reach();
            await opened.picture(`${name}-${scheme}`);
            await accessible(opened);
          }
        },
        { signedIn: true, scheme },
      ));
  }

  it("works at the metadata service with a pasted token, without talk of sessions", () =>
    visit(
      async (explorer, opened) => {
        await explorer.banner(/no page to sign in/);
        assert.equal(await explorer.signIn(), null);
        await opened.picture("service-dark");
        await explorer.pasteToken(ofReader);
        await explorer.schema();
        await explorer.noBanner();
        const answer = await explorer.run(me);
        assert.equal(answer.data?.me?.corpUser?.urn, reader);
      },
      { address: stack.service, scheme: "dark", refused: true },
    ));

  it("works below a base path", async () => {
    const { address, close } = await below("/catalog", stack.proxy);
    try {
      await visit(
        async (explorer) => {
          await explorer.banner(/Sign in, or put an access token/);
          assert.equal(await explorer.signIn(), `${address}/login?redirect_uri=%2Fcatalog%2Fapi%2Fgraphiql`);
          await explorer.pasteToken(ofReader);
          await explorer.schema();
        },
        { address, refused: true },
      );
    } finally {
      close();
    }
  });

  async function owners(urn) {
    const { ownership } = await stack.call(token, "GET", `/openapi/v3/entity/tag/${encodeURIComponent(urn)}`);
    return ownership?.value.owners.map(({ owner }) => owner);
  }
});

// below serves a server below a base path, like a reverse proxy in front of it.
async function below(base, target) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    if (!url.startsWith(`${base}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const onward = request(target + url.slice(base.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${server.address().port}${base}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
