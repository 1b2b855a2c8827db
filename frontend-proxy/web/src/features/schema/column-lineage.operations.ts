// Written by scripts/codegen.mjs from column-lineage.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { EntityType } from "../../lib/schema";

export type { EntityType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ColumnLineageQueryVariables = Exact<{
  column: string;
  most: number;
}>;

export type ColumnLineageQuery = { up: { total: number, isPartial: boolean | null, searchResults: Array<{ degree: number, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, properties: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType, info: { name: string } | null }
        | { urn: string, type: EntityType, properties: { displayName: string | null } | null }
        | { urn: string, type: EntityType, definition: { displayName: string | null } }
        | { urn: string, type: EntityType, name: string, properties: { displayName: string | null } | null }
        | { urn: string, type: EntityType, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
       }> } | null, down: { total: number, isPartial: boolean | null, searchResults: Array<{ degree: number, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, properties: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType, info: { name: string } | null }
        | { urn: string, type: EntityType, properties: { displayName: string | null } | null }
        | { urn: string, type: EntityType, definition: { displayName: string | null } }
        | { urn: string, type: EntityType, name: string, properties: { displayName: string | null } | null }
        | { urn: string, type: EntityType, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
       }> } | null };

export type ColumnReachFragment = { total: number, isPartial: boolean | null, searchResults: Array<{ degree: number, entity:
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType, properties: { name: string } | null }
      | { name: string, urn: string, type: EntityType }
      | { urn: string, type: EntityType, info: { name: string } | null }
      | { urn: string, type: EntityType, properties: { displayName: string | null } | null }
      | { urn: string, type: EntityType, definition: { displayName: string | null } }
      | { urn: string, type: EntityType, name: string, properties: { displayName: string | null } | null }
      | { urn: string, type: EntityType, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
     }> };

export type PersonNameFragment = { username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string, properties: { displayName: string | null } | null };

type Named_1c7avzdHwZLdDKvSsSa4Gs2PTqCIhBtPDdfWlLCuBk_Fragment = { urn: string, type: EntityType };

type Named_1Ibyz44hFjOJth3q2f2Y67Ghf3FcFpHazVpNnfbQ_Fragment = { urn: string, type: EntityType };

type Named_YucyThFy8w0mezN311f898JPkfczfF9pMTadklg6Ws_Fragment = { urn: string, type: EntityType, properties: { name: string } | null };

type Named_IQsUPu9a5On0XnGjFWszsoCKbDrIf7H2rq3bBeiDQw_Fragment = { name: string, urn: string, type: EntityType };

type Named_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType, info: { name: string } | null };

type Named_DataPlatform_Fragment = { urn: string, type: EntityType, properties: { displayName: string | null } | null };

type Named_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType, definition: { displayName: string | null } };

type Named_CorpGroup_Fragment = { urn: string, type: EntityType, name: string, properties: { displayName: string | null } | null };

type Named_CorpUser_Fragment = { urn: string, type: EntityType, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type NamedFragment =
  | Named_1c7avzdHwZLdDKvSsSa4Gs2PTqCIhBtPDdfWlLCuBk_Fragment
  | Named_1Ibyz44hFjOJth3q2f2Y67Ghf3FcFpHazVpNnfbQ_Fragment
  | Named_YucyThFy8w0mezN311f898JPkfczfF9pMTadklg6Ws_Fragment
  | Named_IQsUPu9a5On0XnGjFWszsoCKbDrIf7H2rq3bBeiDQw_Fragment
  | Named_OwnershipTypeEntity_Fragment
  | Named_DataPlatform_Fragment
  | Named_StructuredPropertyEntity_Fragment
  | Named_CorpGroup_Fragment
  | Named_CorpUser_Fragment
;

export const ColumnLineage = "query ColumnLineage($column:String!$most:Int!){up:searchAcrossLineage(input:{urn:$column direction:UPSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}down:searchAcrossLineage(input:{urn:$column direction:DOWNSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}}fragment ColumnReach on SearchAcrossLineageResults{total isPartial searchResults{degree entity{...Named}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}fragment Named on Entity{urn type ...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on Domain{properties{name}}...on Container{properties{name}}...on Tag{properties{name}}...on GlossaryTerm{properties{name}}...on GlossaryNode{properties{name}}...on Dashboard{properties{name}}...on Chart{properties{name}}...on DataFlow{properties{name}}...on DataJob{properties{name}}...on DataProduct{properties{name}}...on Application{properties{name}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}...on OwnershipTypeEntity{info{name}}...on DataPlatform{properties{displayName}}...on StructuredPropertyEntity{definition{displayName}}}" as unknown as Operation<ColumnLineageQuery, ColumnLineageQueryVariables>;
