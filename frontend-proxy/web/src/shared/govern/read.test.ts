import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { listedIn, ownersIn, plainPath, someOf } from "./read";

it("reads an asset with its columns that carry a term, each once", () => {
  const term = "urn:li:glossaryTerm:net";
  const carried = { terms: [{ term: { urn: term } }] };
  const asset = listedIn(
    answered({
      urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,a.b.orders,PROD)",
      type: "DATASET",
      name: "orders",
      platform: { name: "snowflake", properties: { displayName: "Snowflake" } },
      ownership: { owners: [{ owner: { urn: "urn:li:corpGroup:sales", name: "sales", properties: { displayName: "Sales" } }, ownershipType: null }] },
      fields: { fields: [{ fieldPath: "[version=2.0].[type=long].total", glossaryTerms: carried }, { fieldPath: "id", glossaryTerms: null }] },
      edits: { editableSchemaFieldInfo: [{ fieldPath: "total", glossaryTerms: carried }] },
    }),
    term,
  );
  expect(asset).toMatchObject({ name: "orders", type: "DATASET", platform: "Snowflake", columns: ["total"], whole: false });
  expect(asset.owners).toEqual([{ urn: "urn:li:corpGroup:sales", name: "Sales", group: true, kind: "", kindUrn: "" }]);
});

it("reads assets of unknown types and with nulls for everything", () => {
  expect(listedIn(answered({ urn: "urn:li:newThing:x", type: null, platform: null, ownership: { owners: [null, { owner: null }] }, fields: null, dataFlow: null }))).toEqual({
    urn: "urn:li:newThing:x",
    name: "x",
    type: "newThing",
    platform: "",
    owners: [],
    columns: [],
    whole: true,
  });
  expect(listedIn({})).toMatchObject({ urn: "", owners: [] });
  expect(ownersIn(answered("nonsense"))).toEqual([]);
});

it("takes the platform of a task from its pipeline, and not its name from there", () => {
  const task = listedIn(answered({ urn: "urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)", type: "DATA_JOB", properties: { name: "Load" }, dataFlow: { platform: { name: "airflow", properties: null } } }));
  expect([task.name, task.platform]).toEqual(["Load", "airflow"]);
});

it("writes paths without the marks of types, and several names with how many more there are", () => {
  expect(plainPath("[version=2.0].[type=struct].address.[type=string].street")).toBe("address.street");
  expect(someOf(["a", "b"])).toBe("a, b");
  expect(someOf(["a", "b", "c", "d"])).toBe("a, b and 2 more");
});
