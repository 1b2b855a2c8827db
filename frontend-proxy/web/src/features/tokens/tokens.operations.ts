// Written by scripts/codegen.mjs from tokens.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** How a filter compares a field with its values. */
export type FilterOperator =
  /** The field contains a value as a substring, ignoring case. */
  | 'CONTAIN'
  /** The field is exactly one of the values; used when no condition is given. */
  | 'EQUAL'
  /** The field is one of the values, ignoring case. */
  | 'IEQUAL'
  /** The field is exactly one of the values; same as EQUAL. */
  | 'IN'
  /** The field has any value; the given values are ignored. */
  | 'EXISTS'
  /** The number or date is strictly above the value. */
  | 'GREATER_THAN'
  /** The number or date is at or above the value. */
  | 'GREATER_THAN_OR_EQUAL_TO'
  /** The number or date is strictly below the value. */
  | 'LESS_THAN'
  /** The number or date is at or below the value. */
  | 'LESS_THAN_OR_EQUAL_TO'
  /** The field begins with a value, ignoring case. */
  | 'START_WITH'
  /** The field finishes with a value, ignoring case. */
  | 'END_WITH'
  /** The field is a given URN or lies below it in its hierarchy. */
  | 'DESCENDANTS_INCL'
  /** The field is a given URN or lies above it in its hierarchy. */
  | 'ANCESTORS_INCL'
  /** The field is a given URN or lies above or below it. */
  | 'RELATED_INCL';

/** Ways a policy criterion compares a resource field with its values. */
export type PolicyMatchCondition =
  /** The field equals one of the values. */
  | 'EQUALS'
  /** The field begins with one of the values. */
  | 'STARTS_WITH'
  /** The field equals none of the values. */
  | 'NOT_EQUALS';

/** One condition a resource must meet, as supplied by the caller. */
export type PolicyMatchCriterionInput = {
  /** Resource attribute to compare; must be a known one such as TYPE or DOMAIN. */
  field: string;
  /** Values to compare with, as URNs or type names. */
  values: Array<string>;
  /** How to compare the attribute with the values. */
  condition: PolicyMatchCondition;
};

/** A filter on one search field. */
export type FacetFilterInput = {
  /** Search field of the model to filter on, not a GraphQL field name. */
  field: string;
  /** Values of which any may match; when empty, conditions needing values match nothing. */
  values?: Array<string> | null | undefined;
  /** True keeps entities that do not match; false by default. */
  negated?: boolean | null | undefined;
  /** How values are compared; EQUAL by default. */
  condition?: FilterOperator | null | undefined;
};

/** How long an access token stays valid. */
export type AccessTokenDuration =
  /** Valid for one hour. */
  | 'ONE_HOUR'
  /** Valid for one day. */
  | 'ONE_DAY'
  /** Valid for 7 days. */
  | 'ONE_WEEK'
  /** Valid for 30 days. */
  | 'ONE_MONTH'
  /** Valid for 90 days. */
  | 'THREE_MONTHS'
  /** Valid for 180 days. */
  | 'SIX_MONTHS'
  /** Valid for 365 days. */
  | 'ONE_YEAR'
  /** Valid until it is revoked. */
  | 'NO_EXPIRY';

/** Kind of actor an access token stands for. */
export type AccessTokenType =
  /** Token that acts as a person. */
  | 'PERSONAL'
  /** Token that acts as a service account. */
  | 'SERVICE_ACCOUNT';

/** Details of an access token to be issued. */
export type CreateAccessTokenInput = {
  /** Whether the token is for a person or a service account. */
  type: AccessTokenType;
  /** URN of the user the token will act as. */
  actorUrn: string;
  /** How long the token stays valid. */
  duration: AccessTokenDuration;
  /** Display name of the token; need not be unique. */
  name: string;
  /** What the token is for. */
  description?: string | null | undefined;
  /** What narrows the token; absent leaves it all rights of its user. An extension of this server. */
  scope?: AccessTokenScopeInput | null | undefined;
};

/** What narrows the rights of an access token. An extension of this server. */
export type AccessTokenScopeInput = {
  /** Whether the token reads and never writes; false by default. */
  readOnly?: boolean | null | undefined;
  /** Ids of the only privileges the token is to have; absent or empty does not narrow. */
  privileges?: Array<string> | null | undefined;
  /** Criteria that resources must all meet; absent or empty does not narrow. */
  resources?: Array<PolicyMatchCriterionInput> | null | undefined;
};

/** Page and filters for listing access tokens. */
export type ListAccessTokenInput = {
  /** Number of tokens to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 20 by default. */
  count?: number | null | undefined;
  /** Conditions on owner, actor, name or expiry; others' tokens need privilege. */
  filters?: Array<FacetFilterInput> | null | undefined;
};

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

export const Tokens = "query Tokens($input:ListAccessTokenInput!){listAccessTokens(input:$input){total tokens{urn id name description actorUrn ownerUrn createdAt expiresAt lastUsedAt scope{readOnly privileges}}}}" as unknown as Operation<TokensQuery, TokensQueryVariables>;

export const CreateToken = "mutation CreateToken($input:CreateAccessTokenInput!){createAccessToken(input:$input){accessToken metadata{id name expiresAt}}}" as unknown as Operation<CreateTokenMutation, CreateTokenMutationVariables>;

export const RevokeToken = "mutation RevokeToken($id:String!){revokeAccessToken(tokenId:$id)}" as unknown as Operation<RevokeTokenMutation, RevokeTokenMutationVariables>;

export const KnownPrivileges = "query KnownPrivileges{appConfig{policiesConfig{platformPrivileges{type displayName}resourcePrivileges{privileges{type displayName}}}}}" as unknown as Operation<KnownPrivilegesQuery, KnownPrivilegesQueryVariables>;
