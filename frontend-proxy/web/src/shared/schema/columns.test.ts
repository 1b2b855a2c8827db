import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { columnsIn, countsOf, plainPath, saidOf, shownOf, stepsOf } from "./columns";

const field = (fieldPath: string, more = {}) => ({ fieldPath, type: "STRING", nativeDataType: "TEXT", nullable: true, description: null, ...more });
const none: ReadonlySet<string> = new Set();

describe("the columns of a schema", () => {
  it("have paths of two forms", () => {
    expect(stepsOf("order.total")).toEqual(["order", "total"]);
    expect(stepsOf("[version=2.0].[type=struct].[type=struct].order.[type=double].total")).toEqual(["order", "total"]);
    expect(plainPath("[version=2.0].[type=struct].[type=array].[type=string].lines")).toBe("lines");
    expect(stepsOf("[version=2.0].[type=string]")).toEqual(["[version=2.0].[type=string]"]);
  });

  it("stand behind the column that they are inside of, closed beyond two levels", () => {
    const columns = columnsIn(answered({ fields: ["a", "b", "a.x", "a.x.deep", "a.x.deep.er", "c.with.dots"].map((path) => field(path)) }));
    expect(columns.map(({ path, depth }) => [path, depth])).toEqual([["a", 0], ["a.x", 1], ["a.x.deep", 2], ["a.x.deep.er", 3], ["b", 0], ["c.with.dots", 0]]);
    expect(shownOf(columns, { text: "", kept: "all", toggled: none }).map(({ path }) => path)).toEqual(["a", "a.x", "b", "c.with.dots"]);
    expect(shownOf(columns, { text: "", kept: "all", toggled: new Set(["a.x", "a.x.deep"]) })).toHaveLength(6);
    expect(shownOf(columns, { text: "", kept: "all", toggled: new Set(["a"]) }).map(({ path }) => path)).toEqual(["a", "b", "c.with.dots"]);
    expect(shownOf(columns, { text: "DEEP", kept: "all", toggled: none }).map(({ path }) => path)).toEqual(["a.x.deep", "a.x.deep.er"]);
  });

  it("have the words of people before those of the platform, and the labels of both once", () => {
    const gold = { tag: { urn: "urn:li:tag:gold", properties: { name: "gold" } } };
    const dataset = {
      editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: "id", description: "Ours", tags: { tags: [gold] } }] },
      usageStats: { aggregations: { fields: [{ fieldName: "id", count: 7 }] } },
      assertions: { assertions: [{ info: { fieldAssertion: { fieldValuesAssertion: { field: { path: "id" } } } }, runEvents: { runEvents: [{ result: { type: "FAILURE" } }] } }] },
    };
    const schema = { primaryKeys: ["id"], foreignKeys: [{ foreignDataset: { urn: "urn:li:dataset:(urn:li:dataPlatform:hive,other,PROD)", name: "other" }, sourceFields: [{ fieldPath: "id" }] }], fields: [field("id", { description: "Theirs", tags: { tags: [gold] } }), field("rest")] };
    const columns = columnsIn(answered(schema), answered(dataset));
    expect(columns[0]).toMatchObject({ key: true, fails: true, uses: 7, foreign: { name: "other" }, tags: [{ name: "gold" }] });
    expect(columns.map(saidOf)).toEqual(["Ours", ""]);
    expect(countsOf(columns)).toEqual({ all: 2, undescribed: 1, tagged: 1 });
    expect(shownOf(columns, { text: "", kept: "undescribed", toggled: none }).map(({ path }) => path)).toEqual(["rest"]);
  });

  it("are read whatever stands in their place", () => {
    for (const other of [null, undefined, 7, "x", {}, [null], [{ fieldPath: null }], [{ fieldPath: "a" }, { fieldPath: "a" }], [{ fieldPath: "a", tags: 4, glossaryTerms: { terms: [null, { term: null }] } }]]) {
      expect(Array.isArray(columnsIn(answered({ fields: other, foreignKeys: other, primaryKeys: other }), answered({ editableSchemaMetadata: other, usageStats: other, assertions: other })))).toBe(true);
    }
    expect(columnsIn(answered({ fields: [{ fieldPath: "a" }, { fieldPath: "a" }] }))).toHaveLength(1);
  });

  it("are as quick by thousands", () => {
    const columns = columnsIn(answered({ fields: Array.from({ length: 10_000 }, (_, at) => field(`group_${at % 100}.column_${at}`)) }));
    expect(columns).toHaveLength(10_000);
    expect(shownOf(columns, { text: "column_77", kept: "all", toggled: none }).length).toBeGreaterThan(100);
  });
});
