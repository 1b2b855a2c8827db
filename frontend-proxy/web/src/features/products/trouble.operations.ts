// Written by scripts/codegen.mjs from trouble.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AggregateAcrossEntitiesInput, AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AggregateAcrossEntitiesInput, AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type TroubleQueryVariables = Exact<{
  incidents: AggregateAcrossEntitiesInput;
  failing: SearchAcrossEntitiesInput;
}>;

export type TroubleQuery = { incidents: { facets: Array<{ field: string | null, aggregations: Array<{ value: string | null, count: number | null } | null> | null } | null> | null } | null, failing: { total: number | null, searchResults: Array<{ entity: { urn: string | null, dataset?: { urn: string | null, products: { relationships: Array<{ entity: { urn: string | null } | null } | null> | null } | null, applications: Array<{ application: { urn: string | null } | null } | null> | null } | null } | null } | null> | null } | null };

export const Trouble = "query Trouble($incidents:AggregateAcrossEntitiesInput!$failing:SearchAcrossEntitiesInput!){incidents:aggregateAcrossEntities(input:$incidents){facets{field aggregations{value count}}}failing:searchAcrossEntities(input:$failing){total searchResults{entity{urn ...on Assertion{dataset{urn products:relationships(input:{types:[\"DataProductContains\"]direction:INCOMING start:0 count:20 includeSoftDelete:false}){relationships{entity{urn}}}applications{application{urn}}}}}}}}" as unknown as Operation<TroubleQuery, TroubleQueryVariables>;
