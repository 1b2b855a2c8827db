// Written by scripts/codegen.mjs from tokens.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { FacetFilterInput, FilterOperator, ListAccessTokenInput } from "../../lib/schema";

export type { FacetFilterInput, FilterOperator, ListAccessTokenInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type TokensQueryVariables = Exact<{
  input: ListAccessTokenInput;
}>;

export type TokensQuery = { listAccessTokens: { total: number | null, tokens: Array<{ urn: string | null, id: string | null, name: string | null, description: string | null, actorUrn: string | null, ownerUrn: string | null, createdAt: number | null, expiresAt: number | null, lastUsedAt: number | null, scope: { readOnly: boolean | null, privileges: Array<string | null> | null } | null } | null> | null } | null };

export type RevokeTokenMutationVariables = Exact<{
  id: string;
}>;

export type RevokeTokenMutation = { revokeAccessToken: boolean | null };

export const Tokens = "query Tokens($input:ListAccessTokenInput!){listAccessTokens(input:$input){total tokens{urn id name description actorUrn ownerUrn createdAt expiresAt lastUsedAt scope{readOnly privileges}}}}" as unknown as Operation<TokensQuery, TokensQueryVariables>;

export const RevokeToken = "mutation RevokeToken($id:String!){revokeAccessToken(tokenId:$id)}" as unknown as Operation<RevokeTokenMutation, RevokeTokenMutationVariables>;
