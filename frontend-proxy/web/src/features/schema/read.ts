import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { at, listIn, numberIn, textIn } from "../../lib/loose";
import { run } from "../../lib/request";
import { columnsIn } from "./columns";
import { SchemaPair, SchemaVersions } from "./schema.operations";
import { versionsIn } from "./versions";

/** The versions of a schema, the newest first. */
export const versionsQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "schema-versions"], queryFn: async ({ signal }) => versionsIn((await run(SchemaVersions, { urn }, signal)).data) });

/** Keeps the versions that an answer to something else brought along, which spares a request for them. */
export function keepVersions(client: QueryClient, urn: string, answer: { getSchemaVersionList?: unknown }) {
  if (answer.getSchemaVersionList) {
    client.setQueryData(versionsQuery(urn).queryKey, versionsIn(answer));
  }
}

// A dataset whose use is not known has no columns in it either.
function readsIn(dataset: unknown): ReadonlyMap<string, number> | null {
  const fields = listIn(at(dataset, "usageStats", "aggregations", "fields"));
  return fields.length === 0 ? null : new Map(fields.map((each) => [textIn(at(each, "fieldName")), numberIn(at(each, "count")) ?? 0]));
}

/** Two versions of a schema, each null if it is not kept any more, and how many queries read each column. */
export const pairQuery = (urn: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["asset", urn, "schema-pair", from, to],
    queryFn: async ({ signal }) => {
      const { dataset } = (await run(SchemaPair, { urn, from, to }, signal)).data;
      const [older, newer] = [at(dataset, "older"), at(dataset, "newer")];
      return { older: older ? columnsIn(older) : null, newer: newer ? columnsIn(newer) : null, reads: readsIn(dataset) };
    },
  });
