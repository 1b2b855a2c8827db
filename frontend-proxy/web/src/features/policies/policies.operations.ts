// Written by scripts/codegen.mjs from policies.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GetGrantedPrivilegesInput, ListPoliciesInput, PolicyMatchCondition, PolicyState, PolicyType, ResourceSpec } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GetGrantedPrivilegesInput, ListPoliciesInput, PolicyMatchCondition, PolicyState, PolicyType, ResourceSpec };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type PoliciesQueryVariables = Exact<{
  input: ListPoliciesInput;
}>;

export type PoliciesQuery = { listPolicies: { total: number, policies: Array<{ urn: string, name: string, type: PolicyType, state: PolicyState, description: string | null, editable: boolean, privileges: Array<string>, actors: { users: Array<string> | null, groups: Array<string> | null, roles: Array<string> | null, resourceOwners: boolean, resourceOwnersTypes: Array<string> | null, allUsers: boolean, allGroups: boolean }, resources: { type: string | null, resources: Array<string> | null, allResources: boolean | null, filter: { criteria: Array<{ field: string, condition: PolicyMatchCondition, values: Array<{ value: string }> }> | null } | null } | null }> } | null, appConfig: { policiesConfig: { enabled: boolean, platformPrivileges: Array<{ type: string, displayName: string | null, description: string | null }>, resourcePrivileges: Array<{ resourceType: string, resourceTypeDisplayName: string | null, privileges: Array<{ type: string, displayName: string | null, description: string | null }> }> } } | null, listRoles: { roles: Array<{ urn: string, name: string }> } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string, info: { name: string } | null }> } };

export type ChoosableFragment = { appConfig: { policiesConfig: { enabled: boolean, platformPrivileges: Array<{ type: string, displayName: string | null, description: string | null }>, resourcePrivileges: Array<{ resourceType: string, resourceTypeDisplayName: string | null, privileges: Array<{ type: string, displayName: string | null, description: string | null }> }> } } | null, listRoles: { roles: Array<{ urn: string, name: string }> } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string, info: { name: string } | null }> } };

export type PolicyChoicesQueryVariables = Exact<{ [key: string]: never; }>;

export type PolicyChoicesQuery = { appConfig: { policiesConfig: { enabled: boolean, platformPrivileges: Array<{ type: string, displayName: string | null, description: string | null }>, resourcePrivileges: Array<{ resourceType: string, resourceTypeDisplayName: string | null, privileges: Array<{ type: string, displayName: string | null, description: string | null }> }> } } | null, listRoles: { roles: Array<{ urn: string, name: string }> } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string, info: { name: string } | null }> } };

export type DeletePolicyMutationVariables = Exact<{
  urn: string;
}>;

export type DeletePolicyMutation = { deletePolicy: string | null };

export type GrantedQueryVariables = Exact<{
  input: GetGrantedPrivilegesInput;
}>;

export type GrantedQuery = { getGrantedPrivileges: { privileges: Array<string> } | null };

export const Policies = "query Policies($input:ListPoliciesInput!){...Choosable listPolicies(input:$input){total policies{urn name type state description editable privileges actors{users groups roles resourceOwners resourceOwnersTypes allUsers allGroups}resources{type resources allResources filter{criteria{field condition values{value}}}}}}}fragment Choosable on Query{appConfig{policiesConfig{enabled platformPrivileges{type displayName description}resourcePrivileges{resourceType resourceTypeDisplayName privileges{type displayName description}}}}listRoles(input:{start:0 count:500}){roles{urn name}}listOwnershipTypes(input:{start:0 count:500}){ownershipTypes{urn info{name}}}}" as unknown as Operation<PoliciesQuery, PoliciesQueryVariables>;

export const PolicyChoices = "query PolicyChoices{...Choosable}fragment Choosable on Query{appConfig{policiesConfig{enabled platformPrivileges{type displayName description}resourcePrivileges{resourceType resourceTypeDisplayName privileges{type displayName description}}}}listRoles(input:{start:0 count:500}){roles{urn name}}listOwnershipTypes(input:{start:0 count:500}){ownershipTypes{urn info{name}}}}" as unknown as Operation<PolicyChoicesQuery, PolicyChoicesQueryVariables>;

export const DeletePolicy = "mutation DeletePolicy($urn:String!){deletePolicy(urn:$urn)}" as unknown as Operation<DeletePolicyMutation, DeletePolicyMutationVariables>;

export const Granted = "query Granted($input:GetGrantedPrivilegesInput!){getGrantedPrivileges(input:$input){privileges}}" as unknown as Operation<GrantedQuery, GrantedQueryVariables>;
