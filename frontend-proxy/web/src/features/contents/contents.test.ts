import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { contentsIn, listingOf, relatedIn } from "./contents";

const table = { urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,sales.orders,PROD)", type: "DATASET", name: "ORDERS", platform: { name: "snowflake", properties: { displayName: "Snowflake" } }, properties: { name: null, description: "One row per order" } };

it("reads what a search and what relationships give, each thing once", () => {
  const held = { urn: table.urn, name: "ORDERS", type: "DATASET", platform: "Snowflake", description: "One row per order", lastRun: null };
  const found = contentsIn(answered({ searchAcrossEntities: { total: 7, searchResults: [{ entity: table }, { entity: table }, { entity: null }, null] } }));
  expect(found).toMatchObject({ total: 7, items: [held] });
  expect(found.items).toHaveLength(1);
  expect(relatedIn(answered({ entity: { relationships: { total: 1, relationships: [{ entity: table }] } } }))).toMatchObject({ total: 1, items: [held] });
});

it("reads how the newest run of a task ended", () => {
  const task = { urn: "urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)", runs: { runs: [{ urn: "urn:li:dataProcessInstance:1", state: [{ status: "COMPLETE", timestampMillis: 2000, durationMillis: 500, result: { resultType: "FAILURE" } }] }] } };
  const [item] = relatedIn(answered({ entity: { relationships: { total: 1, relationships: [{ entity: task }] } } })).items;
  expect(item).toMatchObject({ name: "load", lastRun: { state: { tone: "bad", text: "Failed" }, startedAt: 1500 } });
});

it("names by its URN what has no name, and takes answers for anything", () => {
  expect(relatedIn(answered({ entity: { relationships: { relationships: [{ entity: { urn: "urn:li:chart:(looker,sales)", properties: { name: null } } }] } } })).items[0]?.name).toBe("sales");
  for (const other of [null, 7, "x", [], {}, { searchAcrossEntities: 4, entity: { relationships: [] } }]) {
    expect([contentsIn(answered(other)), relatedIn(answered(other))]).toEqual([{ total: 0, items: [] }, { total: 0, items: [] }]);
  }
});

it("lists what is in any type of things", () => {
  expect(listingOf("dataFlow").columns).toContain("Last run");
  expect(listingOf("corpuser").columns).not.toContain("Owner");
  expect(listingOf("constructor")).toBe(listingOf("container"));
});
