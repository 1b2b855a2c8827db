// Written by scripts/codegen.mjs from policies.graphql and the schema; not to be edited.
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

/** How a filter compares a field with its values. */
export type FilterOperator =
  /** The field contains a value as a substring, ignoring case. */
  | 'CONTAIN'
  /** The field is exactly one of the values; used when no condition is given. */
  | 'EQUAL'
  /** The field is one of the values, ignoring case. */
  | 'IEQUAL'
  /** The field is exactly one of the values; same as EQUAL. */
  | 'IN'
  /** The field has any value; the given values are ignored. */
  | 'EXISTS'
  /** The number or date is strictly above the value. */
  | 'GREATER_THAN'
  /** The number or date is at or above the value. */
  | 'GREATER_THAN_OR_EQUAL_TO'
  /** The number or date is strictly below the value. */
  | 'LESS_THAN'
  /** The number or date is at or below the value. */
  | 'LESS_THAN_OR_EQUAL_TO'
  /** The field begins with a value, ignoring case. */
  | 'START_WITH'
  /** The field finishes with a value, ignoring case. */
  | 'END_WITH'
  /** The field is a given URN or lies below it in its hierarchy. */
  | 'DESCENDANTS_INCL'
  /** The field is a given URN or lies above it in its hierarchy. */
  | 'ANCESTORS_INCL'
  /** The field is a given URN or lies above or below it. */
  | 'RELATED_INCL';

/** Ways a policy criterion compares a resource field with its values. */
export type PolicyMatchCondition =
  /** The field equals one of the values. */
  | 'EQUALS'
  /** The field begins with one of the values. */
  | 'STARTS_WITH'
  /** The field equals none of the values. */
  | 'NOT_EQUALS';

/** Stages in the life of a policy. */
export type PolicyState =
  /** Being written and not enforced. */
  | 'DRAFT'
  /** In force when privileges are decided. */
  | 'ACTIVE'
  /** Switched off and not enforced. */
  | 'INACTIVE';

/** Kinds of policy, by what their privileges apply to. */
export type PolicyType =
  /** Grants privileges on catalog entities. */
  | 'METADATA'
  /** Grants platform-wide privileges, not tied to an entity. */
  | 'PLATFORM';

/** Actor and optional resource whose effective privileges are asked for. */
export type GetGrantedPrivilegesInput = {
  /** User to evaluate; anyone but oneself requires the right to manage policies. */
  actorUrn: string;
  /** Resource to evaluate against; leave out for platform privileges. */
  resourceSpec?: ResourceSpec | null | undefined;
  /** Whether to explain policy decisions, default false; honoured for policy managers only. */
  includeEvaluationDetails?: boolean | null | undefined;
};

/** Paging and filtering of the list of policies. */
export type ListPoliciesInput = {
  /** Offset of the first policy, default 0. */
  start?: number | null | undefined;
  /** Page size, 20 by default. */
  count?: number | null | undefined;
  /** Search text; empty by default, which lists every policy. */
  query?: string | null | undefined;
  /** Extra conditions; all of them must hold, whatever their grouping. */
  orFilters?: Array<AndFilterInput> | null | undefined;
};

/** A resource for which privileges are evaluated. */
export type ResourceSpec = {
  /** Entity type of the resource. */
  resourceType: EntityType;
  /** URN of the resource. */
  resourceUrn: string;
};

/** A group of filters that must all match. */
export type AndFilterInput = {
  /** Filters of the group; an empty list matches everything. */
  and?: Array<FacetFilterInput> | null | undefined;
};

/** A filter on one search field. */
export type FacetFilterInput = {
  /** Search field of the model to filter on, not a GraphQL field name. */
  field: string;
  /** Values of which any may match; when empty, conditions needing values match nothing. */
  values?: Array<string> | null | undefined;
  /** True keeps entities that do not match; false by default. */
  negated?: boolean | null | undefined;
  /** How values are compared; EQUAL by default. */
  condition?: FilterOperator | null | undefined;
};

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
