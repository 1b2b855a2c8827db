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
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { description: string, urn: string, roleName: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null }> } | null, groups: { total: number | null, relationships: Array<{ entity:
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { name: string, urn: string, properties: { displayName: string | null } | null, roles: { relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { description: string, urn: string, roleName: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null }> } | null } } | null, getGrantedPrivileges: { privileges: Array<string> } | null, appConfig: { policiesConfig: { platformPrivileges: Array<{ type: string, displayName: string | null, description: string | null }>, resourcePrivileges: Array<{ privileges: Array<{ type: string, displayName: string | null, description: string | null }> }> } } | null };

type HeldRole_Role_Fragment = { urn: string };

type HeldRole_Application_Fragment = { urn: string };

type HeldRole_Assertion_Fragment = { urn: string };

type HeldRole_BusinessAttribute_Fragment = { urn: string };

type HeldRole_Chart_Fragment = { urn: string };

type HeldRole_DataHubConnection_Fragment = { urn: string };

type HeldRole_Container_Fragment = { urn: string };

type HeldRole_DataContract_Fragment = { urn: string };

type HeldRole_Restricted_Fragment = { urn: string };

type HeldRole_Dashboard_Fragment = { urn: string };

type HeldRole_DataProduct_Fragment = { urn: string };

type HeldRole_Dataset_Fragment = { urn: string };

type HeldRole_Document_Fragment = { urn: string };

type HeldRole_Domain_Fragment = { urn: string };

type HeldRole_ErModelRelationship_Fragment = { urn: string };

type HeldRole_DataHubFile_Fragment = { urn: string };

type HeldRole_Form_Fragment = { urn: string };

type HeldRole_GlossaryNode_Fragment = { urn: string };

type HeldRole_GlossaryTerm_Fragment = { urn: string };

type HeldRole_DataHubPageModule_Fragment = { urn: string };

type HeldRole_DataHubPageTemplate_Fragment = { urn: string };

type HeldRole_Incident_Fragment = { urn: string };

type HeldRole_ExecutionRequest_Fragment = { urn: string };

type HeldRole_DataFlow_Fragment = { urn: string };

type HeldRole_DataJob_Fragment = { urn: string };

type HeldRole_DataProcessInstance_Fragment = { urn: string };

type HeldRole_Test_Fragment = { urn: string };

type HeldRole_MlFeature_Fragment = { urn: string };

type HeldRole_MlFeatureTable_Fragment = { urn: string };

type HeldRole_MlModel_Fragment = { urn: string };

type HeldRole_MlModelGroup_Fragment = { urn: string };

type HeldRole_MlPrimaryKey_Fragment = { urn: string };

type HeldRole_Notebook_Fragment = { urn: string };

type HeldRole_OwnershipTypeEntity_Fragment = { urn: string };

type HeldRole_DataPlatform_Fragment = { urn: string };

type HeldRole_DataPlatformInstance_Fragment = { urn: string };

type HeldRole_DataHubPolicy_Fragment = { urn: string };

type HeldRole_DataHubRole_Fragment = { description: string, urn: string, roleName: string };

type HeldRole_Post_Fragment = { urn: string };

type HeldRole_QueryEntity_Fragment = { urn: string };

type HeldRole_SchemaFieldEntity_Fragment = { urn: string };

type HeldRole_Metric_Fragment = { urn: string };

type HeldRole_SemanticModel_Fragment = { urn: string };

type HeldRole_DataTypeEntity_Fragment = { urn: string };

type HeldRole_EntityTypeEntity_Fragment = { urn: string };

type HeldRole_StructuredPropertyEntity_Fragment = { urn: string };

type HeldRole_Tag_Fragment = { urn: string };

type HeldRole_VersionedDataset_Fragment = { urn: string };

type HeldRole_AccessTokenMetadata_Fragment = { urn: string };

type HeldRole_ServiceAccount_Fragment = { urn: string };

type HeldRole_CorpGroup_Fragment = { urn: string };

type HeldRole_CorpUser_Fragment = { urn: string };

