// Written by scripts/codegen.mjs from history.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { ChangeCategoryType, ChangeOperationType, GetTimelineInput } from "../../lib/schema";

export type { ChangeCategoryType, ChangeOperationType, GetTimelineInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type HistoryQueryVariables = Exact<{
  input: GetTimelineInput;
}>;

export type HistoryQuery = { getTimeline: { skippedVersionCount: number | null, changeTransactions: Array<{ timestampMillis: number, lastSemanticVersion: string, actor: string | null, changes: Array<{ urn: string, category: ChangeCategoryType | null, operation: ChangeOperationType | null, modifier: string | null, description: string | null, parameters: Array<{ key: string | null, value: string | null }> | null }> | null }> } | null };

export const History = "query History($input:GetTimelineInput!){getTimeline(input:$input){skippedVersionCount changeTransactions{timestampMillis lastSemanticVersion actor changes{urn category operation modifier description parameters{key value}}}}}" as unknown as Operation<HistoryQuery, HistoryQueryVariables>;
