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

/** Limits on the privileges of an access token. An extension of this server. */
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

/** A documentation link to add to an entity. */
export type AddLinkInput = {
  /** Address of the page; an existing pair of address and label is refused. */
  linkUrl: string;
  /** Text shown for the link. */
  label: string;
  /** URN of the entity to attach the link to. */
  resourceUrn: string;
  /** Display settings of the link; absent means the defaults. */
  settings?: LinkSettingsInput | null | undefined;
};

/** One owner to add to one asset. */
export type AddOwnerInput = {
  /** URN of the user or group; it must exist. */
  ownerUrn: string;
  /** Whether the owner is a user or a group; must agree with the URN. */
  ownerEntityType: OwnerEntityType;
  /**
   * Built-in kind of ownership; use ownershipTypeUrn instead.
   * @deprecated No longer supported
   */
  type?: OwnershipType | null | undefined;
  /** URN of the ownership type; required unless the older type is given. */
  ownershipTypeUrn?: string | null | undefined;
  /** URN of the asset that gets the owner. */
  resourceUrn: string;
};

/** Several owners to add to one asset. */
export type AddOwnersInput = {
  /** Owners to add; an existing pair of owner and type is replaced. */
  owners: Array<OwnerInput>;
  /** URN of the asset that gets the owners. */
  resourceUrn: string;
};

/** Tags to add to one asset or one of its fields. */
export type AddTagsInput = {
  /** URNs of the tags to add; each must exist. */
  tagUrns: Array<string>;
  /** URN of the asset to tag; it must exist. */
  resourceUrn: string;
  /** Kind of part to tag; required together with subResource. */
  subResourceType?: SubResourceType | null | undefined;
  /** Field path to tag; leave out to tag the asset itself. */
  subResource?: string | null | undefined;
};

/** Glossary terms to attach to one asset or column. */
export type AddTermsInput = {
  /** Terms to attach; each must exist, those already present are kept. */
  termUrns: Array<string>;
  /** Asset to label, or the one that owns the column. */
  resourceUrn: string;
  /** Kind of part to label; required together with subResource. */
  subResourceType?: SubResourceType | null | undefined;
  /** Field path of the column; absent labels the asset itself. */
  subResource?: string | null | undefined;
};

/** Arguments for computing facet counts without returning entities. */
export type AggregateAcrossEntitiesInput = {
  /** Entity types to count over; absent means the default search types. */
  types?: Array<EntityType> | null | undefined;
  /** Search text; empty or an asterisk matches everything. */
  query: string;
  /** Facet fields to compute; absent means the default facets. */
  facets?: Array<string | null | undefined> | null | undefined;
  /** Filter groups of which at least one must match fully. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** View whose types and filter also restrict the counts. */
  viewUrn?: string | null | undefined;
  /** Options that adjust how the search is run. */
  searchFlags?: SearchFlags | null | undefined;
};

/** Value to be accepted by a structured property. */
export type AllowedValueInput = {
  /** Accepted text; leave absent for a numeric value. */
  stringValue?: string | null | undefined;
  /** Accepted number; leave absent for a text value. */
  numberValue?: number | null | undefined;
  /** Meaning of the value, for display. */
  description?: string | null | undefined;
};

/** A group of filters that must all match. */
export type AndFilterInput = {
  /** Filters of the group; an empty list matches everything. */
  and?: Array<FacetFilterInput> | null | undefined;
};

/** Categories of errors met while evaluating an assertion. */
export type AssertionResultErrorType =
  /** The data source could not be reached. */
  | 'SOURCE_CONNECTION_ERROR'
  /** The data source refused or failed the query. */
  | 'SOURCE_QUERY_FAILED'
  /** The assertion's parameters are missing or make no sense. */
  | 'INVALID_PARAMETERS'
  /** Too little data was available to reach a verdict. */
  | 'INSUFFICIENT_DATA'
  /** The chosen kind of data source does not suit the check. */
  | 'INVALID_SOURCE_TYPE'
  /** The asset's platform cannot be checked this way. */
  | 'UNSUPPORTED_PLATFORM'
  /** The user-written SQL statement could not be run. */
  | 'CUSTOM_SQL_ERROR'
  /** The check on a column could not be run. */
  | 'FIELD_ASSERTION_ERROR'
  /** Any error that fits no other category. */
  | 'UNKNOWN_ERROR';

/** Grades of seriousness for an assertion result. */
export type AssertionResultSeverity =
  /** Minor problem that needs no urgent attention. */
  | 'LOW'
  /** Noticeable problem that should be looked at. */
  | 'MEDIUM'
  /** Serious problem that calls for prompt action. */
  | 'HIGH';

/** Possible verdicts of an assertion run. */
export type AssertionResultType =
  /** The check is still being set up, so there is no verdict yet. */
  | 'INIT'
  /** The check ran and the expectation held. */
  | 'SUCCESS'
  /** The expectation was broken. */
  | 'FAILURE'
  /** The check could not be evaluated. */
  | 'ERROR';

/** Ways an assertion definition can come into being. */
export type AssertionSourceType =
  /** Defined by a user directly in the catalog. */
  | 'NATIVE'
  /** Defined in another tool and brought in from there. */
  | 'EXTERNAL'
  /** Derived automatically by the catalog. */
  | 'INFERRED';

/** Standard ways to reduce the checked data to one value. */
export type AssertionStdAggregation =
  /** No reduction; every value is checked as it is. */
  | 'IDENTITY'
  /** Average of the column values. */
  | 'MEAN'
  /** Middle value of the column. */
  | 'MEDIAN'
  /** Number of distinct values in the column. */
  | 'UNIQUE_COUNT'
  /** Distinct values as a share of all rows; the misspelling is part of the name. */
  | 'UNIQUE_PROPOTION'
  /** Number of null values in the column. */
  | 'NULL_COUNT'
  /** Null values as a share of all rows. */
  | 'NULL_PROPORTION'
  /** Standard deviation of the column values. */
  | 'STDDEV'
  /** Smallest value in the column. */
  | 'MIN'
  /** Largest value in the column. */
  | 'MAX'
  /** Total of the column values. */
  | 'SUM'
  /** The set of all columns, for checks on the schema. */
  | 'COLUMNS'
  /** Number of columns, for checks on the schema. */
  | 'COLUMN_COUNT'
  /** Number of rows in the dataset. */
  | 'ROW_COUNT'
  /** An aggregation known only to the evaluating tool. */
  | '_NATIVE_';

/** Standard comparisons between an observed value and the parameters. */
export type AssertionStdOperator =
  /** Lies between the minimum and maximum parameters. */
  | 'BETWEEN'
  /** Is strictly below the value parameter. */
  | 'LESS_THAN'
  /** Is below or equal to the value parameter. */
  | 'LESS_THAN_OR_EQUAL_TO'
  /** Is strictly above the value parameter. */
  | 'GREATER_THAN'
  /** Is above or equal to the value parameter. */
  | 'GREATER_THAN_OR_EQUAL_TO'
  /** Is the same as the value parameter. */
  | 'EQUAL_TO'
  /** Differs from the value parameter. */
  | 'NOT_EQUAL_TO'
  /** Is null; no parameter is used. */
  | 'NULL'
  /** Is not null; no parameter is used. */
  | 'NOT_NULL'
  /** Includes the value parameter. */
  | 'CONTAIN'
  /** Ends with the value parameter. */
  | 'END_WITH'
  /** Begins with the value parameter. */
  | 'START_WITH'
  /** Matches the regular expression in the value parameter. */
  | 'REGEX_MATCH'
  /** Is one of the listed values. */
  | 'IN'
  /** Is none of the listed values. */
  | 'NOT_IN'
  /** Is boolean true; no parameter is used. */
  | 'IS_TRUE'
  /** Is boolean false; no parameter is used. */
  | 'IS_FALSE'
  /** A comparison known only to the evaluating tool. */
  | '_NATIVE_';

/** Kinds of assertions, by the checked property. */
export type AssertionType =
  /** General check on a dataset, as reported by outside tools. */
  | 'DATASET'
  /** Check that data changes on time. */
  | 'FRESHNESS'
  /** Check on the number of rows or its change. */
  | 'VOLUME'
  /** Check on the result of a SQL statement. */
  | 'SQL'
  /** Check on the values or a metric of one column. */
  | 'FIELD'
  /** Check on the columns a dataset should have. */
  | 'DATA_SCHEMA'
  /** Check of a user-defined kind. */
  | 'CUSTOM';

/** Ways to measure the change of a value between two runs. */
export type AssertionValueChangeType =
  /** Plain difference between the two values. */
  | 'ABSOLUTE'
  /** Difference as a percentage of the earlier value. */
  | 'PERCENTAGE';

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

/** Several owners to add to several assets. */
export type BatchAddOwnersInput = {
  /** Owners to add to every listed asset. */
  owners: Array<OwnerInput>;
  /** Ownership type for the call; normally given on each owner instead. */
  ownershipTypeUrn?: string | null | undefined;
  /** Assets that get the owners; owners cannot sit on single columns. */
  resources: Array<ResourceRefInput | null | undefined>;
};

