// Written by scripts/codegen.mjs from users.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, BatchAssignRoleInput, CorpUserStatus, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ListUsersInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, BatchAssignRoleInput, CorpUserStatus, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ListUsersInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type UsersQueryVariables = Exact<{
  page: SearchAcrossEntitiesInput;
  all: SearchAcrossEntitiesInput;
  suspended: SearchAcrossEntitiesInput;
}>;

export type UsersQuery = { page: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties?: { displayName: string | null } | null, status?: CorpUserStatus | null, isNativeUser?: boolean | null, roles?: { relationships: Array<{ entity: { urn: string | null, name?: string | null } | null } | null> | null } | null, groups?: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { displayName: string | null } | null } | null } | null> | null } | null } | null } | null> | null } | null, all: { total: number | null } | null, suspended: { total: number | null } | null };

export type UsersToResetQueryVariables = Exact<{
  input: ListUsersInput;
}>;

export type UsersToResetQuery = { listUsers: { total: number | null, users: Array<{ urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties: { displayName: string | null } | null, status: CorpUserStatus | null, isNativeUser: boolean | null, roles: { relationships: Array<{ entity: { urn: string | null, name?: string | null } | null } | null> | null } | null, groups: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { displayName: string | null } | null } | null } | null> | null } | null } | null> | null } | null };

export type ListedFragment = { urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties: { displayName: string | null } | null, status: CorpUserStatus | null, isNativeUser: boolean | null, roles: { relationships: Array<{ entity: { urn: string | null, name?: string | null } | null } | null> | null } | null, groups: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { displayName: string | null } | null } | null } | null> | null } | null };

export type RoleNamesQueryVariables = Exact<{ [key: string]: never; }>;

export type RoleNamesQuery = { listRoles: { roles: Array<{ urn: string | null, name: string | null } | null> | null } | null };

export type AssignRoleMutationVariables = Exact<{
  input: BatchAssignRoleInput;
}>;

export type AssignRoleMutation = { batchAssignRole: boolean | null };

export type SetUserStatusMutationVariables = Exact<{
  urn: string;
  status: CorpUserStatus;
}>;

export type SetUserStatusMutation = { updateUserStatus: string | null };

export type RemoveUserMutationVariables = Exact<{
  urn: string;
}>;

export type RemoveUserMutation = { removeUser: boolean | null };

export type MakeResetLinkMutationVariables = Exact<{
  urn: string;
}>;

export type MakeResetLinkMutation = { createNativeUserResetToken: { resetToken: string | null } | null };

export type InvitationQueryVariables = Exact<{
  role?: string | null | undefined;
}>;

export type InvitationQuery = { getInviteToken: { inviteToken: string | null } | null };

export type RenewInvitationMutationVariables = Exact<{
  role?: string | null | undefined;
}>;

export type RenewInvitationMutation = { createInviteToken: { inviteToken: string | null } | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export const Users = "query Users($page:SearchAcrossEntitiesInput!$all:SearchAcrossEntitiesInput!$suspended:SearchAcrossEntitiesInput!){page:searchUsers(input:$page){total searchResults{entity{...Listed}}}all:searchUsers(input:$all){total}suspended:searchUsers(input:$suspended){total}}fragment Listed on CorpUser{urn ...PersonName status isNativeUser properties{email}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:10}){relationships{entity{urn ...on DataHubRole{name}}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:10}){total relationships{entity{urn ...on CorpGroup{...GroupName}}}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<UsersQuery, UsersQueryVariables>;

export const UsersToReset = "query UsersToReset($input:ListUsersInput!){listUsers(input:$input){total users{...Listed}}}fragment Listed on CorpUser{urn ...PersonName status isNativeUser properties{email}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:10}){relationships{entity{urn ...on DataHubRole{name}}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:10}){total relationships{entity{urn ...on CorpGroup{...GroupName}}}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<UsersToResetQuery, UsersToResetQueryVariables>;

export const RoleNames = "query RoleNames{listRoles(input:{start:0 count:100}){roles{urn name}}}" as unknown as Operation<RoleNamesQuery, RoleNamesQueryVariables>;

export const AssignRole = "mutation AssignRole($input:BatchAssignRoleInput!){batchAssignRole(input:$input)}" as unknown as Operation<AssignRoleMutation, AssignRoleMutationVariables>;

export const SetUserStatus = "mutation SetUserStatus($urn:String!$status:CorpUserStatus!){updateUserStatus(urn:$urn status:$status)}" as unknown as Operation<SetUserStatusMutation, SetUserStatusMutationVariables>;

export const RemoveUser = "mutation RemoveUser($urn:String!){removeUser(urn:$urn)}" as unknown as Operation<RemoveUserMutation, RemoveUserMutationVariables>;

export const MakeResetLink = "mutation MakeResetLink($urn:String!){createNativeUserResetToken(input:{userUrn:$urn}){resetToken}}" as unknown as Operation<MakeResetLinkMutation, MakeResetLinkMutationVariables>;

export const Invitation = "query Invitation($role:String){getInviteToken(input:{roleUrn:$role}){inviteToken}}" as unknown as Operation<InvitationQuery, InvitationQueryVariables>;

export const RenewInvitation = "mutation RenewInvitation($role:String){createInviteToken(input:{roleUrn:$role}){inviteToken}}" as unknown as Operation<RenewInvitationMutation, RenewInvitationMutationVariables>;
