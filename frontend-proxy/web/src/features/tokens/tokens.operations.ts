// Written by scripts/codegen.mjs from tokens.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AccessTokenDuration, AccessTokenScopeInput, AccessTokenType, CreateAccessTokenInput, FacetFilterInput, FilterOperator, ListAccessTokenInput, PolicyMatchCondition, PolicyMatchCriterionInput } from "../../lib/schema";

export type { AccessTokenDuration, AccessTokenScopeInput, AccessTokenType, CreateAccessTokenInput, FacetFilterInput, FilterOperator, ListAccessTokenInput, PolicyMatchCondition, PolicyMatchCriterionInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type TokensQueryVariables = Exact<{
  input: ListAccessTokenInput;
}>;

export type TokensQuery = { listAccessTokens: { total: number, tokens: Array<{ urn: string, id: string, name: string, description: string | null, actorUrn: string, ownerUrn: string, createdAt: number, expiresAt: number | null, lastUsedAt: number | null, scope: { readOnly: boolean, privileges: Array<string> } | null }> } };

export type CreateTokenMutationVariables = Exact<{
  input: CreateAccessTokenInput;
}>;

export type CreateTokenMutation = { createAccessToken: { accessToken: string, metadata: { id: string, name: string, expiresAt: number | null } | null } | null };

export type RevokeTokenMutationVariables = Exact<{
  id: string;
}>;

export type RevokeTokenMutation = { revokeAccessToken: boolean };

export type KnownPrivilegesQueryVariables = Exact<{ [key: string]: never; }>;

export type KnownPrivilegesQuery = { appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string, displayName: string | null }>, resourcePrivileges: Array<{ privileges: Array<{ type: string, displayName: string | null }> }> } } | null };

export type TokenLifetimesQueryVariables = Exact<{ [key: string]: never; }>;

export type TokenLifetimesQuery = { appConfig: { authConfig: { allowNoExpiry: boolean, allowedAccessTokenDurations: Array<string> } } | null };

export const Tokens = "query Tokens($input:ListAccessTokenInput!){listAccessTokens(input:$input){total tokens{urn id name description actorUrn ownerUrn createdAt expiresAt lastUsedAt scope{readOnly privileges}}}}" as unknown as Operation<TokensQuery, TokensQueryVariables>;

export const CreateToken = "mutation CreateToken($input:CreateAccessTokenInput!){createAccessToken(input:$input){accessToken metadata{id name expiresAt}}}" as unknown as Operation<CreateTokenMutation, CreateTokenMutationVariables>;

export const RevokeToken = "mutation RevokeToken($id:String!){revokeAccessToken(tokenId:$id)}" as unknown as Operation<RevokeTokenMutation, RevokeTokenMutationVariables>;

export const KnownPrivileges = "query KnownPrivileges{appConfig{policiesConfig{platformPrivileges{type displayName}resourcePrivileges{privileges{type displayName}}}}}" as unknown as Operation<KnownPrivilegesQuery, KnownPrivilegesQueryVariables>;

export const TokenLifetimes = "query TokenLifetimes{appConfig{authConfig{allowNoExpiry allowedAccessTokenDurations}}}" as unknown as Operation<TokenLifetimesQuery, TokenLifetimesQueryVariables>;
