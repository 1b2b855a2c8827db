// Written by scripts/codegen.mjs from history.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { ChangeCategoryType, ChangeOperationType, GetTimelineInput } from "../../lib/schema";

export type { ChangeCategoryType, ChangeOperationType, GetTimelineInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type HistoryQueryVariables = Exact<{
  input: GetTimelineInput;
  urn: string;
  versions: boolean;
}>;

export type HistoryQuery = { getTimeline: { skippedVersionCount: number | null, changeTransactions: Array<{ timestampMillis: number | null, versionStamp: string | null, actor: string | null, changes: Array<{ urn: string | null, category: ChangeCategoryType | null, operation: ChangeOperationType | null, modifier: string | null, description: string | null, parameters: Array<{ key: string | null, value: string | null } | null> | null } | null> | null } | null> | null } | null, getSchemaVersionList?: { semanticVersionList: Array<{ semanticVersion: string | null, semanticVersionTimestamp: number | null, versionStamp: string | null } | null> | null } | null };

export type SchemaVersionNamesFragment = { semanticVersionList: Array<{ semanticVersion: string | null, semanticVersionTimestamp: number | null, versionStamp: string | null } | null> | null };

export const History = "query History($input:GetTimelineInput!$urn:String!$versions:Boolean!){getTimeline(input:$input){skippedVersionCount changeTransactions{timestampMillis versionStamp actor changes{urn category operation modifier description parameters{key value}}}}getSchemaVersionList(input:{datasetUrn:$urn})@include(if:$versions){...SchemaVersionNames}}fragment SchemaVersionNames on GetSchemaVersionListResult{semanticVersionList{semanticVersion semanticVersionTimestamp versionStamp}}" as unknown as Operation<HistoryQuery, HistoryQueryVariables>;
