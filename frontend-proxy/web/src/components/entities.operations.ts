// Written by scripts/codegen.mjs from entities.graphql and the schema; not to be edited.
import type { Operation } from "../lib/request";
import type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../lib/schema";

export type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

type Named_Role_Fragment = { urn: string, type: EntityType };

type Named_Application_Fragment = { urn: string, type: EntityType };

type Named_Assertion_Fragment = { urn: string, type: EntityType };

type Named_BusinessAttribute_Fragment = { urn: string, type: EntityType };

type Named_Chart_Fragment = { urn: string, type: EntityType, chart: { name: string } | null };

type Named_DataHubConnection_Fragment = { urn: string, type: EntityType };

type Named_Container_Fragment = { urn: string, type: EntityType, container: { name: string } | null };

type Named_DataContract_Fragment = { urn: string, type: EntityType };

type Named_Restricted_Fragment = { urn: string, type: EntityType };

type Named_Dashboard_Fragment = { urn: string, type: EntityType, dashboard: { name: string } | null };

type Named_DataProduct_Fragment = { urn: string, type: EntityType, product: { name: string } | null };

type Named_Dataset_Fragment = { name: string, urn: string, type: EntityType };

type Named_Document_Fragment = { urn: string, type: EntityType };

type Named_Domain_Fragment = { urn: string, type: EntityType, domain: { name: string } | null };

type Named_ErModelRelationship_Fragment = { urn: string, type: EntityType };

type Named_DataHubFile_Fragment = { urn: string, type: EntityType };

type Named_Form_Fragment = { urn: string, type: EntityType };

type Named_GlossaryNode_Fragment = { urn: string, type: EntityType, node: { name: string } | null };

type Named_GlossaryTerm_Fragment = { urn: string, type: EntityType, term: { name: string } | null };

type Named_DataHubPageModule_Fragment = { urn: string, type: EntityType };

type Named_DataHubPageTemplate_Fragment = { urn: string, type: EntityType };

type Named_Incident_Fragment = { urn: string, type: EntityType };

type Named_ExecutionRequest_Fragment = { urn: string, type: EntityType };

type Named_DataFlow_Fragment = { urn: string, type: EntityType, flow: { name: string } | null };

type Named_DataJob_Fragment = { urn: string, type: EntityType, job: { name: string } | null };

type Named_DataProcessInstance_Fragment = { urn: string, type: EntityType };

type Named_Test_Fragment = { name: string, urn: string, type: EntityType };

type Named_MlFeature_Fragment = { urn: string, type: EntityType };

type Named_MlFeatureTable_Fragment = { urn: string, type: EntityType };

type Named_MlModel_Fragment = { urn: string, type: EntityType };

type Named_MlModelGroup_Fragment = { urn: string, type: EntityType };

type Named_MlPrimaryKey_Fragment = { urn: string, type: EntityType };

type Named_Notebook_Fragment = { urn: string, type: EntityType };

type Named_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType, ownership: { name: string } | null };

type Named_DataPlatform_Fragment = { urn: string, type: EntityType };

type Named_DataPlatformInstance_Fragment = { urn: string, type: EntityType };

type Named_DataHubPolicy_Fragment = { name: string, urn: string, type: EntityType };

type Named_DataHubRole_Fragment = { name: string, urn: string, type: EntityType };

type Named_Post_Fragment = { urn: string, type: EntityType };

type Named_QueryEntity_Fragment = { urn: string, type: EntityType };

type Named_SchemaFieldEntity_Fragment = { urn: string, type: EntityType };

type Named_Metric_Fragment = { urn: string, type: EntityType };

type Named_SemanticModel_Fragment = { urn: string, type: EntityType };

type Named_DataTypeEntity_Fragment = { urn: string, type: EntityType };

type Named_EntityTypeEntity_Fragment = { urn: string, type: EntityType };

type Named_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType };

type Named_Tag_Fragment = { urn: string, type: EntityType, tag: { name: string } | null };

type Named_VersionedDataset_Fragment = { urn: string, type: EntityType };

type Named_AccessTokenMetadata_Fragment = { urn: string, type: EntityType };

