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
        | { urn: string, type: EntityType, application: { name: string } | null }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType, info: { name: string } | null }
        | { urn: string, type: EntityType, platform: { displayName: string | null } | null }
        | { urn: string, type: EntityType, defined: { displayName: string | null } }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
       }> } | null, down: { total: number, isPartial: boolean | null, searchResults: Array<{ degree: number, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, application: { name: string } | null }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType, info: { name: string } | null }
        | { urn: string, type: EntityType, platform: { displayName: string | null } | null }
        | { urn: string, type: EntityType, defined: { displayName: string | null } }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
       }> } | null };

export type ColumnReachFragment = { total: number, isPartial: boolean | null, searchResults: Array<{ degree: number, entity:
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType, application: { name: string } | null }
      | { urn: string, type: EntityType, chart: { name: string } | null }
      | { urn: string, type: EntityType, container: { name: string } | null }
      | { urn: string, type: EntityType, dashboard: { name: string } | null }
      | { urn: string, type: EntityType, product: { name: string } | null }
      | { name: string, urn: string, type: EntityType }
      | { urn: string, type: EntityType, domain: { name: string } | null }
      | { urn: string, type: EntityType, node: { name: string } | null }
      | { urn: string, type: EntityType, term: { name: string } | null }
      | { urn: string, type: EntityType, flow: { name: string } | null }
      | { urn: string, type: EntityType, job: { name: string } | null }
      | { urn: string, type: EntityType, info: { name: string } | null }
      | { urn: string, type: EntityType, platform: { displayName: string | null } | null }
      | { urn: string, type: EntityType, defined: { displayName: string | null } }
      | { urn: string, type: EntityType, tag: { name: string } | null }
      | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
      | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
     }> };

type Named_1c7avzdHwZLdDKvSsSa4Gs2PTqCIhBtPDdfWlLCuBk_Fragment = { urn: string, type: EntityType };

type Named_1Ibyz44hFjOJth3q2f2Y67Ghf3FcFpHazVpNnfbQ_Fragment = { urn: string, type: EntityType };

type Named_Application_Fragment = { urn: string, type: EntityType, application: { name: string } | null };

type Named_Chart_Fragment = { urn: string, type: EntityType, chart: { name: string } | null };

type Named_Container_Fragment = { urn: string, type: EntityType, container: { name: string } | null };

type Named_Dashboard_Fragment = { urn: string, type: EntityType, dashboard: { name: string } | null };

type Named_DataProduct_Fragment = { urn: string, type: EntityType, product: { name: string } | null };

type Named_IQsUPu9a5On0XnGjFWszsoCKbDrIf7H2rq3bBeiDQw_Fragment = { name: string, urn: string, type: EntityType };

type Named_Domain_Fragment = { urn: string, type: EntityType, domain: { name: string } | null };

type Named_GlossaryNode_Fragment = { urn: string, type: EntityType, node: { name: string } | null };

type Named_GlossaryTerm_Fragment = { urn: string, type: EntityType, term: { name: string } | null };

type Named_DataFlow_Fragment = { urn: string, type: EntityType, flow: { name: string } | null };

type Named_DataJob_Fragment = { urn: string, type: EntityType, job: { name: string } | null };

type Named_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType, info: { name: string } | null };

type Named_DataPlatform_Fragment = { urn: string, type: EntityType, platform: { displayName: string | null } | null };

type Named_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType, defined: { displayName: string | null } };

type Named_Tag_Fragment = { urn: string, type: EntityType, tag: { name: string } | null };

type Named_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null };

type Named_CorpUser_Fragment = { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null };

export type NamedFragment =
  | Named_1c7avzdHwZLdDKvSsSa4Gs2PTqCIhBtPDdfWlLCuBk_Fragment
  | Named_1Ibyz44hFjOJth3q2f2Y67Ghf3FcFpHazVpNnfbQ_Fragment
  | Named_Application_Fragment
  | Named_Chart_Fragment
  | Named_Container_Fragment
  | Named_Dashboard_Fragment
  | Named_DataProduct_Fragment
  | Named_IQsUPu9a5On0XnGjFWszsoCKbDrIf7H2rq3bBeiDQw_Fragment
  | Named_Domain_Fragment
  | Named_GlossaryNode_Fragment
  | Named_GlossaryTerm_Fragment
  | Named_DataFlow_Fragment
  | Named_DataJob_Fragment
  | Named_OwnershipTypeEntity_Fragment
  | Named_DataPlatform_Fragment
  | Named_StructuredPropertyEntity_Fragment
  | Named_Tag_Fragment
  | Named_CorpGroup_Fragment
  | Named_CorpUser_Fragment
;

export const ColumnLineage = "query ColumnLineage($column:String!$most:Int!){up:searchAcrossLineage(input:{urn:$column direction:UPSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}down:searchAcrossLineage(input:{urn:$column direction:DOWNSTREAM query:\"*\" count:$most searchFlags:{skipAggregates:true}}){...ColumnReach}}fragment ColumnReach on SearchAcrossLineageResults{total isPartial searchResults{degree entity{...Named}}}fragment Named on Entity{urn type ...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on OwnershipTypeEntity{info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Application{application:properties{name}}...on DataPlatform{platform:properties{displayName}}...on StructuredPropertyEntity{defined:definition{displayName}}}" as unknown as Operation<ColumnLineageQuery, ColumnLineageQueryVariables>;
