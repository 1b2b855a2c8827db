import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { buildSchema, isInterfaceType, isObjectType, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";

import { fields as ruleFields } from "../forms/rule";
import { touchedBy, touchedIn } from "../schema/touched";
import { filtersOf, parts, queryOf, shapes, type Part } from "./query";

const service = path.resolve(import.meta.dirname, "../../../../../metadata-service/internal");
const folder = path.join(service, "transport/graphql/schema");
const schema = buildSchema(
  readdirSync(folder)
    .filter((name) => name.endsWith(".graphql"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("\n"),
  { assumeValid: true },
);

// Members of the same name that hold something else.
const inOtherShape: ReadonlySet<string> = new Set(["metric.applications", "semanticModel.applications", "corpuser.status", "incident.status"]);

// The names of the fields that the model indexes, and those that every index has.
const registry = path.join(service, "model/registry");
const indexed = new Set(["_entityType", "platform"]);
for (const file of readdirSync(registry, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))) {
  JSON.parse(readFileSync(path.join(registry, file), "utf8"), (key, value: unknown) => {
    if (key === "field" && typeof value === "string") {
      indexed.add(value);
    }
    return value;
  });
}

describe("filters of searches", () => {
  it.each([...Object.keys(shapes).flatMap((type) => filtersOf(type, `urn:li:${type}:x`).flatMap(({ and }) => and.map(({ field }) => field))), ...ruleFields.map(({ field }) => field)])("are by fields of the index: %s", (field) => {
    expect(indexed).toContain(field);
  });
});

describe("the query of what is made from columns", () => {
  it("asks for all of them at once, and what it gives is told apart", () => {
    const { operation, variables } = touchedBy("urn:li:dataset:x", ["a", "b"]);
    expect(validate(schema, parse(operation.toString())).map(({ message }) => message)).toEqual([]);
    expect(variables).toEqual({ column0: "urn:li:schemaField:(urn:li:dataset:x,a)", column1: "urn:li:schemaField:(urn:li:dataset:x,b)" });
    expect(touchedIn({ all0: { total: 1 }, all1: { total: 2 }, charts1: { total: 1 } }, 1)).toEqual({ all: { total: 2 }, charts: { total: 1 }, dashboards: undefined });
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
