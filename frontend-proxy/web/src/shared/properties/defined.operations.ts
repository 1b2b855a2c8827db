// Written by scripts/codegen.mjs from defined.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type DefinedPropertiesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type DefinedPropertiesQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, definition: { displayName: string | null, qualifiedName: string, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean, entityTypes: Array<{ urn: string }>, typeQualifier: { allowedTypes: Array<{ urn: string, info: { type: EntityType } }> | null } | null, valueType: { urn: string }, allowedPlatforms: Array<{ urn: string }> | null, allowedValues: Array<{ description: string | null, value:
                | { stringValue: string }
                | { numberValue: number }
               }> | null }, settings: { isHidden: boolean, showInSearchFilters: boolean, showInAssetSummary: boolean, showAsAssetBadge: boolean, showInColumnsTable: boolean } | null }
       }> } | null };

export type PropertyDefinedFragment = { urn: string, definition: { displayName: string | null, qualifiedName: string, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean, valueType: { urn: string }, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType } }> | null } | null, allowedPlatforms: Array<{ urn: string }> | null, allowedValues: Array<{ description: string | null, value:
        | { stringValue: string }
        | { numberValue: number }
       }> | null } };

export const DefinedProperties = "query DefinedProperties($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{urn ...on StructuredPropertyEntity{...PropertyDefined definition{entityTypes{urn}typeQualifier{allowedTypes{urn}}}settings{isHidden showInSearchFilters showInAssetSummary showAsAssetBadge showInColumnsTable}}}}}}fragment PropertyDefined on StructuredPropertyEntity{urn definition{displayName qualifiedName description cardinality immutable valueType{urn}typeQualifier{allowedTypes{info{type}}}allowedPlatforms{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}}" as unknown as Operation<DefinedPropertiesQuery, DefinedPropertiesQueryVariables>;
