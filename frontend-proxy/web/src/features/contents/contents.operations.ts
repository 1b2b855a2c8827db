// Written by scripts/codegen.mjs from contents.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, RelationshipDirection, RelationshipsInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, RelationshipDirection, RelationshipsInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

type Held_1tithN2X78TzKGan88Jv6Tzq97RrXil61gIdbbjx8_Fragment = { urn: string, type: EntityType };

type Held_U5dqPnmzCa9exL1ooToJmBJvxayit08kT6wfAhcXo_Fragment = { urn: string, type: EntityType };

type Held_Chart_Fragment = { urn: string, type: EntityType, chart: { name: string, description: string | null } | null, platform: { name: string } };

type Held_Container_Fragment = { urn: string, type: EntityType, container: { name: string, description: string | null } | null, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string } };

type Held_Dashboard_Fragment = { urn: string, type: EntityType, dashboard: { name: string, description: string | null } | null, platform: { name: string } };

type Held_DataProduct_Fragment = { urn: string, type: EntityType, product: { name: string, description: string | null } | null };

type Held_Dataset_Fragment = { name: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string }, properties: { description: string | null } | null, editableProperties: { description: string | null } | null };

type Held_Domain_Fragment = { urn: string, type: EntityType, domain: { name: string, description: string | null } | null };

type Held_GlossaryNode_Fragment = { urn: string, type: EntityType, node: { name: string, description: string | null } | null };

type Held_GlossaryTerm_Fragment = { urn: string, type: EntityType, term: { name: string, description: string | null } | null };

type Held_DataFlow_Fragment = { urn: string, type: EntityType, flow: { name: string, description: string | null } | null, platform: { name: string } };

type Held_DataJob_Fragment = { urn: string, type: EntityType, job: { name: string, description: string | null } | null };

type Held_7XjYk6lPvHux1byg8agqr1HAif3MaGhUkZjL8ZrWbcc_Fragment = { name: string, urn: string, type: EntityType, learned: string | null };

export type HeldFragment =
  | Held_1tithN2X78TzKGan88Jv6Tzq97RrXil61gIdbbjx8_Fragment
  | Held_U5dqPnmzCa9exL1ooToJmBJvxayit08kT6wfAhcXo_Fragment
  | Held_Chart_Fragment
  | Held_Container_Fragment
  | Held_Dashboard_Fragment
  | Held_DataProduct_Fragment
  | Held_Dataset_Fragment
  | Held_Domain_Fragment
  | Held_GlossaryNode_Fragment
  | Held_GlossaryTerm_Fragment
  | Held_DataFlow_Fragment
  | Held_DataJob_Fragment
  | Held_7XjYk6lPvHux1byg8agqr1HAif3MaGhUkZjL8ZrWbcc_Fragment
;

export type HeldQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type HeldQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, chart: { name: string, description: string | null } | null, platform: { name: string } }
        | { urn: string, type: EntityType, container: { name: string, description: string | null } | null, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string } }
        | { urn: string, type: EntityType, dashboard: { name: string, description: string | null } | null, platform: { name: string } }
        | { urn: string, type: EntityType, product: { name: string, description: string | null } | null }
        | { name: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string }, properties: { description: string | null } | null, editableProperties: { description: string | null } | null }
        | { urn: string, type: EntityType, domain: { name: string, description: string | null } | null }
        | { urn: string, type: EntityType, node: { name: string, description: string | null } | null }
        | { urn: string, type: EntityType, term: { name: string, description: string | null } | null }
        | { urn: string, type: EntityType, flow: { name: string, description: string | null } | null, platform: { name: string } }
        | { urn: string, type: EntityType, job: { name: string, description: string | null } | null }
        | { name: string, urn: string, type: EntityType, learned: string | null }
       }> } | null };

export type RelatedQueryVariables = Exact<{
  urn: string;
  input: RelationshipsInput;
}>;

export type RelatedQuery = { entity:
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, chart: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, container: { name: string, description: string | null } | null, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, dashboard: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, product: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string }, properties: { description: string | null } | null, editableProperties: { description: string | null } | null }
            | { urn: string, type: EntityType, domain: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, node: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, term: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, flow: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, job: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, learned: string | null }
           | null }> } | null }
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, chart: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, container: { name: string, description: string | null } | null, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, dashboard: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, product: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string }, properties: { description: string | null } | null, editableProperties: { description: string | null } | null }
            | { urn: string, type: EntityType, domain: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, node: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, term: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, flow: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, job: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, learned: string | null }
           | null }> } | null }
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, chart: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, container: { name: string, description: string | null } | null, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, dashboard: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, product: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, platform: { name: string }, properties: { description: string | null } | null, editableProperties: { description: string | null } | null }
            | { urn: string, type: EntityType, domain: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, node: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, term: { name: string, description: string | null } | null }
            | { urn: string, type: EntityType, flow: { name: string, description: string | null } | null, platform: { name: string } }
            | { urn: string, type: EntityType, job: { name: string, description: string | null } | null }
            | { name: string, urn: string, type: EntityType, learned: string | null }
           | null }> } | null }
   | null };

export const Held = "query Held($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...Held}}}}fragment Held on Entity{urn type ...on Dataset{name subTypes{typeNames}platform{name}properties{description}editableProperties{description}}...on Chart{chart:properties{name description}platform{name}}...on Dashboard{dashboard:properties{name description}platform{name}}...on DataFlow{flow:properties{name description}platform{name}}...on DataJob{job:properties{name description}}...on Container{container:properties{name description}subTypes{typeNames}platform{name}}...on Domain{domain:properties{name description}}...on DataProduct{product:properties{name description}}...on GlossaryTerm{term:properties{name description}}...on GlossaryNode{node:properties{name description}}...on MLModel{name learned:description}...on MLFeature{name learned:description}...on MLPrimaryKey{name learned:description}...on MLFeatureTable{name learned:description}...on MLModelGroup{name learned:description}}" as unknown as Operation<HeldQuery, HeldQueryVariables>;

export const Related = "query Related($urn:String!$input:RelationshipsInput!){entity(urn:$urn){relationships(input:$input){total relationships{entity{...Held}}}}}fragment Held on Entity{urn type ...on Dataset{name subTypes{typeNames}platform{name}properties{description}editableProperties{description}}...on Chart{chart:properties{name description}platform{name}}...on Dashboard{dashboard:properties{name description}platform{name}}...on DataFlow{flow:properties{name description}platform{name}}...on DataJob{job:properties{name description}}...on Container{container:properties{name description}subTypes{typeNames}platform{name}}...on Domain{domain:properties{name description}}...on DataProduct{product:properties{name description}}...on GlossaryTerm{term:properties{name description}}...on GlossaryNode{node:properties{name description}}...on MLModel{name learned:description}...on MLFeature{name learned:description}...on MLPrimaryKey{name learned:description}...on MLFeatureTable{name learned:description}...on MLModelGroup{name learned:description}}" as unknown as Operation<RelatedQuery, RelatedQueryVariables>;
