// Written by scripts/codegen.mjs from ingestion.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { FacetFilterInput, FilterOperator, IngestionSourceSourceInput, IngestionSourceSourceType, ListIngestionSourcesInput, SortCriterion, SortOrder, StringMapEntryInput, UpdateIngestionSourceConfigInput, UpdateIngestionSourceInput, UpdateIngestionSourceScheduleInput } from "../../lib/schema";

export type { FacetFilterInput, FilterOperator, IngestionSourceSourceInput, IngestionSourceSourceType, ListIngestionSourcesInput, SortCriterion, SortOrder, StringMapEntryInput, UpdateIngestionSourceConfigInput, UpdateIngestionSourceInput, UpdateIngestionSourceScheduleInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type IngestionSourcesQueryVariables = Exact<{
  input: ListIngestionSourcesInput;
}>;

export type IngestionSourcesQuery = { listIngestionSources: { total: number | null, ingestionSources: Array<{ urn: string | null, name: string | null, type: string | null, schedule: { interval: string | null, timezone: string | null } | null, source: { type: IngestionSourceSourceType | null } | null, platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, executions: { total: number | null, executionRequests: Array<{ urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null } | null } | null> | null } | null } | null> | null } | null, taken: { total: number | null } | null };

export type IngestionReportsQueryVariables = Exact<{
  input: ListIngestionSourcesInput;
}>;

export type IngestionReportsQuery = { listIngestionSources: { ingestionSources: Array<{ urn: string | null, executions: { executionRequests: Array<{ urn: string | null, result: { structuredReport: { serializedValue: string | null } | null } | null } | null> | null } | null } | null> | null } | null };

export type IngestionSourceQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type IngestionSourceQuery = { ingestionSource: { urn: string | null, name: string | null, type: string | null, schedule: { interval: string | null, timezone: string | null } | null, source: { type: IngestionSourceSourceType | null } | null, config: { recipe: string | null, executorId: string | null, version: string | null, debugMode: boolean | null, extraArgs: Array<{ key: string | null, value: string | null } | null> | null } | null, executions: { total: number | null, executionRequests: Array<{ urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null } | null } | null> | null } | null } | null };

export type IngestionRunQueryVariables = Exact<{
  urn: string;
}>;

export type IngestionRunQuery = { executionRequest: { urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null, report: string | null, structuredReport: { serializedValue: string | null } | null } | null, source: { urn: string | null, name: string | null } | null } | null };

export type IngestionRunsBesideQueryVariables = Exact<{
  earlier: Array<FacetFilterInput> | FacetFilterInput;
  later: Array<FacetFilterInput> | FacetFilterInput;
}>;

export type IngestionRunsBesideQuery = { earlier: { executionRequests: Array<{ urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null, structuredReport: { serializedValue: string | null } | null } | null } | null> | null } | null, later: { executionRequests: Array<{ urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null } | null } | null> | null } | null };

export type AskedFragment = { urn: string | null, input: { requestedAt: number | null, executorId: string | null, source: { type: string | null } | null } | null, result: { status: string | null, startTimeMs: number | null, durationMs: number | null } | null };

export type CreateIngestionSourceMutationVariables = Exact<{
  input: UpdateIngestionSourceInput;
}>;

export type CreateIngestionSourceMutation = { createIngestionSource: string | null };

export type UpdateIngestionSourceMutationVariables = Exact<{
  urn: string;
  input: UpdateIngestionSourceInput;
}>;

export type UpdateIngestionSourceMutation = { updateIngestionSource: string | null };

export type DeleteIngestionSourceMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteIngestionSourceMutation = { deleteIngestionSource: string | null };

export type RunIngestionSourceMutationVariables = Exact<{
  source: string;
}>;

export type RunIngestionSourceMutation = { createIngestionExecutionRequest: string | null };

export type CancelIngestionRunMutationVariables = Exact<{
  source: string;
  run: string;
}>;

export type CancelIngestionRunMutation = { cancelIngestionExecutionRequest: string | null };

export type RollbackIngestionMutationVariables = Exact<{
  run: string;
}>;

export type RollbackIngestionMutation = { rollbackIngestion: string | null };

export type PlatformNameFragment = { urn: string | null, name: string | null, properties: { displayName: string | null } | null };

