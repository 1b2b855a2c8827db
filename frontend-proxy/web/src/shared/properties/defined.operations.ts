// Written by scripts/codegen.mjs from defined.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type DefinedPropertiesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type DefinedPropertiesQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn: string | null, definition?: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null, urn: string | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null, entityTypes: Array<{ urn: string | null } | null> | null } | null, settings?: { isHidden: boolean | null, showInSearchFilters: boolean | null, showInAssetSummary: boolean | null, showAsAssetBadge: boolean | null, showInColumnsTable: boolean | null } | null } | null } | null> | null } | null };

export type PropertyDefinedFragment = { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null };

export const DefinedProperties = "query DefinedProperties($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{urn ...on StructuredPropertyEntity{...PropertyDefined definition{entityTypes{urn}typeQualifier{allowedTypes{urn}}}settings{isHidden showInSearchFilters showInAssetSummary showAsAssetBadge showInColumnsTable}}}}}}fragment PropertyDefined on StructuredPropertyEntity{urn definition{displayName qualifiedName description cardinality immutable valueType{urn}typeQualifier{allowedTypes{info{type}}}allowedPlatforms{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}}" as unknown as Operation<DefinedPropertiesQuery, DefinedPropertiesQueryVariables>;
