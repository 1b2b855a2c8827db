// Written by scripts/codegen.mjs from queries.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, CreateQueryInput, CreateQueryPropertiesInput, CreateQuerySubjectInput, FacetFilterInput, FilterOperator, ListQueriesInput, QueryLanguage, QuerySource, QueryStatementInput, SortCriterion, SortOrder, SortQueriesInput, UpdateQueryInput, UpdateQueryPropertiesInput, UpdateQuerySubjectInput } from "../../lib/schema";

export type { AndFilterInput, CreateQueryInput, CreateQueryPropertiesInput, CreateQuerySubjectInput, FacetFilterInput, FilterOperator, ListQueriesInput, QueryLanguage, QuerySource, QueryStatementInput, SortCriterion, SortOrder, SortQueriesInput, UpdateQueryInput, UpdateQueryPropertiesInput, UpdateQuerySubjectInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type QueriesOfQueryVariables = Exact<{
  input: ListQueriesInput;
  urn?: string;
  readers?: boolean;
}>;

export type QueriesOfQuery = { dataset?: { usageStats: { aggregations: { users: Array<{ user: { urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null } | null> | null } | null } | null } | null, listQueries: { total: number | null, queries: Array<{ urn: string | null, properties: { name: string | null, description: string | null, source: QuerySource | null, statement: { value: string | null } | null, createdOn: { actor: { urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null } | null, lastModified: { time: number | null } | null } | null, subjects: Array<{ dataset: { urn: string | null, name: string | null } | null } | null> | null } | null> | null } | null };

export type CreateQueryMutationVariables = Exact<{
  input: CreateQueryInput;
}>;

export type CreateQueryMutation = { createQuery: { urn: string | null } | null };

export type UpdateQueryMutationVariables = Exact<{
  urn: string;
  input: UpdateQueryInput;
}>;

export type UpdateQueryMutation = { updateQuery: { urn: string | null } | null };

export type DeleteQueryMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteQueryMutation = { deleteQuery: boolean | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export const QueriesOf = "query QueriesOf($input:ListQueriesInput!$urn:String!=\"\"$readers:Boolean!=false){dataset(urn:$urn)@include(if:$readers){usageStats(range:MONTH){aggregations{users{user{urn ...PersonName}}}}}listQueries(input:$input){total queries{urn properties{name description source statement{value}createdOn{actor{urn ...PersonName}}lastModified{time}}subjects{dataset{urn name}}}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}" as unknown as Operation<QueriesOfQuery, QueriesOfQueryVariables>;

export const CreateQuery = "mutation CreateQuery($input:CreateQueryInput!){createQuery(input:$input){urn}}" as unknown as Operation<CreateQueryMutation, CreateQueryMutationVariables>;

export const UpdateQuery = "mutation UpdateQuery($urn:String!$input:UpdateQueryInput!){updateQuery(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateQueryMutation, UpdateQueryMutationVariables>;

export const DeleteQuery = "mutation DeleteQuery($urn:String!){deleteQuery(urn:$urn)}" as unknown as Operation<DeleteQueryMutation, DeleteQueryMutationVariables>;
