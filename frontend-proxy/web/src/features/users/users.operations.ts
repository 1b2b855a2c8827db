// Written by scripts/codegen.mjs from users.graphql and the schema; not to be edited.
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

/** Role to give to, or take from, several actors at once. */
export type BatchAssignRoleInput = {
  /** Role that replaces each actor's current one; null removes it. */
  roleUrn?: string | null | undefined;
  /** URNs of the users or groups whose role changes. */
  actors: Array<string>;
};

/** Direction of a sort. */
export type SortOrder =
  /** Smallest or earliest value first. */
  | 'ASCENDING'
  /** Largest or latest value first. */
  | 'DESCENDING';

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

/** A rule that replaces hits of one type by their parent type. */
export type GroupingCriterion = {
  /** Type of the hits to roll up; absent means any type. */
  baseEntityType?: EntityType | null | undefined;
  /** Type that hits are rolled up into. */
  groupingEntityType: EntityType;
};

/** Instructions for rolling up search hits into other entities. */
export type GroupingSpec = {
  /** Roll-up rules to apply, for instance schema fields into datasets. */
  groupingCriteria?: Array<GroupingCriterion> | null | undefined;
};

/** Arguments for a search over several entity types. */
export type SearchAcrossEntitiesInput = {
  /** Entity types to search; absent means the default search types. */
  types?: Array<EntityType> | null | undefined;
  /** Search text; empty or an asterisk matches everything. */
  query: string;
  /** Offset of the first hit, 0 by default. */
  start?: number | null | undefined;
  /** Page size, 10 by default. */
  count?: number | null | undefined;
  /**
   * Filters that must all match; use orFilters instead.
   * @deprecated No longer supported
   */
  filters?: Array<FacetFilterInput> | null | undefined;
  /** Filter groups of which at least one must match fully. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** View whose types and filter also restrict the result. */
  viewUrn?: string | null | undefined;
  /** Options that adjust how the search is run. */
  searchFlags?: SearchFlags | null | undefined;
  /** Sort order of the hits; absent means by relevance score. */
  sortInput?: SearchSortInput | null | undefined;
};

/** Options that adjust how a search is run and what it returns. */
export type SearchFlags = {
  /** True bypasses cached results; false by default. */
  skipCache?: boolean | null | undefined;
  /** Most values returned per facet, 20 by default and 60 at most. */
  maxAggValues?: number | null | undefined;
  /** True, the default, reads the query as plain words; false as a query-string expression. */
  fulltext?: boolean | null | undefined;
  /** True leaves matchedFields empty, which saves work; false by default. */
  skipHighlighting?: boolean | null | undefined;
  /** True leaves the facet list empty, which saves work; false by default. */
  skipAggregates?: boolean | null | undefined;
  /** True asks for spelling suggestions; false by default. */
  getSuggestions?: boolean | null | undefined;
  /** Rules for rolling up hits into parent entities. */
  groupingSpec?: GroupingSpec | null | undefined;
  /** True also returns soft-deleted entities; false by default. */
  includeSoftDeleted?: boolean | null | undefined;
  /** True shows entities the caller may not view as restricted ones; false by default. */
  includeRestricted?: boolean | null | undefined;
  /** Extra search fields to report in matchedFields. */
  customHighlightingFields?: Array<string> | null | undefined;
  /** True adds facets for structured properties shown as filters; false by default. */
  includeStructuredPropertyFacets?: boolean | null | undefined;
  /** Leaves out old versions of versioned entities; true by default. */
  filterNonLatestVersions?: boolean | null | undefined;
  /** True also returns entities in lifecycle stages that are normally hidden. */
  includeHiddenLifecycleStages?: boolean | null | undefined;
};

/** Sort order for search hits. */
export type SearchSortInput = {
  /**
   * Single sort key; use sortCriteria instead.
   * @deprecated No longer supported
   */
  sortCriterion?: SortCriterion | null | undefined;
  /** Sort keys, most significant first; unknown fields are ignored. */
  sortCriteria?: Array<SortCriterion> | null | undefined;
};

/** One sort key and its direction. */
export type SortCriterion = {
  /** Search field to sort by; an unknown field is ignored. */
  field: string;
  /** Direction to sort in. */
  sortOrder: SortOrder;
};

/** State of a user account with regard to signing in. */
export type CorpUserStatus =
  /** The account may sign in and use its tokens. */
  | 'ACTIVE'
  /** The account is blocked and its tokens are refused. */
  | 'SUSPENDED';

/** Paging and search text for a list of users. */
export type ListUsersInput = {
  /** Offset of the first user to return; default 0. */
  start?: number | null | undefined;
  /** Largest number of users to return; default 20. */
  count?: number | null | undefined;
  /** Search text that users must match; empty means all users. */
  query?: string | null | undefined;
};

export type UsersQueryVariables = Exact<{
  page: SearchAcrossEntitiesInput;
  all: SearchAcrossEntitiesInput;
  suspended: SearchAcrossEntitiesInput;
}>;


