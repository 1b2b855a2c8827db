// Written by scripts/codegen.mjs from roles.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { BatchAssignRoleInput, EntityType, PolicyState } from "../../lib/schema";

export type { BatchAssignRoleInput, EntityType, PolicyState };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type RolesQueryVariables = Exact<{
  people: number;
}>;

export type RolesQuery = { listRoles: { total: number, roles: Array<{ urn: string, name: string, description: string, members: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
           | null }> } | null }> } | null };

export type RoleHoldersQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type RoleHoldersQuery = { entity: { members: { total: number | null, relationships: Array<{ entity:
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null }
          | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
         | null }> } | null } | null };

type Holder_HlGpeyvF6x6KmDkWxkuCblLr7o7ed7W9Pszf0lTa_Fragment = { urn: string, type: EntityType };

type Holder_BOaKm4yqslsCyijjfNplffOfMk6bkCu66uKshnmDcTi_Fragment = { urn: string, type: EntityType };

type Holder_7F5FcZaEkE20Iv4SzNumxEl23OlyplbbHtEiYvcp4Ic_Fragment = { urn: string, type: EntityType };

type Holder_CorpGroup_Fragment = { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null };

type Holder_CorpUser_Fragment = { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type HolderFragment =
  | Holder_HlGpeyvF6x6KmDkWxkuCblLr7o7ed7W9Pszf0lTa_Fragment
  | Holder_BOaKm4yqslsCyijjfNplffOfMk6bkCu66uKshnmDcTi_Fragment
  | Holder_7F5FcZaEkE20Iv4SzNumxEl23OlyplbbHtEiYvcp4Ic_Fragment
  | Holder_CorpGroup_Fragment
  | Holder_CorpUser_Fragment
;

export type RolePoliciesQueryVariables = Exact<{
  roles: Array<string> | string;
}>;

export type RolePoliciesQuery = { listPolicies: { policies: Array<{ urn: string, name: string, state: PolicyState, privileges: Array<string>, actors: { roles: Array<string> | null } }> } | null, appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string, displayName: string | null }>, resourcePrivileges: Array<{ privileges: Array<{ type: string, displayName: string | null }> }> } } | null };

export type GiveRoleMutationVariables = Exact<{
  input: BatchAssignRoleInput;
}>;

export type GiveRoleMutation = { batchAssignRole: boolean | null };

export const Roles = "query Roles($people:Int!){listRoles(input:{start:0 count:100}){total roles{urn name description members:relationships(input:{types:[\"IsMemberOfRole\"]direction:INCOMING start:0 count:$people}){total relationships{entity{...Holder}}}}}}fragment Holder on Entity{urn type ...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{groupId:name groupProperties:properties{displayName}}}" as unknown as Operation<RolesQuery, RolesQueryVariables>;

export const RoleHolders = "query RoleHolders($urn:String!$start:Int!$count:Int!){entity(urn:$urn){...on DataHubRole{members:relationships(input:{types:[\"IsMemberOfRole\"]direction:INCOMING start:$start count:$count}){total relationships{entity{...Holder}}}}}}fragment Holder on Entity{urn type ...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{groupId:name groupProperties:properties{displayName}}}" as unknown as Operation<RoleHoldersQuery, RoleHoldersQueryVariables>;

export const RolePolicies = "query RolePolicies($roles:[String!]!){listPolicies(input:{start:0 count:200 orFilters:[{and:[{field:\"roles\" values:$roles}]}]}){policies{urn name state privileges actors{roles}}}appConfig{policiesConfig{platformPrivileges{type displayName}resourcePrivileges{privileges{type displayName}}}}}" as unknown as Operation<RolePoliciesQuery, RolePoliciesQueryVariables>;

export const GiveRole = "mutation GiveRole($input:BatchAssignRoleInput!){batchAssignRole(input:$input)}" as unknown as Operation<GiveRoleMutation, GiveRoleMutationVariables>;
