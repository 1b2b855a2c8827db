// Written by scripts/codegen.mjs: the types of the schema that operations use; not to be edited.

/** How long an access token stays valid. */
export type AccessTokenDuration =
  /** Valid for one hour. */
  | 'ONE_HOUR'
  /** Valid for one day. */
  | 'ONE_DAY'
  /** Valid for 7 days. */
  | 'ONE_WEEK'
  /** Valid for 30 days. */
  | 'ONE_MONTH'
  /** Valid for 90 days. */
  | 'THREE_MONTHS'
  /** Valid for 180 days. */
  | 'SIX_MONTHS'
  /** Valid for 365 days. */
  | 'ONE_YEAR'
  /** Valid until it is revoked. */
  | 'NO_EXPIRY';

/** What narrows the rights of an access token. An extension of this server. */
export type AccessTokenScopeInput = {
  /** Whether the token reads and never writes; false by default. */
  readOnly?: boolean | null | undefined;
  /** Ids of the only privileges the token is to have; absent or empty does not narrow. */
  privileges?: Array<string> | null | undefined;
  /** Criteria that resources must all meet; absent or empty does not narrow. */
  resources?: Array<PolicyMatchCriterionInput> | null | undefined;
};

/** Kind of actor an access token stands for. */
export type AccessTokenType =
  /** Token that acts as a person. */
  | 'PERSONAL'
  /** Token that acts as a service account. */
  | 'SERVICE_ACCOUNT';

/** Users to add to a group as native members. */
export type AddGroupMembersInput = {
  /** URN of the group; must exist and not be ingested from outside. */
  groupUrn: string;
  /** URNs of the users to add; existing members are accepted silently. */
  userUrns: Array<string>;
};

/** A group of filters that must all match. */
export type AndFilterInput = {
  /** Filters of the group; an empty list matches everything. */
  and?: Array<FacetFilterInput> | null | undefined;
};

/** Arguments for completing typed text across several entity types. */
export type AutoCompleteMultipleInput = {
  /** Entity types to complete within; absent means the default autocomplete types. */
  types?: Array<EntityType> | null | undefined;
  /** Text typed so far; an empty text is an error. */
  query: string;
  /** Search field to complete on; absent means each type's name-like fields. */
  field?: string | null | undefined;
  /** Greatest number of suggestions to return per entity type, 5 by default. */
  limit?: number | null | undefined;
  /** Filters that must all match; ignored when orFilters is given. */
  filters?: Array<FacetFilterInput> | null | undefined;
  /** Filter groups of which at least one must match fully. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** View whose types and filter also restrict the suggestions. */
  viewUrn?: string | null | undefined;
};

/** Role to give to, or take from, several actors at once. */
export type BatchAssignRoleInput = {
  /** Role that replaces each actor's current one; null removes it. */
  roleUrn?: string | null | undefined;
  /** URNs of the users or groups whose role changes. */
  actors: Array<string>;
};

/** Changes to the user-edited details of a group. */
export type CorpGroupUpdateInput = {
  /** New text about the group. */
  description?: string | null | undefined;
  /** New Slack channel of the group. */
  slack?: string | null | undefined;
  /** New contact address of the group. */
  email?: string | null | undefined;
  /** New picture address; https to a public host, or a relative assets path. */
  pictureLink?: string | null | undefined;
};

/** State of a user account with regard to signing in. */
export type CorpUserStatus =
  /** The account may sign in and use its tokens. */
  | 'ACTIVE'
  /** The account is blocked and its tokens are refused. */
  | 'SUSPENDED';

/** Changes to the profile details of a user. */
export type CorpUserUpdateInput = {
  /** New label for the user. */
  displayName?: string | null | undefined;
  /** New job title shown in the profile. */
  title?: string | null | undefined;
  /** New text in which the user introduces itself. */
  aboutMe?: string | null | undefined;
  /** New list of teams, as free text. */
  teams?: Array<string> | null | undefined;
  /** New list of skills, as free text. */
  skills?: Array<string> | null | undefined;
  /** New picture address; https to a public host, or a relative assets path. */
  pictureLink?: string | null | undefined;
  /** New Slack handle of the user. */
  slack?: string | null | undefined;
  /** New telephone number of the user. */
  phone?: string | null | undefined;
  /** New contact address of the user. */
  email?: string | null | undefined;
  /** URNs of the data platforms the user works with. */
  platformUrns?: Array<string> | null | undefined;
  /** URN of the persona that describes the work of the user. */
  personaUrn?: string | null | undefined;
};

/** Details of an access token to be issued. */
export type CreateAccessTokenInput = {
  /** Whether the token is for a person or a service account. */
  type: AccessTokenType;
  /** URN of the user the token will act as. */
  actorUrn: string;
  /** How long the token stays valid. */
  duration: AccessTokenDuration;
  /** Display name of the token; need not be unique. */
  name: string;
  /** What the token is for. */
  description?: string | null | undefined;
  /** What narrows the token; absent leaves it all rights of its user. An extension of this server. */
  scope?: AccessTokenScopeInput | null | undefined;
};

/** Details of a native group to create. */
export type CreateGroupInput = {
  /** Id part of the new URN; a random UUID when absent. */
  id?: string | null | undefined;
  /** Label of the new group. */
  name: string;
  /** Text about the new group; may be left out. */
  description?: string | null | undefined;
};

/** Details of a service account to be created. */
export type CreateServiceAccountInput = {
  /** Name shown to users; may be absent. */
  displayName?: string | null | undefined;
  /** What the service account is for. */
  description?: string | null | undefined;
};

