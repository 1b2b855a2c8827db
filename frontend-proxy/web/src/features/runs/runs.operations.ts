// Written by scripts/codegen.mjs from runs.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { DataProcessInstanceRunResultType, DataProcessRunStatus, RelationshipDirection } from "../../lib/schema";

export type { DataProcessInstanceRunResultType, DataProcessRunStatus, RelationshipDirection };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type RunsQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type RunsQuery = { entity: { urn: string | null, runs?: { total: number | null, runs: Array<{ urn: string | null, externalUrl: string | null, properties: { name: string | null, externalUrl: string | null, created: { time: number | null, actor: string | null } | null } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number | null, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null, parentTemplate: { urn: string | null, properties?: { name: string | null } | null } | null, reads: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null, writes: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null } | null> | null } | null } | null };

export type RunsOfDatasetQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
  direction: RelationshipDirection;
}>;

export type RunsOfDatasetQuery = { entity: { urn: string | null, runs?: { total: number | null, runs: Array<{ urn: string | null, externalUrl: string | null, properties: { name: string | null, externalUrl: string | null, created: { time: number | null, actor: string | null } | null } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number | null, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null, parentTemplate: { urn: string | null, properties?: { name: string | null } | null } | null, reads: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null, writes: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null } | null> | null } | null } | null };

export type RunPageFragment = { total: number | null, runs: Array<{ urn: string | null, externalUrl: string | null, properties: { name: string | null, externalUrl: string | null, created: { time: number | null, actor: string | null } | null } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number | null, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null, parentTemplate: { urn: string | null, properties?: { name: string | null } | null } | null, reads: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null, writes: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null } | null> | null };

export type EndsFragment = { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null };

export const Runs = "query Runs($urn:String!$start:Int!$count:Int!){entity(urn:$urn){urn ...on DataJob{runs(start:$start count:$count){...RunPage}}...on DataFlow{runs(start:$start count:$count){...RunPage}}}}fragment RunPage on DataProcessInstanceResult{total runs{urn externalUrl properties{name externalUrl created{time actor}}state(limit:20){status attempt timestampMillis durationMillis result{resultType nativeResultType}}parentTemplate{urn ...on DataJob{properties{name}}...on DataFlow{properties{name}}}reads:relationships(input:{types:[\"Consumes\"]direction:OUTGOING start:0 count:20 includeSoftDelete:false}){...Ends}writes:relationships(input:{types:[\"Produces\"]direction:OUTGOING start:0 count:20 includeSoftDelete:false}){...Ends}}}fragment Ends on EntityRelationshipsResult{total relationships{entity{urn ...on Dataset{name properties{name}}}}}" as unknown as Operation<RunsQuery, RunsQueryVariables>;

export const RunsOfDataset = "query RunsOfDataset($urn:String!$start:Int!$count:Int!$direction:RelationshipDirection!){entity(urn:$urn){urn ...on Dataset{runs(start:$start count:$count direction:$direction){...RunPage}}}}fragment RunPage on DataProcessInstanceResult{total runs{urn externalUrl properties{name externalUrl created{time actor}}state(limit:20){status attempt timestampMillis durationMillis result{resultType nativeResultType}}parentTemplate{urn ...on DataJob{properties{name}}...on DataFlow{properties{name}}}reads:relationships(input:{types:[\"Consumes\"]direction:OUTGOING start:0 count:20 includeSoftDelete:false}){...Ends}writes:relationships(input:{types:[\"Produces\"]direction:OUTGOING start:0 count:20 includeSoftDelete:false}){...Ends}}}fragment Ends on EntityRelationshipsResult{total relationships{entity{urn ...on Dataset{name properties{name}}}}}" as unknown as Operation<RunsOfDatasetQuery, RunsOfDatasetQueryVariables>;