export type UsersQuery = { page: { total: number, searchResults: Array<{ entity:
        | { urn: string, username: string, status: CorpUserStatus | null, isNativeUser: boolean | null, properties: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties: { displayName: string | null } | null, roles: { relationships: Array<{ entity:
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
                | { urn: string, roleName: string }
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
                | { name: string, urn: string, properties: { displayName: string | null } | null }
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | Record<PropertyKey, never>
       }> } | null, all: { total: number } | null, suspended: { total: number } | null };

export type UsersToResetQueryVariables = Exact<{
  input: ListUsersInput;
}>;


export type UsersToResetQuery = { listUsers: { total: number, users: Array<{ urn: string, username: string, status: CorpUserStatus | null, isNativeUser: boolean | null, properties: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties: { displayName: string | null } | null, roles: { relationships: Array<{ entity:
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
            | { urn: string, roleName: string }
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
            | { name: string, urn: string, properties: { displayName: string | null } | null }
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null }> } | null }> } | null };

export type ListedFragment = { urn: string, username: string, status: CorpUserStatus | null, isNativeUser: boolean | null, properties: { displayName: string | null, fullName: string | null, email: string | null } | null, editableProperties: { displayName: string | null } | null, roles: { relationships: Array<{ entity:
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
        | { urn: string, roleName: string }
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
        | { name: string, urn: string, properties: { displayName: string | null } | null }
        | { urn: string }
        | { urn: string }
        | { urn: string }
       | null }> } | null };

export type RoleNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type RoleNamesQuery = { listRoles: { roles: Array<{ urn: string, name: string }> } | null };

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


export type MakeResetLinkMutation = { createNativeUserResetToken: { resetToken: string } | null };

export type InvitationQueryVariables = Exact<{
  role?: string | null | undefined;
}>;


export type InvitationQuery = { getInviteToken: { inviteToken: string } | null };

export type RenewInvitationMutationVariables = Exact<{
  role?: string | null | undefined;
}>;


export type RenewInvitationMutation = { createInviteToken: { inviteToken: string } | null };

export const Users = "query Users($page:SearchAcrossEntitiesInput!$all:SearchAcrossEntitiesInput!$suspended:SearchAcrossEntitiesInput!){page:searchUsers(input:$page){total searchResults{entity{...Listed}}}all:searchUsers(input:$all){total}suspended:searchUsers(input:$suspended){total}}fragment Listed on CorpUser{urn username status isNativeUser properties{displayName fullName email}editableProperties{displayName}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:10}){relationships{entity{urn ...on DataHubRole{roleName:name}}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:10}){total relationships{entity{urn ...on CorpGroup{name properties{displayName}}}}}}" as unknown as Operation<UsersQuery, UsersQueryVariables>;

export const UsersToReset = "query UsersToReset($input:ListUsersInput!){listUsers(input:$input){total users{...Listed}}}fragment Listed on CorpUser{urn username status isNativeUser properties{displayName fullName email}editableProperties{displayName}roles:relationships(input:{types:[\"IsMemberOfRole\"]direction:OUTGOING start:0 count:10}){relationships{entity{urn ...on DataHubRole{roleName:name}}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:10}){total relationships{entity{urn ...on CorpGroup{name properties{displayName}}}}}}" as unknown as Operation<UsersToResetQuery, UsersToResetQueryVariables>;

export const RoleNames = "query RoleNames{listRoles(input:{start:0 count:100}){roles{urn name}}}" as unknown as Operation<RoleNamesQuery, RoleNamesQueryVariables>;

export const AssignRole = "mutation AssignRole($input:BatchAssignRoleInput!){batchAssignRole(input:$input)}" as unknown as Operation<AssignRoleMutation, AssignRoleMutationVariables>;

export const SetUserStatus = "mutation SetUserStatus($urn:String!$status:CorpUserStatus!){updateUserStatus(urn:$urn status:$status)}" as unknown as Operation<SetUserStatusMutation, SetUserStatusMutationVariables>;

export const RemoveUser = "mutation RemoveUser($urn:String!){removeUser(urn:$urn)}" as unknown as Operation<RemoveUserMutation, RemoveUserMutationVariables>;

export const MakeResetLink = "mutation MakeResetLink($urn:String!){createNativeUserResetToken(input:{userUrn:$urn}){resetToken}}" as unknown as Operation<MakeResetLinkMutation, MakeResetLinkMutationVariables>;

export const Invitation = "query Invitation($role:String){getInviteToken(input:{roleUrn:$role}){inviteToken}}" as unknown as Operation<InvitationQuery, InvitationQueryVariables>;

export const RenewInvitation = "mutation RenewInvitation($role:String){createInviteToken(input:{roleUrn:$role}){inviteToken}}" as unknown as Operation<RenewInvitationMutation, RenewInvitationMutationVariables>;
