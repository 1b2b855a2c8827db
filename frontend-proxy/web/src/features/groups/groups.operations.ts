// Written by scripts/codegen.mjs from groups.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddGroupMembersInput, CorpGroupUpdateInput, CorpUserStatus, CreateGroupInput, ListGroupsInput, OriginType, RemoveGroupMembersInput } from "../../lib/schema";

export type { AddGroupMembersInput, CorpGroupUpdateInput, CorpUserStatus, CreateGroupInput, ListGroupsInput, OriginType, RemoveGroupMembersInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type GroupsQueryVariables = Exact<{
  input: ListGroupsInput;
}>;

export type GroupsQuery = { listGroups: { total: number, groups: Array<{ urn: string, name: string, origin: { type: OriginType } | null, properties: { displayName: string | null, description: string | null } | null, editableProperties: { description: string | null } | null, members: { total: number | null } | null }> } | null };

export type GroupQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type GroupQuery = { corpGroup: { urn: string, name: string, exists: boolean | null, origin: { type: OriginType, externalType: string | null } | null, properties: { displayName: string | null, description: string | null, email: string | null } | null, editableProperties: { description: string | null, email: string | null } | null, members: { total: number | null, relationships: Array<{ entity:
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { username: string, status: CorpUserStatus | null, urn: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
         | null }> } | null } | null };

export type GroupRightsQueryVariables = Exact<{
  actor: string;
  group: string;
}>;

export type GroupRightsQuery = { getGrantedPrivileges: { privileges: Array<string> } | null };

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

export type DescribeGroupMutation = { updateCorpGroupProperties: { urn: string } | null };

export type AddMembersMutationVariables = Exact<{
  input: AddGroupMembersInput;
}>;

export type AddMembersMutation = { addGroupMembers: boolean | null };

export type RemoveMembersMutationVariables = Exact<{
  input: RemoveGroupMembersInput;
}>;

export type RemoveMembersMutation = { removeGroupMembers: boolean | null };

export const Groups = "query Groups($input:ListGroupsInput!){listGroups(input:$input){total groups{urn name origin{type}properties{displayName description}editableProperties{description}members:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:INCOMING start:0 count:1}){total}}}}" as unknown as Operation<GroupsQuery, GroupsQueryVariables>;

export const Group = "query Group($urn:String!$start:Int!$count:Int!){corpGroup(urn:$urn){urn name exists origin{type externalType}properties{displayName description email}editableProperties{description email}members:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:INCOMING start:$start count:$count}){total relationships{entity{urn ...on CorpUser{username status properties{displayName fullName}editableProperties{displayName}}}}}}}" as unknown as Operation<GroupQuery, GroupQueryVariables>;

export const GroupRights = "query GroupRights($actor:String!$group:String!){getGrantedPrivileges(input:{actorUrn:$actor resourceSpec:{resourceType:CORP_GROUP resourceUrn:$group}}){privileges}}" as unknown as Operation<GroupRightsQuery, GroupRightsQueryVariables>;

export const CreateGroup = "mutation CreateGroup($input:CreateGroupInput!){createGroup(input:$input)}" as unknown as Operation<CreateGroupMutation, CreateGroupMutationVariables>;

export const RemoveGroup = "mutation RemoveGroup($urn:String!){removeGroup(urn:$urn)}" as unknown as Operation<RemoveGroupMutation, RemoveGroupMutationVariables>;

export const DescribeGroup = "mutation DescribeGroup($urn:String!$input:CorpGroupUpdateInput!){updateCorpGroupProperties(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeGroupMutation, DescribeGroupMutationVariables>;

export const AddMembers = "mutation AddMembers($input:AddGroupMembersInput!){addGroupMembers(input:$input)}" as unknown as Operation<AddMembersMutation, AddMembersMutationVariables>;

export const RemoveMembers = "mutation RemoveMembers($input:RemoveGroupMembersInput!){removeGroupMembers(input:$input)}" as unknown as Operation<RemoveMembersMutation, RemoveMembersMutationVariables>;