/** Tags to add to several assets or fields at once. */
export type BatchAddTagsInput = {
  /** URNs of the tags to add; each must exist. */
  tagUrns: Array<string>;
  /** Assets or fields that receive every one of the tags. */
  resources: Array<ResourceRefInput>;
};

/** Glossary terms to attach to several assets or columns. */
export type BatchAddTermsInput = {
  /** Terms to attach to each of them; each term must exist. */
  termUrns: Array<string>;
  /** Assets or columns to label. */
  resources: Array<ResourceRefInput | null | undefined>;
};

/** Form to assign and the entities that receive it. */
export type BatchAssignFormInput = {
  /** URN of the form to assign. */
  formUrn: string;
  /** URNs of the entities that should carry the form. */
  entityUrns: Array<string>;
};

/** Role to give to, or take from, several actors at once. */
export type BatchAssignRoleInput = {
  /** Role that replaces each actor's current one; null removes it. */
  roleUrn?: string | null | undefined;
  /** URNs of the users or groups whose role changes. */
  actors: Array<string>;
};

/** Form to remove and the entities that lose it. */
export type BatchRemoveFormInput = {
  /** URN of the form to remove. */
  formUrn: string;
  /** URNs of the entities from which the form is taken. */
  entityUrns: Array<string>;
};

/** Tags to remove from several assets or fields at once. */
export type BatchRemoveTagsInput = {
  /** URNs of the tags to remove; they need not exist any more. */
  tagUrns: Array<string>;
  /** Assets or fields that lose every one of the tags. */
  resources: Array<ResourceRefInput | null | undefined>;
};

/** Glossary terms to take off several assets or columns. */
export type BatchRemoveTermsInput = {
  /** Terms to take off; absent ones are skipped without error. */
  termUrns: Array<string>;
  /** Assets or columns to take the terms off. */
  resources: Array<ResourceRefInput | null | undefined>;
};

/** Assets to put into one application, or to take out. */
export type BatchSetApplicationInput = {
  /** URN of the application; null takes the assets out of theirs. */
  applicationUrn?: string | null | undefined;
  /** URNs of the assets concerned. */
  resourceUrns: Array<string>;
};

/** Assets to put into one data product, or to take out. */
export type BatchSetDataProductInput = {
  /** URN of the data product; null takes the assets out of theirs. */
  dataProductUrn?: string | null | undefined;
  /** URNs of the assets to move. */
  resourceUrns: Array<string>;
};

/** A domain to set on several assets at once. */
export type BatchSetDomainInput = {
  /** URN of the domain; null clears the domain of the assets. */
  domainUrn?: string | null | undefined;
  /** Assets whose domain is replaced. */
  resources: Array<ResourceRefInput>;
};

/** Assets to take out of one application. */
export type BatchUnsetApplicationInput = {
  /** URN of the application the assets leave. */
  applicationUrn: string;
  /** URNs of the assets to take out. */
  resourceUrns: Array<string>;
};

/** One deprecation state to set on several assets. */
export type BatchUpdateDeprecationInput = {
  /** True marks the assets as deprecated, false clears the mark. */
  deprecated: boolean;
  /** Planned removal time in epoch milliseconds; absent removes a stored one. */
  decommissionTime?: number | null | undefined;
  /** Reason or advice shown to users; stored as empty text when absent. */
  note?: string | null | undefined;
  /** Assets, or columns of assets, to change; each must exist. */
  resources: Array<ResourceRefInput | null | undefined>;
  /** URN of the entity to use instead; absent removes a stored one. */
  replacement?: string | null | undefined;
};

/** Entities to soft-delete or to restore. */
export type BatchUpdateSoftDeletedInput = {
  /** Entities to change; each must exist and be deletable by the caller. */
  urns: Array<string>;
  /** True hides the entities, false brings them back. */
  deleted: boolean;
};

/** Arguments for browsing the hierarchy. */
export type BrowseV2Input = {
  /** Single entity type to browse; types takes several. */
  type?: EntityType | null | undefined;
  /** Entity types to browse; with no type given, the default browse types. */
  types?: Array<EntityType> | null | undefined;
  /** Path segments from the root; absent means the root. */
  path?: Array<string> | null | undefined;
  /** Offset of the first folder, 0 by default. */
  start?: number | null | undefined;
  /** Page size, 10 by default. */
  count?: number | null | undefined;
  /** Filter groups of which at least one must match fully. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** View whose types and filter also restrict the counts. */
  viewUrn?: string | null | undefined;
  /** Search text that limits the entities counted; an asterisk by default. */
  query?: string | null | undefined;
  /** Options that adjust how the search is run. */
  searchFlags?: SearchFlags | null | undefined;
};

/** Area of an entity's metadata that a change touches. */
export type ChangeCategoryType =
  /** Descriptions and documentation links. */
  | 'DOCUMENTATION'
  /** Glossary terms attached to the entity or its fields. */
  | 'GLOSSARY_TERM'
  /** Owners of the entity. */
  | 'OWNERSHIP'
  /** Fields and types of the schema. */
  | 'TECHNICAL_SCHEMA'
  /** Tags attached to the entity or its fields. */
  | 'TAG'
  /** Parent of the entity in a hierarchy. */
  | 'PARENT'
  /** Links from the entity to related entities. */
  | 'RELATED_ENTITIES'
  /** Domain the entity belongs to. */
  | 'DOMAIN'
  /** Structured property values of the entity. */
  | 'STRUCTURED_PROPERTY'
  /** Applications the entity is assigned to. */
  | 'APPLICATION'
  /** Assets that belong to the entity, such as those of a data product. */
  | 'ASSET_MEMBERSHIP'
  /** Version links of the entity. */
  | 'VERSIONING';

/** Kind of change that was made. */
export type ChangeOperationType =
  /** Something new was added. */
  | 'ADD'
  /** Something that existed was altered. */
  | 'MODIFY'
  /** Something that existed was taken away. */
  | 'REMOVE';

/** User-typed values to store for a chart. */
export type ChartEditablePropertiesUpdate = {
  /** Description to store, replacing the previous edit. */
  description: string;
};

/** Visual forms a chart can have. */
export type ChartType =
  /** Bars whose lengths show amounts. */
  | 'BAR'
  /** Slices of a circle that show shares of a whole. */
  | 'PIE'
  /** Points placed by two values. */
  | 'SCATTER'
  /** Rows and columns of values. */
  | 'TABLE'
  /** Plain text or a single figure. */
  | 'TEXT'
  /** Points joined by lines, usually over time. */
  | 'LINE'
  /** Lines with the space below them filled. */
  | 'AREA'
  /** Bars that show how values are distributed. */
  | 'HISTOGRAM'
  /** Boxes that show quartiles and outliers. */
  | 'BOX_PLOT'
  /** Words sized by how often they occur. */
  | 'WORD_CLOUD'
  /** Behavior of groups that began at the same time. */
  | 'COHORT';

/** Parts of a chart to replace; absent parts stay as they are. */
export type ChartUpdateInput = {
  /** New owners, replacing all current ones. */
  ownership?: OwnershipUpdate | null | undefined;
  /** New tags, replacing all current ones; prefer tags. */
  globalTags?: GlobalTagsUpdate | null | undefined;
  /** New tags, replacing all current ones. */
  tags?: GlobalTagsUpdate | null | undefined;
  /** New user-typed values, such as the description. */
  editableProperties?: ChartEditablePropertiesUpdate | null | undefined;
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
  /** How long the token stays valid; exactly one of duration and durationIso is required. */
  duration?: AccessTokenDuration | null | undefined;
  /** How long the token stays valid, as an ISO 8601 period such as P30D; a month has 30 days, a year 365. */
  durationIso?: string | null | undefined;
  /** Display name of the token; need not be unique. */
  name: string;
  /** Purpose of the token. */
  description?: string | null | undefined;
  /** Scope of the token; absent gives it all privileges of its user. An extension of this server. */
  scope?: AccessTokenScopeInput | null | undefined;
};

/** Values for a new application. */
export type CreateApplicationInput = {
  /** Name and description of the new application. */
  properties: CreateApplicationPropertiesInput;
  /** URN of the domain to place it in; absent means no domain. */
  domainUrn?: string | null | undefined;
  /** Last part of the new URN; a random UUID when absent. */
  id?: string | null | undefined;
  /** Whether the caller becomes an owner of the new application. */
  shouldAddCreatorAsOwner?: boolean | null | undefined;
};

/** Descriptive values for a new application. */
export type CreateApplicationPropertiesInput = {
  /** Display name of the new application. */
  name: string;
  /** Readable explanation of the application. */
  description?: string | null | undefined;
  /** URN of the application above it; absent for a top-level one. */
  parentApplication?: string | null | undefined;
};

/** Values for a new data product. */
export type CreateDataProductInput = {
  /** Name, description and parent of the new data product. */
  properties: CreateDataProductPropertiesInput;
  /** URN of its domain, where the caller must be allowed to manage data products. */
  domainUrn: string;
  /** Last part of the new URN; a random UUID when absent. */
  id?: string | null | undefined;
};

