// Written by scripts/codegen.mjs from failing.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AggregateAcrossEntitiesInput, AndFilterInput, AssertionResultErrorType, AssertionResultType, AssertionType, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, IncidentPriority, IncidentSourceType, IncidentStage, IncidentState, IncidentType, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AggregateAcrossEntitiesInput, AndFilterInput, AssertionResultErrorType, AssertionResultType, AssertionType, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, IncidentPriority, IncidentSourceType, IncidentStage, IncidentState, IncidentType, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type FailingQueryVariables = Exact<{
  checks: SearchAcrossEntitiesInput;
  states: AggregateAcrossEntitiesInput;
  incidents: SearchAcrossEntitiesInput;
}>;

export type FailingQuery = { checks: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, runEvents: { runEvents: Array<{ asserteeUrn: string, timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null, dataset: { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null }
       }> } | null, states: { facets: Array<{ field: string, aggregations: Array<{ value: string, count: number }> }> | null } | null, incidents: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, properties: { name: string } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { urn: string, type: EntityType, info: { title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                  | { urn: string, properties: { name: string } | null }
                > } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { name: string, featureNamespace: string, urn: string, type: EntityType }
            | { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { fieldPath: string, urn: string, type: EntityType, parent:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               }
            | { urn: string, type: EntityType, info: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
            | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
            | { name: string, urn: string, type: EntityType, properties: { name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
          , created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }
       }> } | null };

export type FailingChecksPageQueryVariables = Exact<{
  checks: SearchAcrossEntitiesInput;
}>;

export type FailingChecksPageQuery = { checks: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, runEvents: { runEvents: Array<{ asserteeUrn: string, timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null, dataset: { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null }
       }> } | null };

export type OpenIncidentsPageQueryVariables = Exact<{
  incidents: SearchAcrossEntitiesInput;
}>;

export type OpenIncidentsPageQuery = { incidents: { total: number, searchResults: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, properties: { name: string } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { urn: string, type: EntityType, info: { title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                  | { urn: string, properties: { name: string } | null }
                > } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, properties: { name: string } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { name: string, featureNamespace: string, urn: string, type: EntityType }
            | { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { fieldPath: string, urn: string, type: EntityType, parent:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               }
            | { urn: string, type: EntityType, info: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
            | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
            | { name: string, urn: string, type: EntityType, properties: { name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
          , created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }
       }> } | null };

export type FailingChecksFragment = { total: number, searchResults: Array<{ entity:
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, runEvents: { runEvents: Array<{ asserteeUrn: string, timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null, dataset: { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null }
     }> };

export type OpenIncidentsFragment = { total: number, searchResults: Array<{ entity:
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, entity:
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType, properties: { name: string } | null }
          | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null }
          | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
          | { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null }
          | { urn: string, type: EntityType, info: { title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
          | { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
                | { urn: string }
                | { urn: string }
                | { urn: string }
                | { urn: string, properties: { name: string } | null }
              > } | null }
          | { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
          | { urn: string, type: EntityType, properties: { name: string } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null }
          | { name: string, featureNamespace: string, urn: string, type: EntityType }
          | { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
          | { fieldPath: string, urn: string, type: EntityType, parent:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             }
          | { urn: string, type: EntityType, info: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
          | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
          | { name: string, urn: string, type: EntityType, properties: { name: string } | null }
          | { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null }
          | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        , created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
          | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
          | { urn: string, name: string, properties: { displayName: string | null } | null }
        > | null, source: { type: IncidentSourceType, source:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null } | null }
     }> };

export type OwnedFragment = { ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null };

type Placed_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment = { urn: string, type: EntityType };

type Placed_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment = { urn: string, type: EntityType };

type Placed_Application_BusinessAttribute_DataProduct_Fragment = { urn: string, type: EntityType, properties: { name: string } | null };

type Placed_VKyobuEfuSn5pkLbFaKugW2DwfXimpLzRLwKSpwc_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_Dataset_Fragment = { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_Document_Notebook_Fragment = { urn: string, type: EntityType, info: { title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Placed_Domain_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, properties: { name: string } | null }
    > } | null };

type Placed_GlossaryNode_GlossaryTerm_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_DataJob_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_MlFeature_MlPrimaryKey_Fragment = { name: string, featureNamespace: string, urn: string, type: EntityType };

type Placed_MlFeatureTable_MlModel_MlModelGroup_Fragment = { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Placed_SchemaFieldEntity_Fragment = { fieldPath: string, urn: string, type: EntityType, parent:
    | { urn: string }
    | { urn: string }
    | { urn: string }
   };

type Placed_Metric_SemanticModel_Fragment = { urn: string, type: EntityType, info: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null };

type Placed_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } };

type Placed_Tag_Fragment = { name: string, urn: string, type: EntityType, properties: { name: string } | null };

type Placed_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null };

type Placed_CorpUser_Fragment = { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type PlacedFragment =
  | Placed_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment
  | Placed_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment
  | Placed_Application_BusinessAttribute_DataProduct_Fragment
  | Placed_VKyobuEfuSn5pkLbFaKugW2DwfXimpLzRLwKSpwc_Fragment
  | Placed_Dataset_Fragment
  | Placed_Document_Notebook_Fragment
  | Placed_Domain_Fragment
  | Placed_GlossaryNode_GlossaryTerm_Fragment
  | Placed_DataJob_Fragment
  | Placed_MlFeature_MlPrimaryKey_Fragment
  | Placed_MlFeatureTable_MlModel_MlModelGroup_Fragment
  | Placed_SchemaFieldEntity_Fragment
  | Placed_Metric_SemanticModel_Fragment
  | Placed_StructuredPropertyEntity_Fragment
  | Placed_Tag_Fragment
  | Placed_CorpGroup_Fragment
  | Placed_CorpUser_Fragment
;

export type PlatformNameFragment = { urn: string, name: string, properties: { displayName: string | null } | null };

export type ContainersFragment = { containers: Array<{ urn: string, properties: { name: string } | null }> };

export type OwnerNamesFragment = { owners: Array<{ owner:
      | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
      | { urn: string, name: string, properties: { displayName: string | null } | null }
     }> | null };

export type CheckFragment = { urn: string, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null, runEvents: { runEvents: Array<{ timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null };

export type IncidentFactsFragment = { urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
    | { urn: string, name: string, properties: { displayName: string | null } | null }
  > | null, source: { type: IncidentSourceType, source:
      | { urn: string }
      | { urn: string }
      | { urn: string }
     | null } | null };

export const Failing = "query Failing($checks:SearchAcrossEntitiesInput!$states:AggregateAcrossEntitiesInput!$incidents:SearchAcrossEntitiesInput!){checks:searchAcrossEntities(input:$checks){...FailingChecks}states:aggregateAcrossEntities(input:$states){facets{field aggregations{value count}}}incidents:searchAcrossEntities(input:$incidents){...OpenIncidents}}fragment FailingChecks on SearchResults{total searchResults{entity{urn ...on Assertion{...Check runEvents(status:COMPLETE limit:14){runEvents{asserteeUrn}}dataset{...Placed ...Owned}}}}}fragment OpenIncidents on SearchResults{total searchResults{entity{urn ...on Incident{...IncidentFacts entity{...Placed ...Owned}}}}}fragment Owned on Entity{...on Dataset{ownership{...OwnerNames}}...on Dashboard{ownership{...OwnerNames}}...on Chart{ownership{...OwnerNames}}...on DataFlow{ownership{...OwnerNames}}...on DataJob{ownership{...OwnerNames}}}fragment Placed on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}dataFlow{urn properties{name}platform{...PlatformName}}subTypes{typeNames}parentContainers{...Containers}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Notebook{info{title}platform{...PlatformName}}...on Document{info{title}platform{...PlatformName}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on Metric{info{name}platform{...PlatformName}subTypes{typeNames}}...on SemanticModel{info{name}platform{...PlatformName}subTypes{typeNames}}...on Tag{name properties{name}}...on BusinessAttribute{properties{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{name properties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Check on Assertion{urn platform{urn name properties{displayName}}info{type description datasetAssertion{fields{path}}fieldAssertion{fieldValuesAssertion{field{path}}fieldMetricAssertion{field{path}}}customAssertion{type field{path}fields{path}}}runEvents(status:COMPLETE limit:14){runEvents{timestampMillis result{type rowCount missingCount unexpectedCount actualAggValue nativeResults{key value}error{type properties{key value}}}}}}fragment IncidentFacts on Incident{urn incidentType customType title description priority startedAt created{time actor}incidentStatus{state stage message lastUpdated{time actor}}assignees{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}source{type source{urn}}}" as unknown as Operation<FailingQuery, FailingQueryVariables>;

export const FailingChecksPage = "query FailingChecksPage($checks:SearchAcrossEntitiesInput!){checks:searchAcrossEntities(input:$checks){...FailingChecks}}fragment FailingChecks on SearchResults{total searchResults{entity{urn ...on Assertion{...Check runEvents(status:COMPLETE limit:14){runEvents{asserteeUrn}}dataset{...Placed ...Owned}}}}}fragment Owned on Entity{...on Dataset{ownership{...OwnerNames}}...on Dashboard{ownership{...OwnerNames}}...on Chart{ownership{...OwnerNames}}...on DataFlow{ownership{...OwnerNames}}...on DataJob{ownership{...OwnerNames}}}fragment Placed on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}dataFlow{urn properties{name}platform{...PlatformName}}subTypes{typeNames}parentContainers{...Containers}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Notebook{info{title}platform{...PlatformName}}...on Document{info{title}platform{...PlatformName}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on Metric{info{name}platform{...PlatformName}subTypes{typeNames}}...on SemanticModel{info{name}platform{...PlatformName}subTypes{typeNames}}...on Tag{name properties{name}}...on BusinessAttribute{properties{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{name properties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Check on Assertion{urn platform{urn name properties{displayName}}info{type description datasetAssertion{fields{path}}fieldAssertion{fieldValuesAssertion{field{path}}fieldMetricAssertion{field{path}}}customAssertion{type field{path}fields{path}}}runEvents(status:COMPLETE limit:14){runEvents{timestampMillis result{type rowCount missingCount unexpectedCount actualAggValue nativeResults{key value}error{type properties{key value}}}}}}" as unknown as Operation<FailingChecksPageQuery, FailingChecksPageQueryVariables>;

export const OpenIncidentsPage = "query OpenIncidentsPage($incidents:SearchAcrossEntitiesInput!){incidents:searchAcrossEntities(input:$incidents){...OpenIncidents}}fragment OpenIncidents on SearchResults{total searchResults{entity{urn ...on Incident{...IncidentFacts entity{...Placed ...Owned}}}}}fragment Owned on Entity{...on Dataset{ownership{...OwnerNames}}...on Dashboard{ownership{...OwnerNames}}...on Chart{ownership{...OwnerNames}}...on DataFlow{ownership{...OwnerNames}}...on DataJob{ownership{...OwnerNames}}}fragment Placed on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}dataFlow{urn properties{name}platform{...PlatformName}}subTypes{typeNames}parentContainers{...Containers}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Notebook{info{title}platform{...PlatformName}}...on Document{info{title}platform{...PlatformName}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on Metric{info{name}platform{...PlatformName}subTypes{typeNames}}...on SemanticModel{info{name}platform{...PlatformName}subTypes{typeNames}}...on Tag{name properties{name}}...on BusinessAttribute{properties{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{name properties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment IncidentFacts on Incident{urn incidentType customType title description priority startedAt created{time actor}incidentStatus{state stage message lastUpdated{time actor}}assignees{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}source{type source{urn}}}" as unknown as Operation<OpenIncidentsPageQuery, OpenIncidentsPageQueryVariables>;
