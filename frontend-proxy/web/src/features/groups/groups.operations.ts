// Written by scripts/codegen.mjs from groups.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddGroupMembersInput, CorpGroupUpdateInput, CorpUserStatus, CreateGroupInput, ListGroupsInput, OriginType, RemoveGroupMembersInput } from "../../lib/schema";

export type { AddGroupMembersInput, CorpGroupUpdateInput, CorpUserStatus, CreateGroupInput, ListGroupsInput, OriginType, RemoveGroupMembersInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type GroupsQueryVariables = Exact<{
  input: ListGroupsInput;
}>;

export type GroupsQuery = { listGroups: { total: number | null, groups: Array<{ urn: string | null, name: string | null, properties: { displayName: string | null, description: string | null } | null, origin: { type: OriginType | null } | null, editableProperties: { description: string | null } | null, members: { total: number | null } | null } | null> | null } | null };

export type GroupQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type GroupQuery = { corpGroup: { urn: string | null, name: string | null, properties: { displayName: string | null, description: string | null, email: string | null } | null, exists: boolean | null, origin: { type: OriginType | null, externalType: string | null } | null, editableProperties: { description: string | null, email: string | null } | null, members: { total: number | null, relationships: Array<{ entity: { urn: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, status?: CorpUserStatus | null } | null } | null> | null } | null } | null };

export type GroupRightsQueryVariables = Exact<{
  actor: string;
  group: string;
}>;

export type GroupRightsQuery = { getGrantedPrivileges: { privileges: Array<string | null> | null } | null };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;

export type CreateGroupMutation = { createGroup: string | null };

export type RemoveGroupMutationVariables = Exact<{
  urn: string;
}>;

export type RemoveGroupMutation = { removeGroup: boolean | null };

export type DescribeGroupMutationVariables = Exact<{
  urn: string;
  input: CorpGroupUpdateInput;
}>;

export type DescribeGroupMutation = { updateCorpGroupProperties: { urn: string | null } | null };

export type AddMembersMutationVariables = Exact<{
  input: AddGroupMembersInput;
}>;

export type AddMembersMutation = { addGroupMembers: boolean | null };

export type RemoveMembersMutationVariables = Exact<{
  input: RemoveGroupMembersInput;
}>;

export type RemoveMembersMutation = { removeGroupMembers: boolean | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export const Groups = "query Groups($input:ListGroupsInput!){listGroups(input:$input){total groups{urn ...GroupName origin{type}properties{description}editableProperties{description}members:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:INCOMING start:0 count:1}){total}}}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<GroupsQuery, GroupsQueryVariables>;

export const Group = "query Group($urn:String!$start:Int!$count:Int!){corpGroup(urn:$urn){urn ...GroupName exists origin{type externalType}properties{description email}editableProperties{description email}members:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:INCOMING start:$start count:$count}){total relationships{entity{urn ...on CorpUser{...PersonName status}}}}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<GroupQuery, GroupQueryVariables>;

export const GroupRights = "query GroupRights($actor:String!$group:String!){getGrantedPrivileges(input:{actorUrn:$actor resourceSpec:{resourceType:CORP_GROUP resourceUrn:$group}}){privileges}}" as unknown as Operation<GroupRightsQuery, GroupRightsQueryVariables>;

export const CreateGroup = "mutation CreateGroup($input:CreateGroupInput!){createGroup(input:$input)}" as unknown as Operation<CreateGroupMutation, CreateGroupMutationVariables>;

export const RemoveGroup = "mutation RemoveGroup($urn:String!){removeGroup(urn:$urn)}" as unknown as Operation<RemoveGroupMutation, RemoveGroupMutationVariables>;

export const DescribeGroup = "mutation DescribeGroup($urn:String!$input:CorpGroupUpdateInput!){updateCorpGroupProperties(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeGroupMutation, DescribeGroupMutationVariables>;

export const AddMembers = "mutation AddMembers($input:AddGroupMembersInput!){addGroupMembers(input:$input)}" as unknown as Operation<AddMembersMutation, AddMembersMutationVariables>;

export const RemoveMembers = "mutation RemoveMembers($input:RemoveGroupMembersInput!){removeGroupMembers(input:$input)}" as unknown as Operation<RemoveMembersMutation, RemoveMembersMutationVariables>;