/** Descriptive values for a new data product. */
export type CreateDataProductPropertiesInput = {
  /** Display name of the new data product. */
  name: string;
  /** Readable explanation of the data product. */
  description?: string | null | undefined;
  /** URN of the data product above it; absent for a top-level one. */
  parentDataProduct?: string | null | undefined;
};

/** Details of a domain to create. */
export type CreateDomainInput = {
  /** Id part of the new URN; a random UUID when absent. */
  id?: string | null | undefined;
  /** Label of the domain; must be unique among its siblings. */
  name: string;
  /** Text about the domain; may be left out. */
  description?: string | null | undefined;
  /** URN of the domain above; absent creates a root domain. */
  parentDomain?: string | null | undefined;
  /** Owners to record; without any, no owner is added. */
  owners?: Array<OwnerInput> | null | undefined;
};

/** Rule that assigns a form to every entity matching a filter. */
export type CreateDynamicFormAssignmentInput = {
  /** URN of the form to assign. */
  formUrn: string;
  /** Filter choosing the entities; any group of conditions may match. */
  orFilters: Array<AndFilterInput>;
};

/** Contents of a form to be created. */
export type CreateFormInput = {
  /** Id part of the new URN; random when absent. */
  id?: string | null | undefined;
  /** Display name of the form. */
  name: string;
  /** Purpose of the form, shown to respondents. */
  description?: string | null | undefined;
  /** Kind of form; completion by default. */
  type?: FormType | null | undefined;
  /** Questions of the form, in display order. */
  prompts?: Array<CreatePromptInput> | null | undefined;
  /** Users assigned to fill in the form; asset owners by default. */
  actors?: FormActorAssignmentInput | null | undefined;
};

