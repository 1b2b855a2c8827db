// Written by scripts/codegen.mjs from entities.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type NamedFragment = { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null };

export type NamesOfQueryVariables = Exact<{
  urns: Array<string> | string;
}>;

export type NamesOfQuery = { entities: Array<{ urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null> | null };

export type EntitiesToPickQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type EntitiesToPickQuery = { searchAcrossEntities: { searchResults: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null } | null> | null } | null };

export type EntitiesByTextQueryVariables = Exact<{
  input: AutoCompleteMultipleInput;
}>;

export type EntitiesByTextQuery = { autoCompleteForMultiple: { suggestions: Array<{ entities: Array<{ urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null, info?: { name: string | null } | null, definition?: { displayName: string | null } | null } | null> | null } | null> | null } | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export const NamesOf = "query NamesOf($urns:[String!]!){entities(urns:$urns checkForExistence:true){...Named}}fragment Named on Entity{urn type ...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on Domain{properties{name}}...on Container{properties{name}}...on Tag{properties{name}}...on GlossaryTerm{properties{name}}...on GlossaryNode{properties{name}}...on Dashboard{properties{name}}...on Chart{properties{name}}...on DataFlow{properties{name}}...on DataJob{properties{name}}...on DataProduct{properties{name}}...on Application{properties{name}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}...on OwnershipTypeEntity{info{name}}...on DataPlatform{properties{displayName}}...on StructuredPropertyEntity{definition{displayName}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<NamesOfQuery, NamesOfQueryVariables>;

export const EntitiesToPick = "query EntitiesToPick($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){searchResults{entity{...Named}}}}fragment Named on Entity{urn type ...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on Domain{properties{name}}...on Container{properties{name}}...on Tag{properties{name}}...on GlossaryTerm{properties{name}}...on GlossaryNode{properties{name}}...on Dashboard{properties{name}}...on Chart{properties{name}}...on DataFlow{properties{name}}...on DataJob{properties{name}}...on DataProduct{properties{name}}...on Application{properties{name}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}...on OwnershipTypeEntity{info{name}}...on DataPlatform{properties{displayName}}...on StructuredPropertyEntity{definition{displayName}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<EntitiesToPickQuery, EntitiesToPickQueryVariables>;

export const EntitiesByText = "query EntitiesByText($input:AutoCompleteMultipleInput!){autoCompleteForMultiple(input:$input){suggestions{entities{...Named}}}}fragment Named on Entity{urn type ...on DataHubRole{name}...on DataHubPolicy{name}...on Dataset{name}...on Test{name}...on Domain{properties{name}}...on Container{properties{name}}...on Tag{properties{name}}...on GlossaryTerm{properties{name}}...on GlossaryNode{properties{name}}...on Dashboard{properties{name}}...on Chart{properties{name}}...on DataFlow{properties{name}}...on DataJob{properties{name}}...on DataProduct{properties{name}}...on Application{properties{name}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}...on OwnershipTypeEntity{info{name}}...on DataPlatform{properties{displayName}}...on StructuredPropertyEntity{definition{displayName}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<EntitiesByTextQuery, EntitiesByTextQueryVariables>;