/** Contents of a metadata test to be created. */
export type CreateTestInput = {
  /** Id part of the new URN; random when absent, refused when taken. */
  id?: string | null | undefined;
  /** Display name of the test. */
  name: string;
  /** Free label used to group tests. */
  category: string;
  /** What the test checks and why. */
  description?: string | null | undefined;
  /** Rules of the test; what is wrong with them is refused, an empty object is a draft. */
  definition: TestDefinitionInput;
};

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

/** Actor and optional resource whose effective privileges are asked for. */
export type GetGrantedPrivilegesInput = {
  /** User to evaluate; anyone but oneself requires the right to manage policies. */
  actorUrn: string;
  /** Resource to evaluate against; leave out for platform privileges. */
  resourceSpec?: ResourceSpec | null | undefined;
  /** Whether to explain policy decisions, default false; honoured for policy managers only. */
  includeEvaluationDetails?: boolean | null | undefined;
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

/** Page and filters for listing access tokens. */
export type ListAccessTokenInput = {
  /** Number of tokens to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 20 by default. */
  count?: number | null | undefined;
  /** Conditions on owner, actor, name or expiry; others' tokens need privilege. */
  filters?: Array<FacetFilterInput> | null | undefined;
};

/** Paging and search text for a list of groups. */
export type ListGroupsInput = {
  /** Offset of the first group to return; default 0. */
  start?: number | null | undefined;
  /** Largest number of groups to return; default 20. */
  count?: number | null | undefined;
  /** Search text that groups must match; empty means all groups. */
  query?: string | null | undefined;
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

/** Page and query for listing service accounts. */
export type ListServiceAccountsInput = {
  /** Number of accounts to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 10 by default. */
  count?: number | null | undefined;
  /** Search text; absent or empty lists all. */
  query?: string | null | undefined;
};

/** Page and query for listing metadata tests. */
export type ListTestsInput = {
  /** Number of tests to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 20 by default. */
  count?: number | null | undefined;
  /** Search text; absent or empty lists all. */
  query?: string | null | undefined;
};

/** Paging and search text for a list of users. */
export type ListUsersInput = {
  /** Offset of the first user to return; default 0. */
  start?: number | null | undefined;
  /** Largest number of users to return; default 20. */
  count?: number | null | undefined;
  /** Search text that users must match; empty means all users. */
  query?: string | null | undefined;
};

/** Places where an entity can come from. */
export type OriginType =
  /** Created inside the catalog. */
  | 'NATIVE'
  /** Brought in from another system, such as an identity provider. */
  | 'EXTERNAL'
  /** The place of origin was not recorded. */
  | 'UNKNOWN';

/** Ways a policy criterion compares a resource field with its values. */
export type PolicyMatchCondition =
  /** The field equals one of the values. */
  | 'EQUALS'
  /** The field begins with one of the values. */
  | 'STARTS_WITH'
  /** The field equals none of the values. */
  | 'NOT_EQUALS';

/** One condition a resource must meet, as supplied by the caller. */
export type PolicyMatchCriterionInput = {
  /** Resource attribute to compare; must be a known one such as TYPE or DOMAIN. */
  field: string;
  /** Values to compare with, as URNs or type names. */
  values: Array<string>;
  /** How to compare the attribute with the values. */
  condition: PolicyMatchCondition;
};

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

/** Users to take out of a group. */
export type RemoveGroupMembersInput = {
  /** URN of the group to change; must exist. */
  groupUrn: string;
  /** URNs of the users to remove; non-members are ignored. */
  userUrns: Array<string>;
};

/** A resource for which privileges are evaluated. */
export type ResourceSpec = {
  /** Entity type of the resource. */
  resourceType: EntityType;
  /** URN of the resource. */
  resourceUrn: string;
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

/** Direction of a sort. */
export type SortOrder =
  /** Smallest or earliest value first. */
  | 'ASCENDING'
  /** Largest or latest value first. */
  | 'DESCENDING';

/** Rules to store for a metadata test. */
export type TestDefinitionInput = {
  /** JSON text with the selection, rules and actions. */
  json?: string | null | undefined;
};

/** Where an evaluation of all assets is. */
export type TestRunState =
  /** It waits until others have ended. */
  | 'QUEUED'
  /** It goes on, also after a restart of the service. */
  | 'RUNNING'
  /** It has evaluated all assets. */
  | 'SUCCEEDED'
  /** It has ended with an error. */
  | 'FAILED'
  /** Somebody stopped it. */
  | 'CANCELLED';

/** Whether a metadata test could be evaluated. */
export type TestRunStatus =
  /** It was evaluated about all assets. */
  | 'COMPLETE'
  /** Its definition is not valid. */
  | 'ERROR';

/** Why an evaluation of all assets began. */
export type TestRunTrigger =
  /** Somebody asked for it. */
  | 'REQUEST'
  /** Its period has passed. */
  | 'SCHEDULE'
  /** A test was written, or changes were missed. */
  | 'CHANGE';

/** Page of evaluations of all assets. */
export type TestRunsInput = {
  /** URN of a test whose own evaluations are wanted; absent for all. */
  testUrn?: string | null | undefined;
  /** States that are wanted; absent or empty for all. */
  states?: Array<TestRunState> | null | undefined;
  /** How many to pass over; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 20 by default, 100 at most. */
  count?: number | null | undefined;
};

/** New contents of a metadata test, replacing all of the old. */
export type UpdateTestInput = {
  /** Display name of the test. */
  name: string;
  /** Free label used to group tests. */
  category: string;
  /** What the test checks and why; absent removes it. */
  description?: string | null | undefined;
  /** Rules of the test; what is wrong with them is refused, an empty object is a draft. */
  definition: TestDefinitionInput;
};
