import { isInterfaceType, isObjectType, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";

import { indexed, schema } from "../../lib/test-schema";
import { filtersOf, parts, queryOf, shapes, type Part } from "./query";

// Members with the same name and another shape.
const inOtherShape: ReadonlySet<string> = new Set(["metric.applications", "semanticModel.applications", "corpuser.status", "incident.status"]);

describe("filters of searches", () => {
  it.each(Object.keys(shapes).flatMap((type) => filtersOf(type, `urn:li:${type}:x`).flatMap(({ and }) => and.map(({ field }) => field))))("are by fields of the index: %s", (field) => {
    expect(indexed).toContain(field);
  });
});

describe("the query of the head of an asset", () => {
  it.each(Object.keys(shapes))("asks for what the schema has, for the type %s", (type) => {
    const { query, variables } = queryOf(type, `urn:li:${type}:x`);
    expect(validate(schema, parse(query)).map(({ message }) => message)).toEqual([]);
    expect(variables["urn"]).toBe(`urn:li:${type}:x`);
    expect(query.length).toBeLessThan(6000);
  });

  it("asks for each part that the schema has for the type", () => {
    const missing = Object.entries(shapes).flatMap(([type, shape]) => {
      const found = schema.getType(shape.on);
      const fields = isObjectType(found) ? Object.keys(found.getFields()) : [];
      return fields.filter((field): field is Part => Object.hasOwn(parts, field) && !shape.parts.includes(field as Part)).map((field) => `${type}.${field}`);
    });
    expect(missing.filter((each) => !inOtherShape.has(each))).toEqual([]);
    expect(isInterfaceType(schema.getType("Entity"))).toBe(true);
  });
});
