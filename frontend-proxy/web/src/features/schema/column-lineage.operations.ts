// Written by scripts/codegen.mjs from column-lineage.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { EntityType } from "../../lib/schema";

export type { EntityType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ColumnLineageQueryVariables = Exact<{
  column: string;
  most: number;
}>;

export type ColumnLineageQuery = { up: { total: number | null, isPartial: boolean | null, searchResults: Array<{ degree: number | null, entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null } | null> | null } | null, down: { total: number | null, isPartial: boolean | null, searchResults: Array<{ degree: number | null, entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null } | null> | null } | null };

export type ColumnReachFragment = { total: number | null, isPartial: boolean | null, searchResults: Array<{ degree: number | null, entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null } | null> | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export type NamedFragment = { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null };

export const ColumnLineage = "query ColumnLineage($column:String!$most:Int!){up:searchAcrossLineage(input:{urn:$column direction:UPSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}down:searchAcrossLineage(input:{urn:$column direction:DOWNSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}}fragment ColumnReach on SearchAcrossLineageResults{total isPartial searchResults{degree entity{...Named}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}fragment Named on Entity{urn type ...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on Domain{properties{name}}...on Container{properties{name}}...on Tag{properties{name}}...on GlossaryTerm{properties{name}}...on GlossaryNode{properties{name}}...on Dashboard{properties{name}}...on Chart{properties{name}}...on DataFlow{properties{name}}...on DataJob{properties{name}}...on DataProduct{properties{name}}...on Application{properties{name}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}...on OwnershipTypeEntity{info{name}}...on DataPlatform{properties{displayName}}...on StructuredPropertyEntity{definition{displayName}}}" as unknown as Operation<ColumnLineageQuery, ColumnLineageQueryVariables>;
