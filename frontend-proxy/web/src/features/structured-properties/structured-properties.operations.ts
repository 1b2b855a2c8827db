// Written by scripts/codegen.mjs from structured-properties.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AllowedValueInput, AndFilterInput, CreateStructuredPropertyInput, DeleteStructuredPropertyInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, StructuredPropertySettingsInput, TypeQualifierInput, UpdateStructuredPropertyInput, UpdateTypeQualifierInput } from "../../lib/schema";

export type { AllowedValueInput, AndFilterInput, CreateStructuredPropertyInput, DeleteStructuredPropertyInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, StructuredPropertySettingsInput, TypeQualifierInput, UpdateStructuredPropertyInput, UpdateTypeQualifierInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type DefinedPropertiesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type DefinedPropertiesQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, definition: { displayName: string | null, qualifiedName: string, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean, valueType: { urn: string }, entityTypes: Array<{ urn: string }>, allowedValues: Array<{ description: string | null, value:
                | { stringValue: string }
                | { numberValue: number }
               }> | null }, settings: { isHidden: boolean, showInSearchFilters: boolean, showInAssetSummary: boolean, showAsAssetBadge: boolean, showInColumnsTable: boolean } | null }
       }> } | null };

export type PropertyUsesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type PropertyUsesQuery = { searchAcrossEntities: { total: number } | null };

export type CreatePropertyMutationVariables = Exact<{
  input: CreateStructuredPropertyInput;
}>;

export type CreatePropertyMutation = { createStructuredProperty: { urn: string } };

export type UpdatePropertyMutationVariables = Exact<{
  input: UpdateStructuredPropertyInput;
}>;

export type UpdatePropertyMutation = { updateStructuredProperty: { urn: string } };

export type DeletePropertyMutationVariables = Exact<{
  input: DeleteStructuredPropertyInput;
}>;

export type DeletePropertyMutation = { deleteStructuredProperty: boolean };

export const DefinedProperties = "query DefinedProperties($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{urn ...on StructuredPropertyEntity{definition{displayName qualifiedName description cardinality immutable valueType{urn}entityTypes{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}settings{isHidden showInSearchFilters showInAssetSummary showAsAssetBadge showInColumnsTable}}}}}}" as unknown as Operation<DefinedPropertiesQuery, DefinedPropertiesQueryVariables>;

export const PropertyUses = "query PropertyUses($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total}}" as unknown as Operation<PropertyUsesQuery, PropertyUsesQueryVariables>;

export const CreateProperty = "mutation CreateProperty($input:CreateStructuredPropertyInput!){createStructuredProperty(input:$input){urn}}" as unknown as Operation<CreatePropertyMutation, CreatePropertyMutationVariables>;

export const UpdateProperty = "mutation UpdateProperty($input:UpdateStructuredPropertyInput!){updateStructuredProperty(input:$input){urn}}" as unknown as Operation<UpdatePropertyMutation, UpdatePropertyMutationVariables>;

export const DeleteProperty = "mutation DeleteProperty($input:DeleteStructuredPropertyInput!){deleteStructuredProperty(input:$input)}" as unknown as Operation<DeletePropertyMutation, DeletePropertyMutationVariables>;