/** A glossary term or node to create. */
export type CreateGlossaryEntityInput = {
  /** Id part of the new URN; a random one when absent. */
  id?: string | null | undefined;
  /** Display name; a term's must be unique under its parent. */
  name: string;
  /** Definition text; stored as empty text when absent. */
  description?: string | null | undefined;
  /** URN of the node to put it under; absent means the root. */
  parentNode?: string | null | undefined;
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

/** Announcement to be published. */
export type CreatePostInput = {
  /** Where the announcement is shown. */
  postType: PostType;
  /** Text, link and picture of the announcement. */
  content: UpdatePostContentInput;
  /** URN of the entity the announcement is about, for entity announcements. */
  resourceUrn?: string | null | undefined;
  /** Kind of part meant by the sub-resource, such as a dataset field. */
  subResourceType?: SubResourceType | null | undefined;
  /** Part of the entity the announcement is about, such as a field path. */
  subResource?: string | null | undefined;
};

/** Question to add to a form. */
export type CreatePromptInput = {
  /** Identifier unique across all forms; random when absent. */
  id?: string | null | undefined;
  /** Question text shown to the respondent. */
  title: string;
  /** Further explanation of the question. */
  description?: string | null | undefined;
  /** Kind of answer that the question expects. */
  type: FormPromptType;
  /** Structured property asked for; needed for the structured property types. */
  structuredPropertyParams?: StructuredPropertyParamsInput | null | undefined;
  /** Whether the form needs an answer to be complete; false by default. */
  required?: boolean | null | undefined;
};

/** A query to record in the catalog. */
export type CreateQueryInput = {
  /** Statement, name and description of the new query. */
  properties: CreateQueryPropertiesInput;
  /** Datasets the query is about; the caller needs query rights on each. */
  subjects: Array<CreateQuerySubjectInput>;
};

/** Descriptive values for a new query. */
export type CreateQueryPropertiesInput = {
  /** Display name; absent leaves the query unnamed. */
  name?: string | null | undefined;
  /** Purpose of the query; may be absent. */
  description?: string | null | undefined;
  /** Text and language of the query. */
  statement: QueryStatementInput;
};

/** A dataset that a new query is about. */
export type CreateQuerySubjectInput = {
  /** URN of that dataset. */
  datasetUrn: string;
};

/** A new secret for use in ingestion recipes. */
export type CreateSecretInput = {
  /** Name of the secret, also its id; must not be taken. */
  name: string;
  /** Plain text of the secret; it is stored encrypted. */
  value: string;
  /** Purpose of the secret; optional. */
  description?: string | null | undefined;
};

/** Details of a service account to be created. */
export type CreateServiceAccountInput = {
  /** Name shown to users; may be absent. */
  displayName?: string | null | undefined;
  /** Purpose of the service account. */
  description?: string | null | undefined;
};

/** Definition of a structured property to be created. */
export type CreateStructuredPropertyInput = {
  /** Id part of the new URN; a taken id is refused. */
  id?: string | null | undefined;
  /** Unique dotted name without spaces, used in search; cannot change later. */
  qualifiedName?: string | null | undefined;
  /** Name shown to users; may be absent. */
  displayName?: string | null | undefined;
  /** Purpose of the property. */
  description?: string | null | undefined;
  /** Whether values cannot be changed once set on an asset; false by default. */
  immutable?: boolean | null | undefined;
  /** URN of the data type of the values. */
  valueType: string;
  /** Narrows which entity types URN values may point to. */
  typeQualifier?: TypeQualifierInput | null | undefined;
  /** Closed list of accepted values; absent accepts any value of the type. */
  allowedValues?: Array<AllowedValueInput> | null | undefined;
  /** Whether an asset holds one value or several; single by default. */
  cardinality?: PropertyCardinality | null | undefined;
  /** URNs of the entity types that may carry the property. */
  entityTypes: Array<string>;
  /** URNs of the platforms whose assets may carry it; absent means all. */
  allowedPlatforms?: Array<string> | null | undefined;
  /** Where the property is shown; all switches off when absent. */
  settings?: StructuredPropertySettingsInput | null | undefined;
};

/** A new tag to create; its id is not derived from the name. */
export type CreateTagInput = {
  /** Id part of the new URN; a random one is used when absent. */
  id?: string | null | undefined;
  /** Display name of the tag; need not be unique. */
  name: string;
  /** Meaning of the tag; optional. */
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
  /** Subject and purpose of the test. */
  description?: string | null | undefined;
  /** Rules of the test; invalid rules are refused, an empty object is a draft. */
  definition: TestDefinitionInput;
};

/** Values for a new saved view. */
export type CreateViewInput = {
  /** Personal or global; a global view needs the right to manage global views. */
  viewType: DataHubViewType;
  /** Display name of the new view. */
  name: string;
  /** Readable explanation of the view. */
  description?: string | null | undefined;
  /** Entity types and conditions the view narrows searches to. */
  definition: DataHubViewDefinitionInput;
};

/** New user-typed details of a dashboard. */
export type DashboardEditablePropertiesUpdate = {
  /** New text about the dashboard; replaces the stored text. */
  description: string;
};

/** Parts of a dashboard to replace; absent parts stay as they are. */
export type DashboardUpdateInput = {
  /** Owners that replace the stored ones. */
  ownership?: OwnershipUpdate | null | undefined;
  /** Tags that replace the stored ones; use tags instead. */
  globalTags?: GlobalTagsUpdate | null | undefined;
  /** Tags that replace the stored ones. */
  tags?: GlobalTagsUpdate | null | undefined;
  /** User-typed details that replace the stored ones. */
  editableProperties?: DashboardEditablePropertiesUpdate | null | undefined;
};

/** New values for the user-editable part of a pipeline. */
export type DataFlowEditablePropertiesUpdate = {
  /** Documentation text that replaces the previous user-written one. */
  description: string;
};

/** Parts of a pipeline to replace; parts left out stay unchanged. */
export type DataFlowUpdateInput = {
  /** Complete new set of owners, replacing the stored one. */
  ownership?: OwnershipUpdate | null | undefined;
  /** Complete new set of tags under the older name; use tags instead. */
  globalTags?: GlobalTagsUpdate | null | undefined;
  /** Complete new set of tags, replacing the stored one. */
  tags?: GlobalTagsUpdate | null | undefined;
  /** User-entered values that replace the stored ones. */
  editableProperties?: DataFlowEditablePropertiesUpdate | null | undefined;
};

/** Criteria to which a view limits searches. */
export type DataHubViewDefinitionInput = {
  /** Entity types to keep; an empty list means all. */
  entityTypes: Array<EntityType>;
  /** Conditions entities must meet to be in the view. */
  filter: DataHubViewFilterInput;
};

/** Conditions for a view and how they combine. */
export type DataHubViewFilterInput = {
  /** Whether all conditions must hold or any one is enough. */
  operator: LogicalOperator;
  /** The single conditions; an empty list restricts nothing. */
  filters: Array<FacetFilterInput>;
};

/** Audiences of a saved view. */
export type DataHubViewType =
  /** Visible only to the user who made it. */
  | 'PERSONAL'
  /** Visible to every user. */
  | 'GLOBAL';

/** New values for the user-editable part of a job. */
export type DataJobEditablePropertiesUpdate = {
  /** Documentation text that replaces the previous user-written one. */
  description: string;
};

/** Parts of a job to replace; parts left out stay unchanged. */
export type DataJobUpdateInput = {
  /** Complete new set of owners, replacing the stored one. */
  ownership?: OwnershipUpdate | null | undefined;
  /** Complete new set of tags under the older name; use tags instead. */
  globalTags?: GlobalTagsUpdate | null | undefined;
  /** Complete new set of tags, replacing the stored one. */
  tags?: GlobalTagsUpdate | null | undefined;
  /** User-entered values that replace the stored ones. */
  editableProperties?: DataJobEditablePropertiesUpdate | null | undefined;
};

/** Normalised outcomes of an execution. */
export type DataProcessInstanceRunResultType =
  /** The execution finished as intended. */
  | 'SUCCESS'
  /** The execution ended with an error. */
  | 'FAILURE'
  /** The execution was passed over and did no work. */
  | 'SKIPPED'
  /** The execution failed and waits to be tried again. */
  | 'UP_FOR_RETRY';

/** Phases of an execution that are reported as events. */
export type DataProcessRunStatus =
  /** The execution has begun and not yet ended. */
  | 'STARTED'
  /** The execution has ended, whatever its outcome. */
  | 'COMPLETE';

/** Parts of a dataset an assertion may look at. */
export type DatasetAssertionScope =
  /** The values of one or more columns. */
  | 'DATASET_COLUMN'
  /** The rows as a whole, such as their number. */
  | 'DATASET_ROWS'
  /** The space the dataset takes in storage. */
  | 'DATASET_STORAGE_SIZE'
  /** The column structure of the dataset. */
  | 'DATASET_SCHEMA'
  /** The part was not recorded. */
  | 'UNKNOWN';

/** Spacing between the points of a time series. */
export type DateInterval =
  /** One point per second. */
  | 'SECOND'
  /** One point per minute. */
  | 'MINUTE'
  /** One point per hour. */
  | 'HOUR'
  /** One point per day. */
  | 'DAY'
  /** One point per week. */
  | 'WEEK'
  /** One point per calendar month. */
  | 'MONTH'
  /** One point per calendar year. */
  | 'YEAR';

/** Choice of the form to delete. */
export type DeleteFormInput = {
  /** URN of the form; its assignments are removed in the background. */
  urn: string;
};

/** New documentation text for an entity or one of its columns. */
export type DescriptionUpdateInput = {
  /** Text to store, replacing the previous edit. */
  description: string;
  /** Entity that is described, or that owns the column. */
  resourceUrn: string;
  /** Kind of part described; required together with subResource. */
  subResourceType?: SubResourceType | null | undefined;
  /** Field path of the column; absent to describe the entity itself. */
  subResource?: string | null | undefined;
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

/** An entity type narrowed to certain data platforms. */
export type EntityTypeToPlatforms = {
  /** Entity type being selected. */
  entityType: EntityType;
  /** Platform URNs to narrow to; absent means every platform. */
  platforms?: Array<string> | null | undefined;
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

/** Metrics that can be computed over a column. */
export type FieldMetricType =
  /** Number of distinct values. */
  | 'UNIQUE_COUNT'
  /** Distinct values as a percentage of rows. */
  | 'UNIQUE_PERCENTAGE'
  /** Number of null values. */
  | 'NULL_COUNT'
  /** Null values as a percentage of rows. */
  | 'NULL_PERCENTAGE'
  /** Smallest value in the column. */
  | 'MIN'
  /** Largest value in the column. */
  | 'MAX'
  /** Average of the values. */
  | 'MEAN'
  /** Middle value of the column. */
  | 'MEDIAN'
  /** Standard deviation of the values. */
  | 'STDDEV'
  /** Number of values below zero. */
  | 'NEGATIVE_COUNT'
  /** Values below zero as a percentage of rows. */
  | 'NEGATIVE_PERCENTAGE'
  /** Number of values equal to zero. */
  | 'ZERO_COUNT'
  /** Values equal to zero as a percentage of rows. */
  | 'ZERO_PERCENTAGE'
  /** Length of the shortest text value. */
  | 'MIN_LENGTH'
  /** Length of the longest text value. */
  | 'MAX_LENGTH'
  /** Number of empty text values. */
  | 'EMPTY_COUNT'
  /** Empty text values as a percentage of rows. */
  | 'EMPTY_PERCENTAGE';

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

/** People to ask when creating a form. */
export type FormActorAssignmentInput = {
  /** Whether to ask the owners of each asset; true by default. */
  owners?: boolean | null | undefined;
  /** URNs of users to ask. */
  users?: Array<string> | null | undefined;
  /** URNs of groups to ask. */
  groups?: Array<string> | null | undefined;
  /** URNs of types of ownership; only owners of these types are asked when there are any. */
  ownershipTypes?: Array<string> | null | undefined;
};

/** Changes to the people asked to fill in a form. */
export type FormActorAssignmentUpdateInput = {
  /** Whether asset owners are asked; absent keeps the old setting. */
  owners?: boolean | null | undefined;
  /** URNs of further users to ask. */
  usersToAdd?: Array<string> | null | undefined;
  /** URNs of users no longer asked. */
  usersToRemove?: Array<string> | null | undefined;
  /** URNs of further groups to ask. */
  groupsToAdd?: Array<string> | null | undefined;
  /** URNs of groups no longer asked. */
  groupsToRemove?: Array<string> | null | undefined;
  /** URNs of further types of ownership whose owners are asked. */
  ownershipTypesToAdd?: Array<string> | null | undefined;
  /** URNs of types of ownership whose owners are no longer asked. */
  ownershipTypesToRemove?: Array<string> | null | undefined;
};

/** Kinds of answers to a form question. */
export type FormPromptType =
  /** Value of a structured property on the entity. */
  | 'STRUCTURED_PROPERTY'
  /** Value of a structured property on each schema field. */
  | 'FIELDS_STRUCTURED_PROPERTY';

/** Kind of form, by the condition of its completion. */
export type FormType =
  /** Someone must verify the entity once the questions are answered. */
  | 'VERIFICATION'
  /** The form is done once its required questions are answered. */
  | 'COMPLETION';

/** Actor and optional resource whose effective privileges are asked for. */
export type GetGrantedPrivilegesInput = {
  /** User to evaluate; anyone but oneself requires the right to manage policies. */
  actorUrn: string;
  /** Resource to evaluate against; leave out for platform privileges. */
  resourceSpec?: ResourceSpec | null | undefined;
  /** Whether to explain policy decisions, default false; honoured for policy managers only. */
  includeEvaluationDetails?: boolean | null | undefined;
};

/** Arguments for reading the change history of an entity. */
export type GetTimelineInput = {
  /** URN of the entity whose history is read. */
  urn: string;
  /** Areas of change to include; absent means all of them. */
  changeCategories?: Array<ChangeCategoryType> | null | undefined;
  /** True also covers the other versions in the entity's version set. */
  includeVersionSet?: boolean | null | undefined;
};

/** A complete set of tags to store on an entity or field. */
export type GlobalTagsUpdate = {
  /** Tags to keep; any not listed are removed. */
  tags?: Array<TagAssociationUpdate> | null | undefined;
};

/** A rule that replaces hits of one type by their parent type. */
export type GroupingCriterion = {
  /** Type of the hits to roll up; absent means any type. */
  baseEntityType?: EntityType | null | undefined;
  /** Type that hits are rolled up into. */
  groupingEntityType: EntityType;
};

/** How a client wishes hits to be rolled up into other entities. */
export type GroupingSpec = {
  /** Roll-up rules to apply, for instance schema fields into datasets. */
  groupingCriteria?: Array<GroupingCriterion> | null | undefined;
};

/** Outcome of a health evaluation. */
export type HealthStatus =
  /** Nothing is known to be wrong. */
  | 'PASS'
  /** Something deserves attention but is not a failure. */
  | 'WARN'
  /** At least one problem was found. */
  | 'FAIL';

/** Source of a health signal. */
export type HealthStatusType =
  /** Latest results of the assertions on the asset. */
  | 'ASSERTIONS'
  /** Unresolved incidents on the asset. */
  | 'INCIDENTS'
  /** Metadata tests the asset passes or fails. */
  | 'TESTS';

/** Ranks of urgency for an incident, from low to critical. */
export type IncidentPriority =
  /** Can wait until other work is done. */
  | 'LOW'
  /** Should be handled in the ordinary course of work. */
  | 'MEDIUM'
  /** Should be handled before ordinary work. */
  | 'HIGH'
  /** Needs attention at once. */
  | 'CRITICAL';

/** Source of a new incident, as stated by the caller. */
export type IncidentSourceInput = {
  /** Whether a person or a failing check raises the incident. */
  type: IncidentSourceType;
};

/** Ways an incident comes to be raised. */
export type IncidentSourceType =
  /** Raised by a person or through the API. */
  | 'MANUAL'
  /** Raised because a data quality check failed. */
  | 'ASSERTION_FAILURE';

/** Steps in the handling of an incident. */
export type IncidentStage =
  /** Being assessed for impact and urgency. */
  | 'TRIAGE'
  /** Cause is being looked for. */
  | 'INVESTIGATION'
  /** A fix is being made. */
  | 'WORK_IN_PROGRESS'
  /** The problem has been repaired. */
  | 'FIXED'
  /** Closed because nothing needed to be done. */
  | 'NO_ACTION_REQUIRED';

/** Whether an incident is still open. */
export type IncidentState =
  /** Open and not yet dealt with. */
  | 'ACTIVE'
  /** Closed and no longer affecting health. */
  | 'RESOLVED';

/** State to give an incident. */
export type IncidentStatusInput = {
  /** Whether the incident is to be open or resolved. */
  state: IncidentState;
  /** Step reached in handling the incident; optional. */
  stage?: IncidentStage | null | undefined;
  /** Note to keep with the status change; optional. */
  message?: string | null | undefined;
};

/** Categories of data problems. */
export type IncidentType =
  /** Data was not updated when expected. */
  | 'FRESHNESS'
  /** Amount of data is not as expected. */
  | 'VOLUME'
  /** Values of a column are not as expected. */
  | 'FIELD'
  /** A custom SQL check gave an unexpected result. */
  | 'SQL'
  /** Structure of the data is not as expected. */
  | 'DATA_SCHEMA'
  /** A process that produces the data failed or misbehaved. */
  | 'OPERATIONAL'
  /** Another category, named in customType. */
  | 'CUSTOM';

/** Where the definition of a new ingestion source comes from. */
export type IngestionSourceSourceInput = {
  /** Origin to record for the definition. */
  type: IngestionSourceSourceType;
};

/** Origins of an ingestion source definition. */
export type IngestionSourceSourceType =
  /** Defined by the platform itself rather than by a user. */
  | 'SYSTEM';

/** Which way to follow lineage from an entity. */
export type LineageDirection =
  /** Towards the entities that data comes from. */
  | 'UPSTREAM'
  /** Towards the entities that data flows into. */
  | 'DOWNSTREAM';

/** A lineage edge to add or remove. */
export type LineageEdge = {
  /** URN of the entity that receives data. */
  downstreamUrn: string;
  /** URN of the entity that supplies data. */
  upstreamUrn: string;
};

/** Options that limit how a lineage walk proceeds. */
export type LineageFlags = {
  /** Greatest number of entities to expand at each hop. */
  entitiesExploredPerHopLimit?: number | null | undefined;
  /** Start of the edge update window in epoch milliseconds. */
  startTimeMillis?: number | null | undefined;
  /** End of the window in epoch milliseconds; absent means now when a start is given. */
  endTimeMillis?: number | null | undefined;
  /** Entities that are passed through without counting as a hop. */
  ignoreAsHops?: Array<EntityTypeToPlatforms> | null | undefined;
};

/** Arguments for reading one hop of lineage from an entity. */
export type LineageInput = {
  /** Side of the entity to read. */
  direction: LineageDirection;
  /** Offset of the first row, 0 by default. */
  start?: number | null | undefined;
  /** Page size, 100 by default. */
  count?: number | null | undefined;
  /** True keeps siblings apart instead of merging them into one node; false by default. */
  separateSiblings?: boolean | null | undefined;
  /** Start of the edge update window in epoch milliseconds. */
  startTimeMillis?: number | null | undefined;
  /** End of the edge update window in epoch milliseconds. */
  endTimeMillis?: number | null | undefined;
  /** True keeps rows whose entity is soft-deleted or was never written. */
  includeGhostEntities?: boolean | null | undefined;
};

/** Display settings for a documentation link. */
export type LinkSettingsInput = {
  /** Whether to show the link in previews of the entity. */
  showInAssetPreview?: boolean | null | undefined;
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

/** Paging, search text and parent for a list of domains. */
export type ListDomainsInput = {
  /** Offset of the first domain to return; default 0. */
  start?: number | null | undefined;
  /** Largest number of domains to return; default 20. */
  count?: number | null | undefined;
  /** Search text that domains must match; empty means all. */
  query?: string | null | undefined;
  /** URN whose direct children are listed; absent lists root domains. */
  parentDomain?: string | null | undefined;
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

/** Paging, filtering and sorting of the list of ingestion sources. */
export type ListIngestionSourcesInput = {
  /** Offset of the first source, default 0. */
  start?: number | null | undefined;
  /** Page size, 20 by default. */
  count?: number | null | undefined;
  /** Search text; empty by default, which lists every source. */
  query?: string | null | undefined;
  /** Extra conditions, all of which must hold. */
  filters?: Array<FacetFilterInput> | null | undefined;
  /** Field and direction to sort by; a default order applies when absent. */
  sort?: SortCriterion | null | undefined;
};

/** Paging and filters for listing ownership types. */
export type ListOwnershipTypesInput = {
  /** Offset of the first row wanted; default 0. */
  start?: number | null | undefined;
  /** Number of rows wanted; default 20. */
  count?: number | null | undefined;
  /** Search text; absent or empty matches everything. */
  query?: string | null | undefined;
  /** Conditions that must all hold; absent means none. */
  filters?: Array<FacetFilterInput> | null | undefined;
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

/** Page, query and filters for listing announcements. */
export type ListPostsInput = {
  /** Number of posts to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; the server default applies when absent. */
  count?: number | null | undefined;
  /** Search text; absent or empty lists all. */
  query?: string | null | undefined;
  /** Only posts about this entity; absent means no such limit. */
  resourceUrn?: string | null | undefined;
  /** Further conditions; any group of them may match. */
  orFilters?: Array<AndFilterInput> | null | undefined;
};

/** Paging, filters and order for a list of queries. */
export type ListQueriesInput = {
  /** Offset of the first query wanted; default 0. */
  start?: number | null | undefined;
  /** Most queries to return; default 100. */
  count?: number | null | undefined;
  /** Search text; absent means all queries. */
  query?: string | null | undefined;
  /** Only queries of this origin; absent means any. */
  source?: QuerySource | null | undefined;
  /** Only queries about this dataset; absent means any. */
  datasetUrn?: string | null | undefined;
  /** Order of the result; absent means newest first. */
  sortInput?: SortQueriesInput | null | undefined;
  /** Further conditions: any group must match, all conditions within it. */
  orFilters?: Array<AndFilterInput> | null | undefined;
};

/** Paging and filtering of the list of secrets. */
export type ListSecretsInput = {
  /** Offset of the first secret, default 0. */
  start?: number | null | undefined;
  /** Page size, 20 by default. */
  count?: number | null | undefined;
  /** Search text; empty by default, which lists every secret. */
  query?: string | null | undefined;
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

/** How several conditions are combined. */
export type LogicalOperator =
  /** All conditions must hold. */
  | 'AND'
  /** At least one condition must hold. */
  | 'OR';

/** Kinds of media that can be shown. */
export type MediaType =
  /** A still picture, loaded from its address. */
  | 'IMAGE';

/** A domain to move and its new place. */
export type MoveDomainInput = {
  /** URN of the new domain above; null makes it a root. */
  parentDomain?: string | null | undefined;
  /** URN of the domain to move. */
  resourceUrn: string;
};

/** Kind of change made to the data of a dataset. */
export type OperationType =
  /** Rows or records were added. */
  | 'INSERT'
  /** Existing rows or records were changed. */
  | 'UPDATE'
  /** Rows or records were removed. */
  | 'DELETE'
  /** The dataset itself was created. */
  | 'CREATE'
  /** The structure of the dataset was changed. */
  | 'ALTER'
  /** The dataset itself was removed. */
  | 'DROP'
  /** The kind of change is not known. */
  | 'UNKNOWN'
  /** Another kind of change, named in the custom operation type. */
  | 'CUSTOM';

/** Places where an entity can come from. */
export type OriginType =
  /** Created inside the catalog. */
  | 'NATIVE'
  /** Brought in from another system, such as an identity provider. */
  | 'EXTERNAL'
  /** The place of origin was not recorded. */
  | 'UNKNOWN';

/** Kinds of entities that can own assets. */
export type OwnerEntityType =
  /** One single person or account. */
  | 'CORP_USER'
  /** A group of users. */
  | 'CORP_GROUP';

/** One owner and the kind of ownership to give. */
export type OwnerInput = {
  /** URN of the user or group; it must exist. */
  ownerUrn: string;
  /** Whether the owner is a user or a group; must agree with the URN. */
  ownerEntityType: OwnerEntityType;
  /**
   * Built-in kind of ownership; use ownershipTypeUrn instead.
   * @deprecated No longer supported
   */
  type?: OwnershipType | null | undefined;
  /** URN of the ownership type; required unless the older type is given. */
  ownershipTypeUrn?: string | null | undefined;
};

/** One owner in a full replacement of an asset's owners. */
export type OwnerUpdate = {
  /** URN of the user or group that owns the asset. */
  owner: string;
  /**
   * Built-in kind of ownership; use ownershipTypeUrn instead.
   * @deprecated No longer supported
   */
  type?: OwnershipType | null | undefined;
  /** URN of the ownership type held by this owner. */
  ownershipTypeUrn?: string | null | undefined;
};

/** Built-in kinds of ownership; ownership type entities replace them. */
export type OwnershipType =
  /** Responsible for producing, keeping up or distributing the asset. */
  | 'TECHNICAL_OWNER'
  /** Holds the business responsibility for the asset. */
  | 'BUSINESS_OWNER'
  /** Looks after the governance and quality of the asset. */
  | 'DATA_STEWARD'
  /** No particular kind of ownership is stated. */
  | 'NONE'
  /** A custom kind, named by the ownership type URN. */
  | 'CUSTOM'
  /** Owns the data; use TECHNICAL_OWNER instead. */
  | 'DATAOWNER'
  /** Develops the code behind the asset; use TECHNICAL_OWNER instead. */
  | 'DEVELOPER'
  /** Runs the asset day to day; use TECHNICAL_OWNER instead. */
  | 'DELEGATE'
  /** Produces the data; use TECHNICAL_OWNER instead. */
  | 'PRODUCER'
  /** Has a business interest in the asset; use BUSINESS_OWNER instead. */
  | 'STAKEHOLDER'
  /** Uses the data; use TECHNICAL_OWNER or BUSINESS_OWNER instead. */
  | 'CONSUMER';

/** Full replacement of an asset's owners. */
export type OwnershipUpdate = {
  /** The complete new list of owners; an empty list removes all. */
  owners: Array<OwnerUpdate>;
};

/** How a part of a dataset was selected. */
export type PartitionType =
  /** The dataset as a whole. */
  | 'FULL_TABLE'
  /** The rows selected by a query. */
  | 'QUERY'
  /** One partition of the dataset. */
  | 'PARTITION';

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

/** Kinds of policy, by the scope of their privileges. */
export type PolicyType =
  /** Grants privileges on catalog entities. */
  | 'METADATA'
  /** Grants platform-wide privileges, not tied to an entity. */
  | 'PLATFORM';

/** Whether an announcement is text or a link. */
export type PostContentType =
  /** Announcement that is read in place. */
  | 'TEXT'
  /** Announcement that leads to another address. */
  | 'LINK';

/** Where an announcement is shown. */
export type PostType =
  /** Shown to everyone on the home page. */
  | 'HOME_PAGE_ANNOUNCEMENT'
  /** Shown on the page of one entity. */
  | 'ENTITY_ANNOUNCEMENT';

/** How many values of a structured property one asset may hold. */
export type PropertyCardinality =
  /** At most one value per asset. */
  | 'SINGLE'
  /** Any number of values per asset. */
  | 'MULTIPLE';

/** Value to set for a structured property. */
export type PropertyValueInput = {
  /** Text, date or URN; leave absent for a numeric value. */
  stringValue?: string | null | undefined;
  /** Number to set; leave absent for a text value. */
  numberValue?: number | null | undefined;
};

/** Languages a recorded query can be written in. */
export type QueryLanguage =
  /** Structured query language, in any dialect. */
  | 'SQL';

/** Ways a query can get into the catalog. */
export type QuerySource =
  /** Entered by a person through the interface or the API. */
  | 'MANUAL'
  /** Discovered by ingestion, for example in query logs. */
  | 'SYSTEM';

/** Query text and language to store. */
export type QueryStatementInput = {
  /** The query text to store. */
  value: string;
  /** Language the given text is written in. */
  language: QueryLanguage;
};

/** A new incident and the assets it affects. */
export type RaiseIncidentInput = {
  /** Category of the problem. */
  type: IncidentType;
  /** Category in own words; required when type is CUSTOM. */
  customType?: string | null | undefined;
  /** Short summary of the problem; optional. */
  title?: string | null | undefined;
  /** Longer account of the problem; optional. */
  description?: string | null | undefined;
  /** URN of the affected asset; use resourceUrns for several. */
  resourceUrn?: string | null | undefined;
  /** URNs of all affected assets; the caller needs rights on each. */
  resourceUrns?: Array<string> | null | undefined;
  /** When the problem began, in epoch milliseconds; optional. */
  startedAt?: number | null | undefined;
  /** Source of the incident; optional. */
  source?: IncidentSourceInput | null | undefined;
  /** Initial status; an open incident when absent. */
  status?: IncidentStatusInput | null | undefined;
  /** How urgent the incident is; left unranked when absent. */
  priority?: IncidentPriority | null | undefined;
  /** URNs of users or groups who should resolve it; optional. */
  assigneeUrns?: Array<string> | null | undefined;
};

/** Relations between glossary terms to add or remove. */
export type RelatedTermsInput = {
  /** Term from which the relations start. */
  urn: string;
  /** Terms at the other end; must exist and differ from the first. */
  termUrns: Array<string>;
  /** Whether the terms are inherited from or contained. */
  relationshipType: TermRelationshipType;
};

/** Directions of a graph edge as seen from the queried entity. */
export type RelationshipDirection =
  /** The edge points to the queried entity. */
  | 'INCOMING'
  /** The edge points away from the queried entity. */
  | 'OUTGOING';

/** Which graph edges of an entity to return. */
export type RelationshipsInput = {
  /** Names of the edges to return, such as IsPartOf or OwnedBy. */
  types: Array<string>;
  /** Whether to follow edges pointing to or away from the entity. */
  direction: RelationshipDirection;
  /** Offset of the first edge, default 0. */
  start?: number | null | undefined;
  /** Largest number of edges to return; a server default when absent. */
  count?: number | null | undefined;
  /** Whether to keep edges to soft-deleted entities, default true. */
  includeSoftDelete?: boolean | null | undefined;
  /** Entity types wanted at the other end; all when absent. */
  relatedEntityTypes?: Array<string> | null | undefined;
};

/** Users to take out of a group. */
export type RemoveGroupMembersInput = {
  /** URN of the group to change; must exist. */
  groupUrn: string;
  /** URNs of the users to remove; non-members are ignored. */
  userUrns: Array<string>;
};

/** Which documentation link to remove from an entity. */
export type RemoveLinkInput = {
  /** Address of the link to remove. */
  linkUrl: string;
  /** Label of the link; absent removes every link with the address. */
  label?: string | null | undefined;
  /** URN of the entity the link is attached to. */
  resourceUrn: string;
};

/** One owner to remove from one asset. */
export type RemoveOwnerInput = {
  /** URN of the user or group to remove. */
  ownerUrn: string;
  /** Only remove ownership of this type; absent removes every type. */
  ownershipTypeUrn?: string | null | undefined;
  /** URN of the asset that loses the owner. */
  resourceUrn: string;
};

/** Choice of structured properties to take off an asset. */
export type RemoveStructuredPropertiesInput = {
  /** URN of the asset that loses the values. */
  assetUrn: string;
  /** URNs of the properties to remove; absent ones are ignored. */
  structuredPropertyUrns: Array<string>;
};

/** An asset, or one of its columns. */
export type ResourceRefInput = {
  /** URN of the asset, or of the asset that owns the column. */
  resourceUrn: string;
  /** Kind of part meant; required together with subResource. */
  subResourceType?: SubResourceType | null | undefined;
  /** Field path of the column; absent means the asset itself. */
  subResource?: string | null | undefined;
};

/** A resource for which privileges are evaluated. */
export type ResourceSpec = {
  /** Entity type of the resource. */
  resourceType: EntityType;
  /** URN of the resource. */
  resourceUrn: string;
};

/** Which tests to evaluate about which asset. */
export type RunTestInput = {
  /** URN of the asset; absent for all assets, whose results are kept. */
  urn?: string | null | undefined;
  /** URNs of the tests; all when absent or empty. */
  testUrns?: Array<string> | null | undefined;
  /** Whether results are kept and actions carried out; false when absent. It must not be false for all assets. */
  push?: boolean | null | undefined;
};

/** How the actual columns must relate to the expected ones. */
export type SchemaAssertionCompatibility =
  /** The actual columns are exactly the expected ones. */
  | 'EXACT_MATCH'
  /** All expected columns are present; further ones are allowed. */
  | 'SUPERSET'
  /** Only expected columns are present; some may be missing. */
  | 'SUBSET';

/** Platform-neutral data types of schema fields. */
export type SchemaFieldDataType =
  /** A truth value, true or false. */
  | 'BOOLEAN'
  /** Binary data of a fixed length. */
  | 'FIXED'
  /** Text of any length. */
  | 'STRING'
  /** Binary data of any length. */
  | 'BYTES'
  /** A number, whole or with a fraction. */
  | 'NUMBER'
  /** A calendar date, without time of day. */
  | 'DATE'
  /** A time of day or a timestamp. */
  | 'TIME'
  /** One value out of a fixed list. */
  | 'ENUM'
  /** A field that never has a value. */
  | 'NULL'
  /** Values looked up by a key. */
  | 'MAP'
  /** A sequence of values of one type. */
  | 'ARRAY'
  /** A value of one out of several types. */
  | 'UNION'
  /** A record with named fields of its own. */
  | 'STRUCT';

/** Arguments for walking through a large search result page by page. */
export type ScrollAcrossEntitiesInput = {
  /** Entity types to search; absent means the default search types. */
  types?: Array<EntityType> | null | undefined;
  /** Search text; blank means everything. */
  query: string;
  /** Value of nextScrollId from the previous page; absent or null starts over. */
  scrollId?: string | null | undefined;
  /** How long the scroll position stays valid, 5m by default. */
  keepAlive?: string | null | undefined;
  /** Page size, 10 by default. */
  count?: number | null | undefined;
  /** Filter groups of which at least one must match fully. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** View whose types and filter also restrict the result. */
  viewUrn?: string | null | undefined;
  /** Options that adjust how the search is run. */
  searchFlags?: SearchFlags | null | undefined;
  /** Sort order of the hits; absent means by relevance score. */
  sortInput?: SearchSortInput | null | undefined;
};

/** Arguments for walking through a large lineage search page by page. */
export type ScrollAcrossLineageInput = {
  /** URN of the entity to start from. */
  urn?: string | null | undefined;
  /** Side of the start entity to walk. */
  direction: LineageDirection;
  /** Entity types to return; absent means the default search types. */
  types?: Array<EntityType> | null | undefined;
  /** Search text applied to the entities reached; absent means all of them. */
  query?: string | null | undefined;
  /** Value of nextScrollId from the previous page; absent or null starts over. */
  scrollId?: string | null | undefined;
  /** How long the scroll position stays valid, 5m by default. */
  keepAlive?: string | null | undefined;
  /** Page size, 10 by default. */
  count?: number | null | undefined;
  /** Filter groups applied to the entities reached; the degree field limits depth. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /** Start of the edge window in epoch milliseconds; lineageFlags is the newer place. */
  startTimeMillis?: number | null | undefined;
  /** End of the edge window in epoch milliseconds; lineageFlags is the newer place. */
  endTimeMillis?: number | null | undefined;
  /** Options for the search over the entities reached; highlighting is off unless requested. */
  searchFlags?: SearchFlags | null | undefined;
  /** Options that limit how the lineage is walked. */
  lineageFlags?: LineageFlags | null | undefined;
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

/** Arguments for searching the entities upstream or downstream of an entity. */
export type SearchAcrossLineageInput = {
  /** URN of the entity to start from. */
  urn?: string | null | undefined;
  /** Side of the start entity to walk. */
  direction: LineageDirection;
  /** Entity types to return; absent means all types except queries. */
  types?: Array<EntityType> | null | undefined;
  /** Search text applied to the entities reached; absent means all of them. */
  query?: string | null | undefined;
  /** Offset of the first row, 0 by default. */
  start?: number | null | undefined;
  /** Page size, 10 by default. */
  count?: number | null | undefined;
  /**
   * Filters that must all match; use orFilters instead.
   * @deprecated No longer supported
   */
  filters?: Array<FacetFilterInput> | null | undefined;
  /** Filter groups applied to the entities reached; the degree field limits depth. */
  orFilters?: Array<AndFilterInput> | null | undefined;
  /**
   * Start of the edge window in epoch milliseconds; use lineageFlags instead.
   * @deprecated No longer supported
   */
  startTimeMillis?: number | null | undefined;
  /**
   * End of the edge window in epoch milliseconds; use lineageFlags instead.
   * @deprecated No longer supported
   */
  endTimeMillis?: number | null | undefined;
  /** Options for the search over the entities reached; highlighting is off unless requested. */
  searchFlags?: SearchFlags | null | undefined;
  /** Options that limit how the lineage is walked. */
  lineageFlags?: LineageFlags | null | undefined;
  /** View whose types and filter also restrict the result. */
  viewUrn?: string | null | undefined;
  /** Sort order of the rows. */
  sortInput?: SearchSortInput | null | undefined;
};

/** Options for the execution and the results of a search. */
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
  /** Accepted and without effect: from a column, lineage lists tables, with a path for each column reached. */
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

/** Order for a list of queries. */
export type SortQueriesInput = {
  /** Field to sort by, and whether ascending or descending. */
  sortCriterion: SortCriterion;
};

/** Whether a test of the starter pack is there. */
export type StarterTestState =
  /** It is not there; installStarterTests would make it. */
  | 'MISSING'
  /** It was made just now. */
  | 'CREATED'
  /** It is there as the pack has it. */
  | 'PRESENT'
  /** It is there, and people have changed it; it stays as it is. */
  | 'CHANGED';

/** One entry of a map from text to text, as input. */
export type StringMapEntryInput = {
  /** Map key; should be given only once per map. */
  key: string;
  /** Text to store under the key. */
  value?: string | null | undefined;
};

/** Values to set for one structured property. */
export type StructuredPropertyInputParams = {
  /** URN of the property to set. */
  structuredPropertyUrn: string;
  /** New values; they replace those already set for the property. */
  values: Array<PropertyValueInput>;
};

/** Choice of the structured property a form prompt asks for. */
export type StructuredPropertyParamsInput = {
  /** URN of the structured property. */
  urn: string;
};

/** Switches for where a structured property is shown. */
export type StructuredPropertySettingsInput = {
  /** Hides the property everywhere; cannot be combined with any show setting. */
  isHidden?: boolean | null | undefined;
  /** Whether search offers the property as a filter. */
  showInSearchFilters?: boolean | null | undefined;
  /** Whether to show the property in the asset's sidebar. */
  showInAssetSummary?: boolean | null | undefined;
  /** Whether the sidebar leaves out the property when it has no value. */
  hideInAssetSummaryWhenEmpty?: boolean | null | undefined;
  /** Whether to show values as a badge; refused if another property does. */
  showAsAssetBadge?: boolean | null | undefined;
  /** Whether to add the property as a column in the schema table. */
  showInColumnsTable?: boolean | null | undefined;
};

/** Kinds of parts of an asset that can be addressed. */
export type SubResourceType =
  /** A column of a dataset, named by its field path. */
  | 'DATASET_FIELD';

/** Answer to one question of a form. */
export type SubmitFormPromptInput = {
  /** Identifier of the question that is answered. */
  promptId: string;
  /** URN of the form that holds the question. */
  formUrn: string;
  /** Kind of answer that the question expects; must agree with the question. */
  type: FormPromptType;
  /** Schema field the answer is for; needed for questions on fields. */
  fieldPath?: string | null | undefined;
  /** Property and values given as the answer. */
  structuredPropertyParams?: StructuredPropertyInputParams | null | undefined;
};

/** One tag in a complete set of tags to store. */
export type TagAssociationUpdate = {
  /** Tag to apply, identified by its URN. */
  tag: TagUpdateInput;
};

/** New attributes of a tag; parts left out stay unchanged. */
export type TagUpdateInput = {
  /** URN of the tag concerned. */
  urn: string;
  /** Display name to give the tag. */
  name: string;
  /** Meaning of the tag; optional. */
  description?: string | null | undefined;
  /** Complete new set of owners, replacing the stored one. */
  ownership?: OwnershipUpdate | null | undefined;
};

/** Kinds of relation between glossary terms. */
export type TermRelationshipType =
  /** The first term is a special case of the other and inherits from it. */
  | 'isA'
  /** The first term contains the other as a part. */
  | 'hasA';

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

/** Limit to set on the entities that URN values may point to. */
export type TypeQualifierInput = {
  /** URNs of the entity types allowed; absent means any. */
  allowedTypes?: Array<string> | null | undefined;
};

/** Changes to an application; absent members stay as they are. */
export type UpdateApplicationInput = {
  /** New display name; absent keeps the present one. */
  name?: string | null | undefined;
  /** New explanation; absent keeps the present one. */
  description?: string | null | undefined;
  /** URN of a new parent, empty for the top level; absent keeps the present one. */
  parentApplication?: string | null | undefined;
};

/** Changes to the caller's own view settings. */
export type UpdateCorpUserViewsSettingsInput = {
  /** URN of the view to apply by default; null clears the choice. */
  defaultView?: string | null | undefined;
};

/** Changes to a data product; absent members stay as they are. */
export type UpdateDataProductInput = {
  /** New display name; absent keeps the present one. */
  name?: string | null | undefined;
  /** New explanation; absent keeps the present one. */
  description?: string | null | undefined;
  /** URN of a new parent; absent keeps the present one. */
  parentDataProduct?: string | null | undefined;
};

/** Deprecation state to set on one asset or column. */
export type UpdateDeprecationInput = {
  /** Asset to change, or the one that owns the column; must exist. */
  urn: string;
  /** Kind of part meant; required together with subResource. */
  subResourceType?: SubResourceType | null | undefined;
  /** Field path of the column; absent means the asset itself. */
  subResource?: string | null | undefined;
  /** True marks the asset as deprecated, false clears the mark. */
  deprecated: boolean;
  /** Planned removal time in epoch milliseconds; absent removes a stored one. */
  decommissionTime?: number | null | undefined;
  /** Reason or advice shown to users; stored as empty text when absent. */
  note?: string | null | undefined;
  /** URN of the entity to use instead; absent removes a stored one. */
  replacement?: string | null | undefined;
};

/** Changes to a form; absent members stay as they are. */
export type UpdateFormInput = {
  /** URN of the form to change. */
  urn: string;
  /** New display name of the form. */
  name?: string | null | undefined;
  /** New purpose of the form, shown to respondents. */
  description?: string | null | undefined;
  /** New kind of form. */
  type?: FormType | null | undefined;
  /** Questions to add to the form. */
  promptsToAdd?: Array<CreatePromptInput> | null | undefined;
  /** Identifiers of the questions to remove. */
  promptsToRemove?: Array<string> | null | undefined;
  /** Changes to the people asked to fill in the form. */
  actors?: FormActorAssignmentUpdateInput | null | undefined;
};

/** Changes to an incident; parts left out stay unchanged. */
export type UpdateIncidentInput = {
  /** New short summary of the problem. */
  title?: string | null | undefined;
  /** New longer account of the problem. */
  description?: string | null | undefined;
  /** New time the problem began, in epoch milliseconds. */
  startedAt?: number | null | undefined;
  /** New state, stage and message. */
  status?: IncidentStatusInput | null | undefined;
  /** New rank of urgency. */
  priority?: IncidentPriority | null | undefined;
  /** URNs of the affected assets, replacing the previous ones. */
  resourceUrns?: Array<string> | null | undefined;
  /** URNs of the assigned users or groups, replacing the previous ones. */
  assigneeUrns?: Array<string> | null | undefined;
};

/** How an ingestion source is to be run. */
export type UpdateIngestionSourceConfigInput = {
  /** Ingestion recipe as JSON text. */
  recipe: string;
  /** Version of the ingestion client to use; the default one when absent. */
  version?: string | null | undefined;
  /** Id of the executor that is to run the source. */
  executorId: string;
  /** Whether runs should produce debug logs; off when absent. */
  debugMode?: boolean | null | undefined;
  /** Extra named arguments for the executor; optional. */
  extraArgs?: Array<StringMapEntryInput> | null | undefined;
};

/** Full definition of an ingestion source to create or replace. */
export type UpdateIngestionSourceInput = {
  /** Display name to give the source. */
  name: string;
  /** Kind of source to ingest, such as mysql or snowflake. */
  type: string;
  /** Purpose of the source; optional. */
  description?: string | null | undefined;
  /** When to run by itself; leave out to run only on demand. */
  schedule?: UpdateIngestionSourceScheduleInput | null | undefined;
  /** Recipe, executor and options to use. */
  config: UpdateIngestionSourceConfigInput;
  /** Origin of the definition; leave out for sources defined by users. */
  source?: IngestionSourceSourceInput | null | undefined;
};

/** When an ingestion source is to run by itself. */
export type UpdateIngestionSourceScheduleInput = {
  /** Cron expression that says when to run; refused when invalid. */
  interval: string;
  /** Time zone in which to read the interval, such as America/Los_Angeles. */
  timezone: string;
};

/** Lineage edges to add and to remove in one call. */
export type UpdateLineageInput = {
  /** Edges to create; both ends must exist. */
  edgesToAdd: Array<LineageEdge | null | undefined>;
  /** Edges to delete; both ends must exist. */
  edgesToRemove: Array<LineageEdge | null | undefined>;
};

/** Picture to show with an announcement. */
export type UpdateMediaInput = {
  /** Kind of media, such as an image. */
  type: MediaType;
  /** Address from which the media is loaded. */
  location: string;
};

/** New name for one entity. */
export type UpdateNameInput = {
  /** New display name; in some types it must be unique among siblings. */
  name: string;
  /** Entity to rename; must exist. */
  urn: string;
};

/** New place in the glossary for a term or node. */
export type UpdateParentNodeInput = {
  /** Node to move it under; null moves it to the root. */
  parentNode?: string | null | undefined;
  /** Term or node to move; a node can't go below itself. */
  resourceUrn: string;
};

/** New text, link and picture of an announcement. */
export type UpdatePostContentInput = {
  /** Whether the announcement is text or a link. */
  contentType: PostContentType;
  /** Headline of the announcement. */
  title: string;
  /** Body text of the announcement. */
  description?: string | null | undefined;
  /** Address the announcement leads to, for links. */
  link?: string | null | undefined;
  /** Picture to show; absent means none. */
  media?: UpdateMediaInput | null | undefined;
};

/** New contents of an existing announcement. */
export type UpdatePostInput = {
  /** URN of the announcement to change. */
  urn: string;
  /** Where the announcement is shown. */
  postType: PostType;
  /** Text, link and picture that replace the old ones. */
  content: UpdatePostContentInput;
};

/** Parts of a recorded query to replace; absent parts stay as they are. */
export type UpdateQueryInput = {
  /** New descriptive values; absent leaves them alone. */
  properties?: UpdateQueryPropertiesInput | null | undefined;
  /** New subjects, replacing all current ones; absent leaves them alone. */
  subjects?: Array<UpdateQuerySubjectInput> | null | undefined;
};

/** Descriptive values of a query to replace; absent members stay as they are. */
export type UpdateQueryPropertiesInput = {
  /** New display name; absent keeps the current one. */
  name?: string | null | undefined;
  /** New description; absent keeps the current one. */
  description?: string | null | undefined;
  /** New text and language; absent keeps the current ones. */
  statement?: QueryStatementInput | null | undefined;
};

/** A dataset that a changed query is about. */
export type UpdateQuerySubjectInput = {
  /** URN of that dataset; the caller needs query rights on it. */
  datasetUrn: string;
};

/** New contents for an existing secret. */
export type UpdateSecretInput = {
  /** URN of the secret to change. */
  urn: string;
  /** Name by which recipes refer to the secret. */
  name: string;
  /** New plain text of the secret; it is stored encrypted. */
  value: string;
  /** Purpose of the secret; optional. */
  description?: string | null | undefined;
};

/** Changes to a structured property; rules can only be widened. */
export type UpdateStructuredPropertyInput = {
  /** URN of the structured property to change. */
  urn: string;
  /** New name shown to users; absent keeps the old one. */
  displayName?: string | null | undefined;
  /** New explanatory text; absent keeps the old one. */
  description?: string | null | undefined;
  /** Whether values become fixed once set; absent keeps the old setting. */
  immutable?: boolean | null | undefined;
  /** Further entity types that URN values may point to. */
  typeQualifier?: UpdateTypeQualifierInput | null | undefined;
  /** Values to add to the accepted ones; one that is there gets the description given. */
  newAllowedValues?: Array<AllowedValueInput> | null | undefined;
  /** All accepted values in a new order with their descriptions, old values included; excludes newAllowedValues. */
  allowedValues?: Array<AllowedValueInput> | null | undefined;
  /** True allows several values per asset; it cannot be taken back. */
  setCardinalityAsMultiple?: boolean | null | undefined;
  /** URNs of further entity types that may carry the property. */
  newEntityTypes?: Array<string> | null | undefined;
  /** URNs of further platforms whose assets may carry the property. */
  newAllowedPlatforms?: Array<string> | null | undefined;
  /** New display settings; absent keeps the old ones. */
  settings?: StructuredPropertySettingsInput | null | undefined;
};

/** New contents of a metadata test, replacing all of the old. */
export type UpdateTestInput = {
  /** Display name of the test. */
  name: string;
  /** Free label used to group tests. */
  category: string;
  /** Subject and purpose of the test; absent removes it. */
  description?: string | null | undefined;
  /** Rules of the test; invalid rules are refused, an empty object is a draft. */
  definition: TestDefinitionInput;
};

/** Addition to the entities that URN values may point to. */
export type UpdateTypeQualifierInput = {
  /** URNs of the entity types to add. */
  newAllowedTypes?: Array<string> | null | undefined;
};

/** Structured property values to set on one asset. */
export type UpsertStructuredPropertiesInput = {
  /** URN of the asset; it must exist unless it is a schema field. */
  assetUrn: string;
  /** Properties with new values; properties not listed stay as they are. */
  structuredPropertyInputParams: Array<StructuredPropertyInputParams>;
};

/** Verification of an entity through a form. */
export type VerifyFormInput = {
  /** URN of the form, which must be assigned to the caller. */
  formUrn: string;
  /** URN of the entity to mark as verified. */
  entityUrn: string;
};

/** Quantities a volume check may look at. */
export type VolumeAssertionType =
  /** Total number of rows. */
  | 'ROW_COUNT_TOTAL'
  /** Change of the row count between evaluations. */
  | 'ROW_COUNT_CHANGE'
  /** Number of rows in the newest segment. */
  | 'INCREMENTING_SEGMENT_ROW_COUNT_TOTAL'
  /** Change of the row count from one segment to the next. */
  | 'INCREMENTING_SEGMENT_ROW_COUNT_CHANGE';