export const IngestionSources = "query IngestionSources($input:ListIngestionSourcesInput!){listIngestionSources(input:$input){total ingestionSources{urn name type schedule{interval timezone}source{type}platform{...PlatformName}executions(start:0 count:14){total executionRequests{...Asked}}}}taken:listExecutionRequests(input:{start:0 count:1 filters:[{field:\"executionResultStatus\" condition:EXISTS}{field:\"executionResultStatus\" values:[\"PENDING\"]negated:true}]}){total}}fragment Asked on ExecutionRequest{urn input{requestedAt executorId source{type}}result{status startTimeMs durationMs}}fragment PlatformName on DataPlatform{urn name properties{displayName}}" as unknown as Operation<IngestionSourcesQuery, IngestionSourcesQueryVariables>;

export const IngestionReports = "query IngestionReports($input:ListIngestionSourcesInput!){listIngestionSources(input:$input){ingestionSources{urn executions(start:0 count:1){executionRequests{urn result{structuredReport{serializedValue}}}}}}}" as unknown as Operation<IngestionReportsQuery, IngestionReportsQueryVariables>;

export const IngestionSource = "query IngestionSource($urn:String!$start:Int!$count:Int!){ingestionSource(urn:$urn){urn name type schedule{interval timezone}source{type}config{recipe executorId version debugMode extraArgs{key value}}executions(start:$start count:$count){total executionRequests{...Asked}}}}fragment Asked on ExecutionRequest{urn input{requestedAt executorId source{type}}result{status startTimeMs durationMs}}" as unknown as Operation<IngestionSourceQuery, IngestionSourceQueryVariables>;

export const IngestionRun = "query IngestionRun($urn:String!){executionRequest(urn:$urn){...Asked source{urn name}result{report structuredReport{serializedValue}}}}fragment Asked on ExecutionRequest{urn input{requestedAt executorId source{type}}result{status startTimeMs durationMs}}" as unknown as Operation<IngestionRunQuery, IngestionRunQueryVariables>;

export const IngestionRunsBeside = "query IngestionRunsBeside($earlier:[FacetFilterInput!]!$later:[FacetFilterInput!]!){earlier:listExecutionRequests(input:{start:0 count:1 filters:$earlier}){executionRequests{...Asked result{structuredReport{serializedValue}}}}later:listExecutionRequests(input:{start:0 count:1 filters:$later sort:{field:\"requestTimeMs\" sortOrder:ASCENDING}}){executionRequests{...Asked}}}fragment Asked on ExecutionRequest{urn input{requestedAt executorId source{type}}result{status startTimeMs durationMs}}" as unknown as Operation<IngestionRunsBesideQuery, IngestionRunsBesideQueryVariables>;

export const CreateIngestionSource = "mutation CreateIngestionSource($input:UpdateIngestionSourceInput!){createIngestionSource(input:$input)}" as unknown as Operation<CreateIngestionSourceMutation, CreateIngestionSourceMutationVariables>;

export const UpdateIngestionSource = "mutation UpdateIngestionSource($urn:String!$input:UpdateIngestionSourceInput!){updateIngestionSource(urn:$urn input:$input)}" as unknown as Operation<UpdateIngestionSourceMutation, UpdateIngestionSourceMutationVariables>;

export const DeleteIngestionSource = "mutation DeleteIngestionSource($urn:String!){deleteIngestionSource(urn:$urn)}" as unknown as Operation<DeleteIngestionSourceMutation, DeleteIngestionSourceMutationVariables>;

export const RunIngestionSource = "mutation RunIngestionSource($source:String!){createIngestionExecutionRequest(input:{ingestionSourceUrn:$source})}" as unknown as Operation<RunIngestionSourceMutation, RunIngestionSourceMutationVariables>;

export const CancelIngestionRun = "mutation CancelIngestionRun($source:String!$run:String!){cancelIngestionExecutionRequest(input:{ingestionSourceUrn:$source executionRequestUrn:$run})}" as unknown as Operation<CancelIngestionRunMutation, CancelIngestionRunMutationVariables>;

export const RollbackIngestion = "mutation RollbackIngestion($run:String!){rollbackIngestion(input:{runId:$run})}" as unknown as Operation<RollbackIngestionMutation, RollbackIngestionMutationVariables>;
