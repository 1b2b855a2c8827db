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
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
           | null }> } | null }> } | null };

export type RoleHoldersQueryVariables = Exact<{
  urn: string;
  start: number;
  count: number;
}>;

export type RoleHoldersQuery = { entity:
    | { members: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
           | null }> } | null }
    | Record<PropertyKey, never>
   | null };

type Holder_Role_Fragment = { urn: string, type: EntityType };

type Holder_Application_Fragment = { urn: string, type: EntityType };

type Holder_Assertion_Fragment = { urn: string, type: EntityType };

type Holder_BusinessAttribute_Fragment = { urn: string, type: EntityType };

type Holder_Chart_Fragment = { urn: string, type: EntityType };

type Holder_DataHubConnection_Fragment = { urn: string, type: EntityType };

type Holder_Container_Fragment = { urn: string, type: EntityType };

type Holder_DataContract_Fragment = { urn: string, type: EntityType };

type Holder_Restricted_Fragment = { urn: string, type: EntityType };

type Holder_Dashboard_Fragment = { urn: string, type: EntityType };

type Holder_DataProduct_Fragment = { urn: string, type: EntityType };

type Holder_Dataset_Fragment = { urn: string, type: EntityType };

type Holder_Document_Fragment = { urn: string, type: EntityType };

type Holder_Domain_Fragment = { urn: string, type: EntityType };

type Holder_ErModelRelationship_Fragment = { urn: string, type: EntityType };

type Holder_DataHubFile_Fragment = { urn: string, type: EntityType };

type Holder_Form_Fragment = { urn: string, type: EntityType };

type Holder_GlossaryNode_Fragment = { urn: string, type: EntityType };

type Holder_GlossaryTerm_Fragment = { urn: string, type: EntityType };

type Holder_DataHubPageModule_Fragment = { urn: string, type: EntityType };

type Holder_DataHubPageTemplate_Fragment = { urn: string, type: EntityType };

type Holder_Incident_Fragment = { urn: string, type: EntityType };

type Holder_ExecutionRequest_Fragment = { urn: string, type: EntityType };

type Holder_DataFlow_Fragment = { urn: string, type: EntityType };

type Holder_DataJob_Fragment = { urn: string, type: EntityType };

type Holder_DataProcessInstance_Fragment = { urn: string, type: EntityType };

type Holder_Test_Fragment = { urn: string, type: EntityType };

type Holder_MlFeature_Fragment = { urn: string, type: EntityType };

type Holder_MlFeatureTable_Fragment = { urn: string, type: EntityType };

type Holder_MlModel_Fragment = { urn: string, type: EntityType };

type Holder_MlModelGroup_Fragment = { urn: string, type: EntityType };

type Holder_MlPrimaryKey_Fragment = { urn: string, type: EntityType };

type Holder_Notebook_Fragment = { urn: string, type: EntityType };

type Holder_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType };

type Holder_DataPlatform_Fragment = { urn: string, type: EntityType };

type Holder_DataPlatformInstance_Fragment = { urn: string, type: EntityType };

type Holder_DataHubPolicy_Fragment = { urn: string, type: EntityType };

type Holder_DataHubRole_Fragment = { urn: string, type: EntityType };

type Holder_Post_Fragment = { urn: string, type: EntityType };

type Holder_QueryEntity_Fragment = { urn: string, type: EntityType };

type Holder_SchemaFieldEntity_Fragment = { urn: string, type: EntityType };

type Holder_Metric_Fragment = { urn: string, type: EntityType };

type Holder_SemanticModel_Fragment = { urn: string, type: EntityType };

type Holder_DataTypeEntity_Fragment = { urn: string, type: EntityType };

type Holder_EntityTypeEntity_Fragment = { urn: string, type: EntityType };

type Holder_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType };

type Holder_Tag_Fragment = { urn: string, type: EntityType };

type Holder_VersionedDataset_Fragment = { urn: string, type: EntityType };

type Holder_AccessTokenMetadata_Fragment = { urn: string, type: EntityType };

type Holder_ServiceAccount_Fragment = { urn: string, type: EntityType };

type Holder_CorpGroup_Fragment = { urn: string, type: EntityType, groupId: string, groupProperties: { displayName: string | null } | null };

type Holder_CorpUser_Fragment = { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

type Holder_VersionSet_Fragment = { urn: string, type: EntityType };

type Holder_DataHubView_Fragment = { urn: string, type: EntityType };

export type HolderFragment =
  | Holder_Role_Fragment
  | Holder_Application_Fragment
  | Holder_Assertion_Fragment
  | Holder_BusinessAttribute_Fragment
  | Holder_Chart_Fragment
  | Holder_DataHubConnection_Fragment
  | Holder_Container_Fragment
  | Holder_DataContract_Fragment
  | Holder_Restricted_Fragment
  | Holder_Dashboard_Fragment
  | Holder_DataProduct_Fragment
  | Holder_Dataset_Fragment
  | Holder_Document_Fragment
  | Holder_Domain_Fragment
  | Holder_ErModelRelationship_Fragment
  | Holder_DataHubFile_Fragment
  | Holder_Form_Fragment
  | Holder_GlossaryNode_Fragment
  | Holder_GlossaryTerm_Fragment
  | Holder_DataHubPageModule_Fragment
  | Holder_DataHubPageTemplate_Fragment
  | Holder_Incident_Fragment
  | Holder_ExecutionRequest_Fragment
  | Holder_DataFlow_Fragment
  | Holder_DataJob_Fragment
  | Holder_DataProcessInstance_Fragment
  | Holder_Test_Fragment
  | Holder_MlFeature_Fragment
  | Holder_MlFeatureTable_Fragment
  | Holder_MlModel_Fragment
  | Holder_MlModelGroup_Fragment
  | Holder_MlPrimaryKey_Fragment
  | Holder_Notebook_Fragment
  | Holder_OwnershipTypeEntity_Fragment
  | Holder_DataPlatform_Fragment
  | Holder_DataPlatformInstance_Fragment
  | Holder_DataHubPolicy_Fragment
  | Holder_DataHubRole_Fragment
  | Holder_Post_Fragment
  | Holder_QueryEntity_Fragment
  | Holder_SchemaFieldEntity_Fragment
  | Holder_Metric_Fragment
  | Holder_SemanticModel_Fragment
  | Holder_DataTypeEntity_Fragment
  | Holder_EntityTypeEntity_Fragment
  | Holder_StructuredPropertyEntity_Fragment
  | Holder_Tag_Fragment
  | Holder_VersionedDataset_Fragment
  | Holder_AccessTokenMetadata_Fragment
  | Holder_ServiceAccount_Fragment
  | Holder_CorpGroup_Fragment
  | Holder_CorpUser_Fragment
  | Holder_VersionSet_Fragment
  | Holder_DataHubView_Fragment
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
