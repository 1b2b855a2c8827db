import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";

import { indexed, schema } from "../../lib/test-schema";
import { filtersOf, governed, queryOf, shapedTypes, withLineage } from "./query";

describe("filters of searches", () => {
  it.each(shapedTypes.flatMap((type) => filtersOf(type, `urn:li:${type}:x`).flatMap(({ and }) => and.map(({ field }) => field))))("are by fields of the index: %s", (field) => {
    expect(indexed).toContain(field);
  });
});

describe("the query of the head of an asset", () => {
  it.each(shapedTypes)("declares and fills the variables that it uses, for the type %s", (type) => {
    const { operation, variables } = queryOf(type, `urn:li:${type}:x`);
    const text = String(operation);
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
    expect([...text.slice(0, text.indexOf("{")).matchAll(/\$(\w+)/gu)].map(([, name]) => name).toSorted()).toEqual(Object.keys(variables).toSorted());
    expect(text.length).toBeLessThan(6000);
  });

  it("reads lineage and forms for the types whose pages show them", () => {
    const learned = ["mlFeature", "mlFeatureTable", "mlModel", "mlModelGroup", "mlPrimaryKey"];
    expect(withLineage.toSorted()).toEqual(["chart", "dashboard", "dataFlow", "dataJob", "dataProcessInstance", "dataset", ...learned].toSorted());
    expect(governed.toSorted()).toEqual(["application", "chart", "container", "corpGroup", "corpuser", "dashboard", "dataFlow", "dataJob", "dataProduct", "dataset", "domain", "glossaryNode", "glossaryTerm", ...learned].toSorted());
  });
});
