// Written by scripts/codegen.mjs from roles.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { BatchAssignRoleInput, EntityType, PolicyState } from "../../lib/schema";

export type { BatchAssignRoleInput, EntityType, PolicyState };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type RolesQueryVariables = Exact<{
  people: number;
}>;

export type RolesQuery = { listRoles: { total: number | null, roles: Array<{ urn: string | null, name: string | null, description: string | null, members: { total: number | null, relationships: Array<{ entity: { urn: string | null, type: EntityType | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null } | null> | null } | null } | null> | null } | null };

export type RoleHoldersQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type RoleHoldersQuery = { entity: { members?: { total: number | null, relationships: Array<{ entity: { urn: string | null, type: EntityType | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null } | null> | null } | null } | null };

export type HolderFragment = { urn: string | null, type: EntityType | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null };

export type RolePoliciesQueryVariables = Exact<{
  roles: Array<string> | string;
}>;

export type RolePoliciesQuery = { listPolicies: { policies: Array<{ urn: string | null, name: string | null, state: PolicyState | null, privileges: Array<string | null> | null, actors: { roles: Array<string | null> | null } | null } | null> | null } | null, appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string | null, displayName: string | null } | null> | null, resourcePrivileges: Array<{ privileges: Array<{ type: string | null, displayName: string | null } | null> | null } | null> | null } | null } | null };

export type GiveRoleMutationVariables = Exact<{
  input: BatchAssignRoleInput;
}>;

export type GiveRoleMutation = { batchAssignRole: boolean | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export type OfferedPrivilegesFragment = { platformPrivileges: Array<{ type: string | null, displayName: string | null } | null> | null, resourcePrivileges: Array<{ privileges: Array<{ type: string | null, displayName: string | null } | null> | null } | null> | null };

export const Roles = "query Roles($people:Int!){listRoles(input:{start:0 count:100}){total roles{urn name description members:relationships(input:{types:[\"IsMemberOfRole\"]direction:INCOMING start:0 count:$people}){total relationships{entity{...Holder}}}}}}fragment Holder on Entity{urn type ...on CorpUser{...PersonName}...on CorpGroup{...GroupName}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<RolesQuery, RolesQueryVariables>;

export const RoleHolders = "query RoleHolders($urn:String!$start:Int!$count:Int!){entity(urn:$urn){...on DataHubRole{members:relationships(input:{types:[\"IsMemberOfRole\"]direction:INCOMING start:$start count:$count}){total relationships{entity{...Holder}}}}}}fragment Holder on Entity{urn type ...on CorpUser{...PersonName}...on CorpGroup{...GroupName}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<RoleHoldersQuery, RoleHoldersQueryVariables>;

export const RolePolicies = "query RolePolicies($roles:[String!]!){listPolicies(input:{start:0 count:200 orFilters:[{and:[{field:\"roles\" values:$roles}]}]}){policies{urn name state privileges actors{roles}}}appConfig{policiesConfig{...OfferedPrivileges}}}fragment OfferedPrivileges on PoliciesConfig{platformPrivileges{type displayName}resourcePrivileges{privileges{type displayName}}}" as unknown as Operation<RolePoliciesQuery, RolePoliciesQueryVariables>;

export const GiveRole = "mutation GiveRole($input:BatchAssignRoleInput!){batchAssignRole(input:$input)}" as unknown as Operation<GiveRoleMutation, GiveRoleMutationVariables>;
