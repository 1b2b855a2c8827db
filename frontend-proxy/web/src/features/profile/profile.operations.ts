// Written by scripts/codegen.mjs from profile.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CorpUserUpdateInput } from "../../lib/schema";

export type { CorpUserUpdateInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ProfileQueryVariables = Exact<{
  urn: string;
}>;

export type ProfileQuery = { me: { corpUser: { urn: string, username: string, isNativeUser: boolean | null, properties: { displayName: string | null, fullName: string | null, title: string | null, email: string | null } | null, editableProperties: { displayName: string | null, title: string | null, aboutMe: string | null, teams: Array<string> | null, email: string | null } | null, roles: { relationships: Array<{ entity:
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { description: string, urn: string, roleName: string }
           | null }> } | null, groups: { total: number | null, relationships: Array<{ entity:
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { name: string, urn: string, properties: { displayName: string | null } | null, roles: { relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { description: string, urn: string, roleName: string }
                   | null }> } | null }
           | null }> } | null } } | null, getGrantedPrivileges: { privileges: Array<string> } | null, appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string, displayName: string | null, description: string | null }>, resourcePrivileges: Array<{ privileges: Array<{ type: string, displayName: string | null, description: string | null }> }> } } | null };

type HeldRole_HlGpeyvF6x6KmDkWxkuCblLr7o7ed7W9Pszf0lTa_Fragment = { urn: string };

type HeldRole_LrMRlPntqtVodR8futE1adL3jmb0Bmp9WqRxqunjdas_Fragment = { urn: string };

type HeldRole_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment = { urn: string };

type HeldRole_DataHubRole_Fragment = { description: string, urn: string, roleName: string };

export type HeldRoleFragment =
  | HeldRole_HlGpeyvF6x6KmDkWxkuCblLr7o7ed7W9Pszf0lTa_Fragment
  | HeldRole_LrMRlPntqtVodR8futE1adL3jmb0Bmp9WqRxqunjdas_Fragment
  | HeldRole_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment
  | HeldRole_DataHubRole_Fragment
;

export type UpdateProfileMutationVariables = Exact<{
  urn: string;
  input: CorpUserUpdateInput;
}>;

export type UpdateProfileMutation = { updateCorpUserProperties: { urn: string } | null };

export const Profile = "query Profile($urn:String!){me{corpUser{urn username isNativeUser properties{displayName fullName title email}editableProperties{displayName title aboutMe teams email}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:20}){relationships{entity{...HeldRole}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:100}){total relationships{entity{urn ...on CorpGroup{name properties{displayName}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:20}){relationships{entity{...HeldRole}}}}}}}}}getGrantedPrivileges(input:{actorUrn:$urn}){privileges}appConfig{policiesConfig{platformPrivileges{type displayName description}resourcePrivileges{privileges{type displayName description}}}}}fragment HeldRole on Entity{urn ...on DataHubRole{roleName:name description}}" as unknown as Operation<ProfileQuery, ProfileQueryVariables>;

export const UpdateProfile = "mutation UpdateProfile($urn:String!$input:CorpUserUpdateInput!){updateCorpUserProperties(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateProfileMutation, UpdateProfileMutationVariables>;