type HeldRole_VersionSet_Fragment = { urn: string };

type HeldRole_DataHubView_Fragment = { urn: string };

export type HeldRoleFragment =
  | HeldRole_Role_Fragment
  | HeldRole_Application_Fragment
  | HeldRole_Assertion_Fragment
  | HeldRole_BusinessAttribute_Fragment
  | HeldRole_Chart_Fragment
  | HeldRole_DataHubConnection_Fragment
  | HeldRole_Container_Fragment
  | HeldRole_DataContract_Fragment
  | HeldRole_Restricted_Fragment
  | HeldRole_Dashboard_Fragment
  | HeldRole_DataProduct_Fragment
  | HeldRole_Dataset_Fragment
  | HeldRole_Document_Fragment
  | HeldRole_Domain_Fragment
  | HeldRole_ErModelRelationship_Fragment
  | HeldRole_DataHubFile_Fragment
  | HeldRole_Form_Fragment
  | HeldRole_GlossaryNode_Fragment
  | HeldRole_GlossaryTerm_Fragment
  | HeldRole_DataHubPageModule_Fragment
  | HeldRole_DataHubPageTemplate_Fragment
  | HeldRole_Incident_Fragment
  | HeldRole_ExecutionRequest_Fragment
  | HeldRole_DataFlow_Fragment
  | HeldRole_DataJob_Fragment
  | HeldRole_DataProcessInstance_Fragment
  | HeldRole_Test_Fragment
  | HeldRole_MlFeature_Fragment
  | HeldRole_MlFeatureTable_Fragment
  | HeldRole_MlModel_Fragment
  | HeldRole_MlModelGroup_Fragment
  | HeldRole_MlPrimaryKey_Fragment
  | HeldRole_Notebook_Fragment
  | HeldRole_OwnershipTypeEntity_Fragment
  | HeldRole_DataPlatform_Fragment
  | HeldRole_DataPlatformInstance_Fragment
  | HeldRole_DataHubPolicy_Fragment
  | HeldRole_DataHubRole_Fragment
  | HeldRole_Post_Fragment
  | HeldRole_QueryEntity_Fragment
  | HeldRole_SchemaFieldEntity_Fragment
  | HeldRole_Metric_Fragment
  | HeldRole_SemanticModel_Fragment
  | HeldRole_DataTypeEntity_Fragment
  | HeldRole_EntityTypeEntity_Fragment
  | HeldRole_StructuredPropertyEntity_Fragment
  | HeldRole_Tag_Fragment
  | HeldRole_VersionedDataset_Fragment
  | HeldRole_AccessTokenMetadata_Fragment
  | HeldRole_ServiceAccount_Fragment
  | HeldRole_CorpGroup_Fragment
  | HeldRole_CorpUser_Fragment
  | HeldRole_VersionSet_Fragment
  | HeldRole_DataHubView_Fragment
;

export type UpdateProfileMutationVariables = Exact<{
  urn: string;
  input: CorpUserUpdateInput;
}>;

export type UpdateProfileMutation = { updateCorpUserProperties: { urn: string } | null };

export const Profile = "query Profile($urn:String!){me{corpUser{urn username isNativeUser properties{displayName fullName title email}editableProperties{displayName title aboutMe teams email}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:20}){relationships{entity{...HeldRole}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:100}){total relationships{entity{urn ...on CorpGroup{name properties{displayName}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:20}){relationships{entity{...HeldRole}}}}}}}}}getGrantedPrivileges(input:{actorUrn:$urn}){privileges}appConfig{policiesConfig{platformPrivileges{type displayName description}resourcePrivileges{privileges{type displayName description}}}}}fragment HeldRole on Entity{urn ...on DataHubRole{roleName:name description}}" as unknown as Operation<ProfileQuery, ProfileQueryVariables>;

export const UpdateProfile = "mutation UpdateProfile($urn:String!$input:CorpUserUpdateInput!){updateCorpUserProperties(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateProfileMutation, UpdateProfileMutationVariables>;
