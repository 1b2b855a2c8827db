// Written by scripts/codegen.mjs from create.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AccessTokenDuration, AccessTokenScopeInput, AccessTokenType, CreateAccessTokenInput, PolicyMatchCondition, PolicyMatchCriterionInput } from "../../lib/schema";

export type { AccessTokenDuration, AccessTokenScopeInput, AccessTokenType, CreateAccessTokenInput, PolicyMatchCondition, PolicyMatchCriterionInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreateTokenMutationVariables = Exact<{
  input: CreateAccessTokenInput;
}>;

export type CreateTokenMutation = { createAccessToken: { accessToken: string | null, metadata: { id: string | null, name: string | null, expiresAt: number | null } | null } | null };

export type KnownPrivilegesQueryVariables = Exact<{ [key: string]: never; }>;

export type KnownPrivilegesQuery = { appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string | null, displayName: string | null } | null> | null, resourcePrivileges: Array<{ privileges: Array<{ type: string | null, displayName: string | null } | null> | null } | null> | null } | null } | null };

export type TokenLifetimesQueryVariables = Exact<{ [key: string]: never; }>;

export type TokenLifetimesQuery = { appConfig: { authConfig: { allowNoExpiry: boolean | null, allowedAccessTokenDurations: Array<string | null> | null } | null } | null };

export const CreateToken = "mutation CreateToken($input:CreateAccessTokenInput!){createAccessToken(input:$input){accessToken metadata{id name expiresAt}}}" as unknown as Operation<CreateTokenMutation, CreateTokenMutationVariables>;

export const KnownPrivileges = "query KnownPrivileges{appConfig{policiesConfig{platformPrivileges{type displayName}resourcePrivileges{privileges{type displayName}}}}}" as unknown as Operation<KnownPrivilegesQuery, KnownPrivilegesQueryVariables>;

export const TokenLifetimes = "query TokenLifetimes{appConfig{authConfig{allowNoExpiry allowedAccessTokenDurations}}}" as unknown as Operation<TokenLifetimesQuery, TokenLifetimesQueryVariables>;
