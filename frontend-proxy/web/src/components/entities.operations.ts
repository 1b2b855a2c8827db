// Written by scripts/codegen.mjs from entities.graphql and the schema; not to be edited.
import type { Operation } from "../lib/request";

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

type Named_Role_Fragment = { urn: string, type: EntityType };

type Named_Application_Fragment = { urn: string, type: EntityType };

type Named_Assertion_Fragment = { urn: string, type: EntityType };

type Named_BusinessAttribute_Fragment = { urn: string, type: EntityType };

type Named_Chart_Fragment = { urn: string, type: EntityType, chart: { name: string } | null };

type Named_DataHubConnection_Fragment = { urn: string, type: EntityType };

type Named_Container_Fragment = { urn: string, type: EntityType, container: { name: string } | null };

type Named_DataContract_Fragment = { urn: string, type: EntityType };

type Named_Restricted_Fragment = { urn: string, type: EntityType };

type Named_Dashboard_Fragment = { urn: string, type: EntityType, dashboard: { name: string } | null };

type Named_DataProduct_Fragment = { urn: string, type: EntityType, product: { name: string } | null };

type Named_Dataset_Fragment = { name: string, urn: string, type: EntityType };

type Named_Document_Fragment = { urn: string, type: EntityType };

type Named_Domain_Fragment = { urn: string, type: EntityType, domain: { name: string } | null };

type Named_ErModelRelationship_Fragment = { urn: string, type: EntityType };

type Named_DataHubFile_Fragment = { urn: string, type: EntityType };

type Named_Form_Fragment = { urn: string, type: EntityType };

type Named_GlossaryNode_Fragment = { urn: string, type: EntityType, node: { name: string } | null };

type Named_GlossaryTerm_Fragment = { urn: string, type: EntityType, term: { name: string } | null };

type Named_DataHubPageModule_Fragment = { urn: string, type: EntityType };

type Named_DataHubPageTemplate_Fragment = { urn: string, type: EntityType };

type Named_Incident_Fragment = { urn: string, type: EntityType };

type Named_ExecutionRequest_Fragment = { urn: string, type: EntityType };

type Named_DataFlow_Fragment = { urn: string, type: EntityType, flow: { name: string } | null };

type Named_DataJob_Fragment = { urn: string, type: EntityType, job: { name: string } | null };

type Named_DataProcessInstance_Fragment = { urn: string, type: EntityType };

type Named_Test_Fragment = { name: string, urn: string, type: EntityType };

type Named_MlFeature_Fragment = { urn: string, type: EntityType };

type Named_MlFeatureTable_Fragment = { urn: string, type: EntityType };

type Named_MlModel_Fragment = { urn: string, type: EntityType };

type Named_MlModelGroup_Fragment = { urn: string, type: EntityType };

type Named_MlPrimaryKey_Fragment = { urn: string, type: EntityType };

type Named_Notebook_Fragment = { urn: string, type: EntityType };

type Named_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType, ownership: { name: string } | null };

type Named_DataPlatform_Fragment = { urn: string, type: EntityType };

type Named_DataPlatformInstance_Fragment = { urn: string, type: EntityType };

type Named_DataHubPolicy_Fragment = { name: string, urn: string, type: EntityType };

type Named_DataHubRole_Fragment = { name: string, urn: string, type: EntityType };

type Named_Post_Fragment = { urn: string, type: EntityType };

type Named_QueryEntity_Fragment = { urn: string, type: EntityType };

type Named_SchemaFieldEntity_Fragment = { urn: string, type: EntityType };

type Named_Metric_Fragment = { urn: string, type: EntityType };

type Named_SemanticModel_Fragment = { urn: string, type: EntityType };

type Named_DataTypeEntity_Fragment = { urn: string, type: EntityType };

type Named_EntityTypeEntity_Fragment = { urn: string, type: EntityType };

type Named_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType };

type Named_Tag_Fragment = { urn: string, type: EntityType, tag: { name: string } | null };

type Named_VersionedDataset_Fragment = { urn: string, type: EntityType };

type Named_AccessTokenMetadata_Fragment = { urn: string, type: EntityType };

type Named_ServiceAccount_Fragment = { urn: string, type: EntityType };

type Named_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null };

type Named_CorpUser_Fragment = { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null };

type Named_VersionSet_Fragment = { urn: string, type: EntityType };

type Named_DataHubView_Fragment = { urn: string, type: EntityType };

