// Written by scripts/codegen.mjs from policies.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GetGrantedPrivilegesInput, ListPoliciesInput, PolicyMatchCondition, PolicyState, PolicyType, ResourceSpec } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GetGrantedPrivilegesInput, ListPoliciesInput, PolicyMatchCondition, PolicyState, PolicyType, ResourceSpec };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type PoliciesQueryVariables = Exact<{
  input: ListPoliciesInput;
}>;

export type PoliciesQuery = { appConfig: { policiesConfig: { enabled: boolean | null, platformPrivileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null, resourcePrivileges: Array<{ resourceType: string | null, resourceTypeDisplayName: string | null, privileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null } | null> | null } | null } | null, listRoles: { roles: Array<{ urn: string | null, name: string | null } | null> | null } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string | null, info: { name: string | null } | null } | null> | null } | null, listPolicies: { total: number | null, policies: Array<{ urn: string | null, name: string | null, type: PolicyType | null, state: PolicyState | null, description: string | null, editable: boolean | null, privileges: Array<string | null> | null, actors: { users: Array<string | null> | null, groups: Array<string | null> | null, roles: Array<string | null> | null, resourceOwners: boolean | null, resourceOwnersTypes: Array<string | null> | null, allUsers: boolean | null, allGroups: boolean | null } | null, resources: { type: string | null, resources: Array<string | null> | null, allResources: boolean | null, filter: { criteria: Array<{ field: string | null, condition: PolicyMatchCondition | null, values: Array<{ value: string | null } | null> | null } | null> | null } | null } | null } | null> | null } | null };

export type ChoosableFragment = { appConfig: { policiesConfig: { enabled: boolean | null, platformPrivileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null, resourcePrivileges: Array<{ resourceType: string | null, resourceTypeDisplayName: string | null, privileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null } | null> | null } | null } | null, listRoles: { roles: Array<{ urn: string | null, name: string | null } | null> | null } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string | null, info: { name: string | null } | null } | null> | null } | null };

export type PolicyChoicesQueryVariables = Exact<{ [key: string]: never; }>;

export type PolicyChoicesQuery = { appConfig: { policiesConfig: { enabled: boolean | null, platformPrivileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null, resourcePrivileges: Array<{ resourceType: string | null, resourceTypeDisplayName: string | null, privileges: Array<{ type: string | null, displayName: string | null, description: string | null } | null> | null } | null> | null } | null } | null, listRoles: { roles: Array<{ urn: string | null, name: string | null } | null> | null } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string | null, info: { name: string | null } | null } | null> | null } | null };

export type DeletePolicyMutationVariables = Exact<{
  urn: string;
}>;

export type DeletePolicyMutation = { deletePolicy: string | null };

export type GrantedQueryVariables = Exact<{
  input: GetGrantedPrivilegesInput;
}>;

export type GrantedQuery = { getGrantedPrivileges: { privileges: Array<string | null> | null } | null };

export const Policies = "query Policies($input:ListPoliciesInput!){...Choosable listPolicies(input:$input){total policies{urn name type state description editable privileges actors{users groups roles resourceOwners resourceOwnersTypes allUsers allGroups}resources{type resources allResources filter{criteria{field condition values{value}}}}}}}fragment Choosable on Query{appConfig{policiesConfig{enabled platformPrivileges{type displayName description}resourcePrivileges{resourceType resourceTypeDisplayName privileges{type displayName description}}}}listRoles(input:{start:0 count:500}){roles{urn name}}listOwnershipTypes(input:{start:0 count:500}){ownershipTypes{urn info{name}}}}" as unknown as Operation<PoliciesQuery, PoliciesQueryVariables>;

export const PolicyChoices = "query PolicyChoices{...Choosable}fragment Choosable on Query{appConfig{policiesConfig{enabled platformPrivileges{type displayName description}resourcePrivileges{resourceType resourceTypeDisplayName privileges{type displayName description}}}}listRoles(input:{start:0 count:500}){roles{urn name}}listOwnershipTypes(input:{start:0 count:500}){ownershipTypes{urn info{name}}}}" as unknown as Operation<PolicyChoicesQuery, PolicyChoicesQueryVariables>;

export const DeletePolicy = "mutation DeletePolicy($urn:String!){deletePolicy(urn:$urn)}" as unknown as Operation<DeletePolicyMutation, DeletePolicyMutationVariables>;

export const Granted = "query Granted($input:GetGrantedPrivilegesInput!){getGrantedPrivileges(input:$input){privileges}}" as unknown as Operation<GrantedQuery, GrantedQueryVariables>;