type Named_ServiceAccount_Fragment = { urn: string, type: EntityType };

type Named_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null };

type Named_CorpUser_Fragment = { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null };

type Named_VersionSet_Fragment = { urn: string, type: EntityType };

type Named_DataHubView_Fragment = { urn: string, type: EntityType };

export type NamedFragment =
  | Named_Role_Fragment
  | Named_Application_Fragment
  | Named_Assertion_Fragment
  | Named_BusinessAttribute_Fragment
  | Named_Chart_Fragment
  | Named_DataHubConnection_Fragment
  | Named_Container_Fragment
  | Named_DataContract_Fragment
  | Named_Restricted_Fragment
  | Named_Dashboard_Fragment
  | Named_DataProduct_Fragment
  | Named_Dataset_Fragment
  | Named_Document_Fragment
  | Named_Domain_Fragment
  | Named_ErModelRelationship_Fragment
  | Named_DataHubFile_Fragment
  | Named_Form_Fragment
  | Named_GlossaryNode_Fragment
  | Named_GlossaryTerm_Fragment
  | Named_DataHubPageModule_Fragment
  | Named_DataHubPageTemplate_Fragment
  | Named_Incident_Fragment
  | Named_ExecutionRequest_Fragment
  | Named_DataFlow_Fragment
  | Named_DataJob_Fragment
  | Named_DataProcessInstance_Fragment
  | Named_Test_Fragment
  | Named_MlFeature_Fragment
  | Named_MlFeatureTable_Fragment
  | Named_MlModel_Fragment
  | Named_MlModelGroup_Fragment
  | Named_MlPrimaryKey_Fragment
  | Named_Notebook_Fragment
  | Named_OwnershipTypeEntity_Fragment
  | Named_DataPlatform_Fragment
  | Named_DataPlatformInstance_Fragment
  | Named_DataHubPolicy_Fragment
  | Named_DataHubRole_Fragment
  | Named_Post_Fragment
  | Named_QueryEntity_Fragment
  | Named_SchemaFieldEntity_Fragment
  | Named_Metric_Fragment
  | Named_SemanticModel_Fragment
  | Named_DataTypeEntity_Fragment
  | Named_EntityTypeEntity_Fragment
  | Named_StructuredPropertyEntity_Fragment
  | Named_Tag_Fragment
  | Named_VersionedDataset_Fragment
  | Named_AccessTokenMetadata_Fragment
  | Named_ServiceAccount_Fragment
  | Named_CorpGroup_Fragment
  | Named_CorpUser_Fragment
  | Named_VersionSet_Fragment
  | Named_DataHubView_Fragment
;

export type NamesOfQueryVariables = Exact<{
  urns: Array<string> | string;
}>;

export type NamesOfQuery = { entities: Array<
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, chart: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, container: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, dashboard: { name: string } | null }
    | { urn: string, type: EntityType, product: { name: string } | null }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, domain: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, node: { name: string } | null }
    | { urn: string, type: EntityType, term: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, flow: { name: string } | null }
    | { urn: string, type: EntityType, job: { name: string } | null }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, ownership: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, tag: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
    | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
   | null> | null };

export type EntitiesToPickQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type EntitiesToPickQuery = { searchAcrossEntities: { searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
       }> } | null };

export type EntitiesByTextQueryVariables = Exact<{
  input: AutoCompleteMultipleInput;
}>;

export type EntitiesByTextQuery = { autoCompleteForMultiple: { suggestions: Array<{ entities: Array<
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
      > }> } | null };

export const NamesOf = "query NamesOf($urns:[String!]!){entities(urns:$urns checkForExistence:true){...Named}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<NamesOfQuery, NamesOfQueryVariables>;

export const EntitiesToPick = "query EntitiesToPick($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){searchResults{entity{...Named}}}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<EntitiesToPickQuery, EntitiesToPickQueryVariables>;

export const EntitiesByText = "query EntitiesByText($input:AutoCompleteMultipleInput!){autoCompleteForMultiple(input:$input){suggestions{entities{...Named}}}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<EntitiesByTextQuery, EntitiesByTextQueryVariables>;
