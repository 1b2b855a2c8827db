import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { listIn, numberIn, textIn } from "../../lib/answer";
import { readSettled } from "../../lib/optimistic";
import { run } from "../../lib/request";
import { columnsIn, type Column } from "./columns";
import { Schema, SchemaAt, SchemaChanges, SchemaPair, SchemaVersions, type SchemaPairQuery, type SchemaVersionNamesFragment } from "./schema.operations";
import { changesIn, versionsIn } from "./versions";

/** The versions of a schema, newest first. */
export const versionsQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "schema-versions"], queryFn: async ({ signal }) => versionsIn((await run(SchemaVersions, { urn }, signal)).data) });

/** Caches schema versions that arrived in another response, which saves a request. */
export function keepVersions(client: QueryClient, urn: string, answer: { getSchemaVersionList?: SchemaVersionNamesFragment | null }) {
  if (answer.getSchemaVersionList) {
    client.setQueryData(versionsQuery(urn).queryKey, versionsIn(answer));
  }
}

async function read(urn: string, client: QueryClient, signal: AbortSignal): Promise<Column[]> {
  const { data, problems } = await run(Schema, { urn }, signal);
  if (!data.dataset && problems[0]) {
    throw problems[0];
  }
  keepVersions(client, urn, data);
  return columnsIn(data.dataset?.schemaMetadata, data.dataset);
}

/** The current columns of a dataset, merged with edits by users. */
export const schemaQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "schema"], queryFn: (context) => readSettled((signal) => read(urn, context.client, signal))(context) });

/** The changes of each schema version, by version number. */
export const changesQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "schema-changes"], queryFn: async ({ signal }) => changesIn((await run(SchemaChanges, { urn }, signal)).data) });

/** The columns of one version as ingested; null if the version is no longer stored. */
export const schemaAtQuery = (urn: string, number: number) =>
  queryOptions({
    queryKey: ["asset", urn, "schema-at", number],
    queryFn: async ({ signal }) => {
      const schema = (await run(SchemaAt, { urn, version: number }, signal)).data.dataset?.schemaMetadata;
      return schema ? columnsIn(schema) : null;
    },
  });

// Without usage data, the response has no usage of columns. The result is then null.
function readsIn(dataset: SchemaPairQuery["dataset"]): ReadonlyMap<string, number> | null {
  const fields = listIn(dataset?.usageStats?.aggregations?.fields);
  return fields.length === 0 ? null : new Map(fields.map((each) => [textIn(each.fieldName), numberIn(each.count) ?? 0]));
}

/** Two versions of a schema, each null if it is no longer stored, and the number of queries by column. */
export const pairQuery = (urn: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["asset", urn, "schema-pair", from, to],
    queryFn: async ({ signal }) => {
      const { dataset } = (await run(SchemaPair, { urn, from, to }, signal)).data;
      const [older, newer] = [dataset?.older, dataset?.newer];
      return { older: older ? columnsIn(older) : null, newer: newer ? columnsIn(newer) : null, reads: readsIn(dataset) };
    },
  });