export type NamedFragment =
  | Named_Role_Fragment
  | Named_Application_Fragment
  | Named_Assertion_Fragment
  | Named_BusinessAttribute_Fragment
  | Named_Chart_Fragment
  | Named_DataHubConnection_Fragment
  | Named_Container_Fragment
  | Named_DataContract_Fragment
  | Named_Restricted_Fragment
  | Named_Dashboard_Fragment
  | Named_DataProduct_Fragment
  | Named_Dataset_Fragment
  | Named_Document_Fragment
  | Named_Domain_Fragment
  | Named_ErModelRelationship_Fragment
  | Named_DataHubFile_Fragment
  | Named_Form_Fragment
  | Named_GlossaryNode_Fragment
  | Named_GlossaryTerm_Fragment
  | Named_DataHubPageModule_Fragment
  | Named_DataHubPageTemplate_Fragment
  | Named_Incident_Fragment
  | Named_ExecutionRequest_Fragment
  | Named_DataFlow_Fragment
  | Named_DataJob_Fragment
  | Named_DataProcessInstance_Fragment
  | Named_Test_Fragment
  | Named_MlFeature_Fragment
  | Named_MlFeatureTable_Fragment
  | Named_MlModel_Fragment
  | Named_MlModelGroup_Fragment
  | Named_MlPrimaryKey_Fragment
  | Named_Notebook_Fragment
  | Named_OwnershipTypeEntity_Fragment
  | Named_DataPlatform_Fragment
  | Named_DataPlatformInstance_Fragment
  | Named_DataHubPolicy_Fragment
  | Named_DataHubRole_Fragment
  | Named_Post_Fragment
  | Named_QueryEntity_Fragment
  | Named_SchemaFieldEntity_Fragment
  | Named_Metric_Fragment
  | Named_SemanticModel_Fragment
  | Named_DataTypeEntity_Fragment
  | Named_EntityTypeEntity_Fragment
  | Named_StructuredPropertyEntity_Fragment
  | Named_Tag_Fragment
  | Named_VersionedDataset_Fragment
  | Named_AccessTokenMetadata_Fragment
  | Named_ServiceAccount_Fragment
  | Named_CorpGroup_Fragment
  | Named_CorpUser_Fragment
  | Named_VersionSet_Fragment
  | Named_DataHubView_Fragment
;

export type NamesOfQueryVariables = Exact<{
  urns: Array<string> | string;
}>;


export type NamesOfQuery = { entities: Array<
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, chart: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, container: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, dashboard: { name: string } | null }
    | { urn: string, type: EntityType, product: { name: string } | null }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, domain: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, node: { name: string } | null }
    | { urn: string, type: EntityType, term: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, flow: { name: string } | null }
    | { urn: string, type: EntityType, job: { name: string } | null }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, ownership: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType, tag: { name: string } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
    | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
   | null> | null };

export type EntitiesToPickQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;


export type EntitiesToPickQuery = { searchAcrossEntities: { searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
       }> } | null };

export type EntitiesByTextQueryVariables = Exact<{
  input: AutoCompleteMultipleInput;
}>;


export type EntitiesByTextQuery = { autoCompleteForMultiple: { suggestions: Array<{ entities: Array<
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, chart: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, container: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, domain: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, node: { name: string } | null }
        | { urn: string, type: EntityType, term: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, flow: { name: string } | null }
        | { urn: string, type: EntityType, job: { name: string } | null }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, tag: { name: string } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
      > }> } | null };

export const NamesOf = "query NamesOf($urns:[String!]!){entities(urns:$urns checkForExistence:true){...Named}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<NamesOfQuery, NamesOfQueryVariables>;

export const EntitiesToPick = "query EntitiesToPick($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){searchResults{entity{...Named}}}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<EntitiesToPickQuery, EntitiesToPickQueryVariables>;

export const EntitiesByText = "query EntitiesByText($input:AutoCompleteMultipleInput!){autoCompleteForMultiple(input:$input){suggestions{entities{...Named}}}}fragment Named on Entity{urn type ...on CorpUser{username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{name group:properties{displayName}}...on DataHubRole{name}...on DataHubPolicy{name}...on OwnershipTypeEntity{ownership:info{name}}...on Domain{domain:properties{name}}...on Container{container:properties{name}}...on Tag{tag:properties{name}}...on GlossaryTerm{term:properties{name}}...on GlossaryNode{node:properties{name}}...on Dataset{name}...on Dashboard{dashboard:properties{name}}...on Chart{chart:properties{name}}...on DataFlow{flow:properties{name}}...on DataJob{job:properties{name}}...on DataProduct{product:properties{name}}...on Test{name}}" as unknown as Operation<EntitiesByTextQuery, EntitiesByTextQueryVariables>;
