import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { fieldsIn } from "./fields";

const chart = "urn:li:chart:(looker,sales)";
const orders = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)";
const answerOf = (...fields: unknown[]) => ({
  entity: { inputFields: { fields }, sources: { total: 3, relationships: [{ entity: { urn: orders, type: "DATASET", name: "orders", health: [{ type: "ASSERTIONS", status: "FAIL", message: "1 of 12 assertions failing" }] } }, { entity: null }] } },
});
const field = (urn: string, schemaField: unknown) => ({ schemaFieldUrn: `urn:li:schemaField:(${urn},net)`, schemaField });

it("tells of each field once what it is made from, and how that is", () => {
  const { fields, sources, sourceCount } = fieldsIn(chart, answered(answerOf(field(orders, { fieldPath: "net_eur", nativeDataType: "number", description: "Without tax" }), field(orders, { fieldPath: "net_eur" }))));
  expect(sourceCount).toBe(3);
  expect(sources).toHaveLength(1);
  expect(fields).toHaveLength(1);
  expect(fields[0]).toMatchObject({ path: "net_eur", from: { path: "net", source: { urn: orders, name: "orders", state: { tone: "bad" } } } });
});

it("names a source that was not told by its URN, and a field of the chart itself has none", () => {
  const { fields } = fieldsIn(chart, answered(answerOf(field("urn:li:dataset:(urn:li:dataPlatform:hive,other,PROD)", null), field(chart, { fieldPath: "share", type: "NUMBER" }))));
  expect(fields.map(({ path, kind, from }) => [path, kind, from?.source.name])).toEqual([
    ["net", "", "other"],
    ["share", "number", undefined],
  ]);
});

it("does not name a source that may not be viewed", () => {
  const { fields } = fieldsIn(chart, answered({
    entity: { inputFields: { fields: [field(orders, { fieldPath: "net_eur" })] }, sources: { total: 1, relationships: [{ entity: { urn: "urn:li:restricted:x", type: "RESTRICTED" } }] } },
  }));
  expect(fields[0]).toMatchObject({ path: "net_eur", from: { source: { restricted: true } } });
  expect(JSON.stringify(fields)).not.toMatch(/orders|"net"/);
});

it("takes answers for anything", () => {
  for (const other of [null, 7, "x", [], {}, { entity: { inputFields: { fields: [null, 3, {}, { schemaFieldUrn: "urn:li:schemaField:broken", schemaField: { fieldPath: null } }] }, sources: [] } }]) {
    expect(fieldsIn(chart, answered(other))).toEqual({ fields: [], sources: [], sourceCount: 0 });
  }
});
