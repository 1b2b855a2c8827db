// Written by scripts/codegen.mjs from roles.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Kinds of entities the catalog knows. */
export type EntityType =
  /** A business area that groups assets. */
  | 'DOMAIN'
  /** A table, view, topic, file collection or similar body of data. */
  | 'DATASET'
  /** A person or service that can sign in or own assets. */
  | 'CORP_USER'
  /** A group of users. */
  | 'CORP_GROUP'
  /** A technology that holds or processes data, such as a warehouse product. */
  | 'DATA_PLATFORM'
  /** A relationship between the columns of two datasets, as in a data model. */
  | 'ER_MODEL_RELATIONSHIP'
  /** A collection of charts shown together. */
  | 'DASHBOARD'
  /** An interactive document mixing text, queries and charts. */
  | 'NOTEBOOK'
  /** A single visualization of data. */
  | 'CHART'
  /** A pipeline made of data jobs. */
  | 'DATA_FLOW'
  /** One task of a pipeline. */
  | 'DATA_JOB'
  /** A free label that can be attached to assets. */
  | 'TAG'
  /** A business concept defined in the glossary. */
  | 'GLOSSARY_TERM'
  /** A folder of the glossary, holding terms and other nodes. */
  | 'GLOSSARY_NODE'
  /** A place that holds assets, such as a database, schema or folder. */
  | 'CONTAINER'
  /** A trained machine learning model. */
  | 'MLMODEL'
  /** A set of related machine learning models, usually versions of one. */
  | 'MLMODEL_GROUP'
  /** A table of features used in machine learning. */
  | 'MLFEATURE_TABLE'
  /** A single input feature used in machine learning. */
  | 'MLFEATURE'
  /** A key by which rows of a feature table are looked up. */
  | 'MLPRIMARY_KEY'
  /** A configured job that pulls metadata into the catalog. */
  | 'INGESTION_SOURCE'
  /** A request to run an ingestion task, with its outcome. */
  | 'EXECUTION_REQUEST'
  /** A check on an asset's data or schema. */
  | 'ASSERTION'
  /** A single run of a data process. */
  | 'DATA_PROCESS_INSTANCE'
  /** One deployment of a data platform. */
  | 'DATA_PLATFORM_INSTANCE'
  /** The record of an issued access token, without its secret text. */
  | 'ACCESS_TOKEN'
  /** A metadata test that assets pass or fail. */
  | 'TEST'
  /** An access policy granting privileges to actors. */
  | 'DATAHUB_POLICY'
  /** A catalog role bundling privileges that actors can be given. */
  | 'DATAHUB_ROLE'
  /** An announcement or link shown to users. */
  | 'POST'
  /** A column of a dataset, treated as an entity of its own. */
  | 'SCHEMA_FIELD'
  /** A saved set of entity types and filters applied to searches. */
  | 'DATAHUB_VIEW'
  /** A recorded query, such as an SQL statement, with its subjects. */
  | 'QUERY'
  /** A set of assets published together as a product. */
  | 'DATA_PRODUCT'
  /** A kind of ownership, built in or defined by administrators. */
  | 'CUSTOM_OWNERSHIP_TYPE'
  /** Stored connection details for an external system. */
  | 'DATAHUB_CONNECTION'
  /** A reported problem with one or more assets. */
  | 'INCIDENT'
  /** An access role in an external system, granting access to assets. */
  | 'ROLE'
  /** A set of assertions a dataset promises to meet. */
  | 'DATA_CONTRACT'
  /** The definition of a typed property that assets can carry. */
  | 'STRUCTURED_PROPERTY'
  /** A documentation form with prompts to be answered for assets. */
  | 'FORM'
  /** A value type available to structured properties. */
  | 'DATA_TYPE'
  /** A kind of entity, itself represented as an entity. */
  | 'ENTITY_TYPE'
  /** Stand-in for an entity the caller is not allowed to view. */
  | 'RESTRICTED'
  /** An entity whose kind has no value of its own here. */
  | 'OTHER'
  /** A reusable definition applied to columns that mean the same. */
  | 'BUSINESS_ATTRIBUTE'
  /** The set that links all versions of one asset. */
  | 'VERSION_SET'
  /** A software application to which assets belong. */
  | 'APPLICATION'
  /** A text document kept in or linked to the catalog. */
  | 'DOCUMENT'
  /** The layout of a page built out of modules. */
  | 'DATAHUB_PAGE_TEMPLATE'
  /** A building block of a page layout. */
  | 'DATAHUB_PAGE_MODULE'
  /** A file uploaded to the catalog. */
  | 'DATAHUB_FILE'
  /** A business measure with a defined calculation. */
  | 'METRIC'
  /** A model that gives datasets business meaning, with measures and dimensions. */
  | 'SEMANTIC_MODEL';

/** Stages in the life of a policy. */
export type PolicyState =
  /** Being written and not enforced. */
  | 'DRAFT'
  /** In force when privileges are decided. */
  | 'ACTIVE'
  /** Switched off and not enforced. */
  | 'INACTIVE';

/** Role to give to, or take from, several actors at once. */
export type BatchAssignRoleInput = {
  /** Role that replaces each actor's current one; null removes it. */
  roleUrn?: string | null | undefined;
  /** URNs of the users or groups whose role changes. */
  actors: Array<string>;
};

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
