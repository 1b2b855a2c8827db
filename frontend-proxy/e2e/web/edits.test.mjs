// Every edit that the pages offer: the page shows it after a reload, and the stock Python client reads it.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Client, unlessNoClient } from "./client.mjs";
import { Edit } from "./edits/edit.mjs";
import { stories as assets } from "./edits/assets.mjs";
import { stories as ingestion } from "./edits/ingestion.mjs";
import { stories as people } from "./edits/people.mjs";
import { stories as rules } from "./edits/rules.mjs";
import { stories as vocabulary } from "./edits/vocabulary.mjs";
import { admin, Stack } from "./stack.mjs";
import { Pages, unlessMissing } from "./visit.mjs";

const stories = { ...assets, ...vocabulary, ...people, ...rules, ...ingestion };

// The non-GraphQL requests in the sources, each with the changes that it can make: most requests only read.
const requests = {
  "app/connection-line.tsx POST": [],
  "explorer/bar.tsx POST": [],
  "explorer/fetcher.ts POST": [], // written by users themselves
  "features/audit/record.ts POST": [],
  "features/forms/stored.ts DELETE": ["DELETE /openapi/v3/entity/form/*/dynamicFormAssignment"],
  "features/forms/stored.ts PATCH": ["PATCH /openapi/v3/entity/form"],
  "features/forms/stored.ts POST": ["POST /openapi/v3/entity/form"],
  "features/ingestion/rollback.tsx POST": [], // a dry run
  "features/operations/backups-tab.tsx POST": [],
  "features/operations/rebuild-tab.tsx POST": ["POST /api/gms/operations?action=restoreIndices"],
  "features/operations/size-history-view.tsx POST": [],
  "features/operations/sizes-tab.tsx POST": [],
  "features/operations/task.ts POST": ["POST /openapi/operations/tasks/*/cancel"],
  "features/operations/truncate.tsx POST": ["POST /api/gms/operations?action=truncateTimeseriesAspect"],
  "features/policies/explain.ts POST": [],
  "features/policies/policy-page.tsx POST": [],
  "features/policies/stored.ts PATCH": ["PATCH /openapi/v3/entity/datahubpolicy"],
  "features/policies/stored.ts POST": ["POST /openapi/v3/entity/datahubpolicy"],
  "features/properties/properties-tab.tsx PATCH": [
    "PATCH /openapi/v3/entity/chart/*/chartInfo",
    "PATCH /openapi/v3/entity/container/*/containerProperties",
    "PATCH /openapi/v3/entity/dashboard/*/dashboardInfo",
    "PATCH /openapi/v3/entity/dataFlow/*/dataFlowInfo",
    "PATCH /openapi/v3/entity/dataJob/*/dataJobInfo",
    "PATCH /openapi/v3/entity/dataProduct/*/dataProductProperties",
    "PATCH /openapi/v3/entity/dataset/*/datasetProperties",
    "PATCH /openapi/v3/entity/domain/*/domainProperties",
  ],
  "features/queries/queries-tab.tsx POST": [],
  "features/sign-in/sign-in.tsx POST": ["POST /logIn", "POST /signUp", "POST /resetNativeUserCredentials"],
  "lib/copy.ts POST": [], // requests that users can copy
  "lib/request.ts POST": [], // GraphQL
};

// The changes that no story here covers, each with the test that covers it and the reason.
const elsewhere = {
  EndSessions: "sessions.test.mjs", // it shows in other browsers, and writes nothing that clients read
  RollbackIngestion: "ingestion.test.mjs", // it needs a run reported by an executor
  SetParentApplication: "applications.test.mjs", // only applications have it
  MoveApplicationUp: "applications.test.mjs", // it is on the page of the parent
  CancelRun: "tests.test.mjs", // a run ends before a test can cancel it
  "POST /openapi/operations/tasks/*/cancel": "operations.test.mjs", // so does a task
  "POST /api/gms/operations?action=restoreIndices": "operations.test.mjs", // it changes only derived data
  "POST /api/gms/operations?action=truncateTimeseriesAspect": "operations.test.mjs", // it removes data that other stories may show
};

const sources = path.resolve(import.meta.dirname, "../../web/src");

// changesOfSources returns the mutations that the sources of the pages can send, by text and name, and the
// non-GraphQL requests.
async function changesOfSources() {
  const files = (await readdir(sources, { recursive: true })).filter((file) => /\.tsx?$/u.test(file) && !/\.test\./u.test(file));
  const changes = new Map();
  const sent = new Set();
  for (const file of files) {
    const text = await readFile(path.join(sources, file), "utf8");
    for (const [, written] of text.matchAll(/^export const \w+ = ("mutation .*") as unknown as Operation/gmu)) {
      const mutation = JSON.parse(written);
      changes.set(mutation, `${/^mutation (\w+)/u.exec(mutation)[1]} of ${file}`);
    }
    for (const [, method] of text.matchAll(/\bmethod: "(POST|PUT|PATCH|DELETE)"/gu)) {
      sent.add(`${file} ${method}`);
    }
  }
  return { changes, sent: [...sent].toSorted() };
}

const options = unlessMissing("edits");

describe("edits", { ...options, skip: options.skip || unlessNoClient("edits").skip }, () => {
  let stack, as, token, client, pages;
  const performed = new Set();

  before(async () => {
    stack = await Stack.start();
    await stack.demo();
    as = { username: "datahub", password: await stack.adminPassword() };
    token = await stack.token("client", admin);
    client = await Client.start(`${stack.proxy}/api/gms`, token);
    pages = new Pages(stack);
  });
  after(async () => {
    await pages?.close();
    await client?.stop();
    await stack?.stop();
  });

  for (const [what, story] of Object.entries(stories)) {
    it(`are kept and read by the client: ${what}`, () =>
      pages.visit("/settings/profile", (_, opened) => story(new Edit(opened, { stack, token, client, performed })), { as }));
  }

  it("are all told of by a story, or by another test", async () => {
    const { changes, sent } = await changesOfSources();
    assert.ok(changes.size > 100, `${changes.size} mutations are found in the sources`);
    assert.deepEqual(Object.keys(requests).toSorted(), sent);
    for (const change of Object.values(requests).flat()) {
      changes.set(change, change);
    }
    const told = new Set(Object.keys(elsewhere));
    const nameOf = (key) => /^mutation (\w+)/u.exec(key)?.[1] ?? key;
    assert.deepEqual([...changes].filter(([key]) => !performed.has(key) && !told.has(nameOf(key))).map(([, name]) => name), [], "no story tells of them");
    assert.deepEqual([...performed].filter((key) => !changes.has(key)), [], "the sources do not tell of them");
    assert.deepEqual([...performed].map(nameOf).filter((name) => told.has(name)), [], "a story tells of them, too");
    for (const [change, file] of Object.entries(elsewhere)) {
      const text = await readFile(path.join(import.meta.dirname, file), "utf8");
      assert.ok(text.includes(`"${change}")`), `${file} does not wait for ${change}`);
    }
  });
});
