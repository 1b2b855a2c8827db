// Written by scripts/codegen.mjs from properties.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type PropertiesForQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type PropertiesForQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn: string | null, definition?: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null, settings?: { isHidden: boolean | null } | null } | null } | null> | null } | null };

export type PropertyDefinedFragment = { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null };

export const PropertiesFor = "query PropertiesFor($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{urn ...on StructuredPropertyEntity{...PropertyDefined settings{isHidden}}}}}}fragment PropertyDefined on StructuredPropertyEntity{urn definition{displayName qualifiedName description cardinality immutable valueType{urn}typeQualifier{allowedTypes{info{type}}}allowedPlatforms{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}}" as unknown as Operation<PropertiesForQuery, PropertiesForQueryVariables>;
