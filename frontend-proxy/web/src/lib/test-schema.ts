// The schema and the model of the service. For tests only.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { buildSchema } from "graphql";

const service = path.resolve(import.meta.dirname, "../../../../metadata-service/internal");
const folder = path.join(service, "transport/graphql/schema");
/** The GraphQL schema of the service. */
export const schema = buildSchema(
  readdirSync(folder)
    .filter((name) => name.endsWith(".graphql"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("\n"),
  { assumeValid: true },
);

const registry = path.join(service, "model/registry");

/**
 * The names of the fields that the search index contains according to the model, and of the fields common to
 * all entity types.
 */
export const indexed: ReadonlySet<string> = indexedFields();

function indexedFields(): Set<string> {
  const names = new Set(["_entityType", "platform"]);
  for (const file of readdirSync(registry, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))) {
    JSON.parse(readFileSync(path.join(registry, file), "utf8"), (key, value: unknown) => {
      if (key === "field" && typeof value === "string") {
        names.add(value);
      }
      return value;
    });
  }
  return names;
}
