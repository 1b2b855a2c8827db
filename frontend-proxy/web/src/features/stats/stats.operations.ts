// Written by scripts/codegen.mjs from stats.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { OperationType, PartitionType } from "../../lib/schema";

export type { OperationType, PartitionType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type StatsQueryVariables = Exact<{
  urn: string;
  from: number;
}>;

export type StatsQuery = { entity:
    | { urn: string }
    | { urn: string }
    | { urn: string }
    | { urn: string, summary: { viewCount: number | null, viewCountLast30Days: number | null, uniqueUserCountLast30Days: number | null, topUsersLast30Days: Array<{ urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }> | null } | null }
    | { urn: string, views: { buckets: Array<{ bucket: number | null, metrics: { uniqueUserCount: number | null, viewsCount: number | null } | null } | null> | null, aggregations: { uniqueUserCount: number | null, viewsCount: number | null, executionsCount: number | null, users: Array<{ viewsCount: number | null, usageCount: number | null, user: { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null } | null> | null } | null } | null, summary: { viewCount: number | null, viewCountLast30Days: number | null, uniqueUserCountLast30Days: number | null, topUsersLast30Days: Array<{ urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }> | null } | null }
    | { urn: string, usage: { buckets: Array<{ bucket: number | null, metrics: { uniqueUserCount: number | null, totalSqlQueries: number | null } | null } | null> | null, aggregations: { uniqueUserCount: number | null, totalSqlQueries: number | null, users: Array<{ count: number | null, userEmail: string | null, user: { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null } | null> | null, fields: Array<{ fieldName: string | null, count: number | null } | null> | null } | null } | null, profiles: Array<{ timestampMillis: number, rowCount: number | null, columnCount: number | null, sizeInBytes: number | null }> | null, latest: Array<{ timestampMillis: number, rowCount: number | null, partitionSpec: { type: PartitionType, partition: string | null } | null, fieldProfiles: Array<{ fieldPath: string, uniqueCount: number | null, uniqueProportion: number | null, nullCount: number | null, nullProportion: number | null, min: string | null, max: string | null, mean: string | null, median: string | null, stdev: string | null, sampleValues: Array<string> | null }> | null }> | null, operations: Array<{ timestampMillis: number, operationType: OperationType, customOperationType: string | null, actor: string | null, numAffectedRows: number | null, lastUpdatedTimestamp: number }> | null }
   | null };

export type ReaderFragment = { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export const Stats = "query Stats($urn:String!$from:Long!){entity(urn:$urn){urn ...on Dataset{usage:usageStats(startTimeMillis:$from){buckets{bucket metrics{uniqueUserCount totalSqlQueries}}aggregations{uniqueUserCount totalSqlQueries users{user{...Reader}count userEmail}fields{fieldName count}}}profiles:datasetProfiles(startTimeMillis:$from limit:400){timestampMillis rowCount columnCount sizeInBytes}latest:datasetProfiles(limit:1){timestampMillis rowCount partitionSpec{type partition}fieldProfiles{fieldPath uniqueCount uniqueProportion nullCount nullProportion min max mean median stdev sampleValues}}operations(startTimeMillis:$from limit:100){timestampMillis operationType customOperationType actor numAffectedRows lastUpdatedTimestamp}}...on Dashboard{views:usageStats(startTimeMillis:$from){buckets{bucket metrics{uniqueUserCount viewsCount}}aggregations{uniqueUserCount viewsCount executionsCount users{user{...Reader}viewsCount usageCount}}}summary:statsSummary{viewCount viewCountLast30Days uniqueUserCountLast30Days topUsersLast30Days{...Reader}}}...on Chart{summary:statsSummary{viewCount viewCountLast30Days uniqueUserCountLast30Days topUsersLast30Days{...Reader}}}}}fragment Reader on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}" as unknown as Operation<StatsQuery, StatsQueryVariables>;
