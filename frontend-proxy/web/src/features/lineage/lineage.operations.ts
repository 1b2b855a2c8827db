// Written by scripts/codegen.mjs from lineage.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, EntityTypeToPlatforms, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, HealthStatus, HealthStatusType, LineageDirection, LineageEdge, LineageFlags, LineageInput, ScrollAcrossLineageInput, SearchAcrossLineageInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, UpdateLineageInput } from "../../lib/schema";

export type { AndFilterInput, EntityType, EntityTypeToPlatforms, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, HealthStatus, HealthStatusType, LineageDirection, LineageEdge, LineageFlags, LineageInput, ScrollAcrossLineageInput, SearchAcrossLineageInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, UpdateLineageInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type LineageFeedingFragment = { feeding: { total: number | null, relationships: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
       | null }> } | null };

export type LineageFedFragment = { fed: { total: number | null, relationships: Array<{ entity:
        | { urn: string }
        | { urn: string }
        | { urn: string }
       | null }> } | null };

export type LineageUpFragment = { up: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
       | null }> } | null };

export type LineageDownFragment = { down: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
        | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null }> } | null }
       | null }> } | null };

type LineageColumns_MDenJcOmKhGm2Xstqb83N69Rk6PgrcOcH6Zt29dseo_Fragment = { urn: string };

type LineageColumns_S6rpSy3eGumBxczkbo3ydDy3p00Ra37XkUNnPohIJo_Fragment = { urn: string };

type LineageColumns_DO65TFdaOAn0aOgleSeVp187bgVEdipXzEhqyi2Yh4_Fragment = { urn: string };

type LineageColumns_Chart_Dashboard_Fragment = { urn: string, inputFields: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string } | null } | null> | null } | null };

type LineageColumns_Dataset_Fragment = { urn: string, fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null };

type LineageColumns_DataJob_Fragment = { urn: string, inputOutput: { fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null } | null };

export type LineageColumnsFragment =
  | LineageColumns_MDenJcOmKhGm2Xstqb83N69Rk6PgrcOcH6Zt29dseo_Fragment
  | LineageColumns_S6rpSy3eGumBxczkbo3ydDy3p00Ra37XkUNnPohIJo_Fragment
  | LineageColumns_DO65TFdaOAn0aOgleSeVp187bgVEdipXzEhqyi2Yh4_Fragment
  | LineageColumns_Chart_Dashboard_Fragment
  | LineageColumns_Dataset_Fragment
  | LineageColumns_DataJob_Fragment
;

export type LineageStartQueryVariables = Exact<{
  urn: string;
  up: LineageInput;
  down: LineageInput;
}>;

export type LineageStartQuery = { entity:
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { urn: string, type: EntityType }
    | { exists: boolean | null, urn: string, type: EntityType, privileges: { canEditLineage: boolean | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null, properties: { name: string } | null, inputFields: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string } | null } | null> | null } | null }
    | { exists: boolean | null, urn: string, type: EntityType, privileges: { canEditLineage: boolean | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null, properties: { name: string } | null, fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null }
    | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null, properties: { name: string } | null }
    | { exists: boolean | null, jobId: string, urn: string, type: EntityType, privileges: { canEditLineage: boolean | null } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, inputOutput: { fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null } | null }
    | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null }
    | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null }
    | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
           }> | null } | null }
   | null, around:
    | { urn: string }
    | { urn: string }
    | { urn: string, up: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
           | null }> } | null, down: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
           | null }> } | null }
   | null, allUp: { total: number, isPartial: boolean | null } | null, allDown: { total: number, isPartial: boolean | null } | null };

export type LineageUpOfQueryVariables = Exact<{
  urns: Array<string> | string;
  up: LineageInput;
}>;

export type LineageUpOfQuery = { entities: Array<
    | { urn: string }
    | { urn: string }
    | { urn: string, up: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
           | null }> } | null }
   | null> | null };

export type LineageDownOfQueryVariables = Exact<{
  urns: Array<string> | string;
  down: LineageInput;
}>;

export type LineageDownOfQuery = { entities: Array<
    | { urn: string }
    | { urn: string }
    | { urn: string, down: { total: number | null, relationships: Array<{ isManual: boolean | null, entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
            | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                    | { urn: string }
                    | { urn: string }
                    | { urn: string }
                   | null }> } | null }
           | null }> } | null }
   | null> | null };

export type LineageColumnsOfQueryVariables = Exact<{
  urns: Array<string> | string;
}>;

export type LineageColumnsOfQuery = { entities: Array<
    | { urn: string }
    | { urn: string }
    | { urn: string }
    | { urn: string, inputFields: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string } | null } | null> | null } | null }
    | { urn: string, fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null }
    | { urn: string, inputOutput: { fineGrainedLineages: Array<{ upstreams: Array<{ urn: string, path: string }> | null, downstreams: Array<{ urn: string, path: string }> | null }> | null } | null }
   | null> | null };

export type LineagePathQueryVariables = Exact<{
  up: SearchAcrossLineageInput;
  down: SearchAcrossLineageInput;
}>;

export type LineagePathQuery = { up: { searchResults: Array<{ degree: number, paths: Array<{ path: Array<
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, feeding: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
         | null> } | null> | null }> } | null, down: { searchResults: Array<{ degree: number, paths: Array<{ path: Array<
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
          | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                  | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                  | { urn: string, name: string, properties: { displayName: string | null } | null }
                 }> | null } | null, fed: { total: number | null, relationships: Array<{ entity:
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                 | null }> } | null }
         | null> } | null> | null }> } | null };

export type LineageImpactQueryVariables = Exact<{
  input: ScrollAcrossLineageInput;
}>;

export type LineageImpactQuery = { scrollAcrossLineage: { nextScrollId: string | null, total: number, isPartial: boolean | null, facets: Array<{ field: string, aggregations: Array<{ value: string, count: number, displayName: string | null, entity:
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { name: string, urn: string, properties: { displayName: string | null } | null }
         | null }> }> | null, searchResults: Array<{ degree: number, entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null }
        | { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { name: string } | null }
        | { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null }
        | { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null }
        | { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null }
        | { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null }
       }> } | null };

export type LineageAboutQueryVariables = Exact<{
  urn: string;
}>;

export type LineageAboutQuery = { entity:
    | { urn: string }
    | { urn: string }
    | { urn: string }
    | { urn: string, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, editableProperties: { description: string | null } | null, chartAbout: { description: string | null } | null }
    | { urn: string, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, editableProperties: { description: string | null } | null, dashboardAbout: { description: string | null } | null }
    | { urn: string, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, editableProperties: { description: string | null } | null, datasetAbout: { description: string | null } | null }
    | { urn: string, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, editableProperties: { description: string | null } | null, dataFlowAbout: { description: string | null } | null }
    | { urn: string, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, editableProperties: { description: string | null } | null, dataJobAbout: { description: string | null } | null }
   | null };

export type UpdateLineageMutationVariables = Exact<{
  input: UpdateLineageInput;
}>;

export type UpdateLineageMutation = { updateLineage: boolean | null };

type LineageAsset_MDenJcOmKhGm2Xstqb83N69Rk6PgrcOcH6Zt29dseo_Fragment = { urn: string, type: EntityType };

type LineageAsset_Ab0wUq3n4V1DfSWr5KnKtu5AQbkVjzW3hzPuV6Ugxu_Fragment = { urn: string, type: EntityType };

type LineageAsset_CorpUser_VersionSet_DataHubView_Fragment = { urn: string, type: EntityType };

type LineageAsset_Chart_Dashboard_Dataset_Fragment = { exists: boolean | null, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { name: string } | null };

type LineageAsset_DataFlow_Fragment = { exists: boolean | null, flowId: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { name: string } | null };

type LineageAsset_DataJob_Fragment = { exists: boolean | null, jobId: string, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null, dataFlow: { urn: string, flowId: string, properties: { name: string } | null } | null };

type LineageAsset_DataProcessInstance_Fragment = { exists: boolean | null, urn: string, type: EntityType, subTypes: { typeNames: Array<string> | null } | null, status: { removed: boolean } | null, jobPlatform: { urn: string, name: string, properties: { displayName: string | null } | null } | null, properties: { name: string } | null };

type LineageAsset_MlFeature_MlPrimaryKey_Fragment = { exists: boolean | null, name: string, featureNamespace: string, urn: string, type: EntityType, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null };

type LineageAsset_MlFeatureTable_MlModel_MlModelGroup_Fragment = { exists: boolean | null, name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, status: { removed: boolean } | null, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null };

export type LineageAssetFragment =
  | LineageAsset_MDenJcOmKhGm2Xstqb83N69Rk6PgrcOcH6Zt29dseo_Fragment
  | LineageAsset_Ab0wUq3n4V1DfSWr5KnKtu5AQbkVjzW3hzPuV6Ugxu_Fragment
  | LineageAsset_CorpUser_VersionSet_DataHubView_Fragment
  | LineageAsset_Chart_Dashboard_Dataset_Fragment
  | LineageAsset_DataFlow_Fragment
  | LineageAsset_DataJob_Fragment
  | LineageAsset_DataProcessInstance_Fragment
  | LineageAsset_MlFeature_MlPrimaryKey_Fragment
  | LineageAsset_MlFeatureTable_MlModel_MlModelGroup_Fragment
;

export type PlatformNameFragment = { urn: string, name: string, properties: { displayName: string | null } | null };

export type ContainersFragment = { containers: Array<{ urn: string, properties: { name: string } | null }> };

export type OwnerNamesFragment = { owners: Array<{ owner:
      | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
      | { urn: string, name: string, properties: { displayName: string | null } | null }
     }> | null };

export type SoundFragment = { type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null };

export const LineageStart = "query LineageStart($urn:String!$up:LineageInput!$down:LineageInput!){entity(urn:$urn){...LineageAsset ...LineageColumns ...on Dataset{privileges{canEditLineage}}...on Chart{privileges{canEditLineage}}...on Dashboard{privileges{canEditLineage}}...on DataJob{privileges{canEditLineage}}}around:entity(urn:$urn){urn ...LineageUp ...LineageDown}allUp:searchAcrossLineage(input:{urn:$urn direction:UPSTREAM query:\"*\" count:0 searchFlags:{skipAggregates:true includeSoftDeleted:true}}){total isPartial}allDown:searchAcrossLineage(input:{urn:$urn direction:DOWNSTREAM query:\"*\" count:0 searchFlags:{skipAggregates:true includeSoftDeleted:true}}){total isPartial}}fragment LineageFeeding on EntityWithRelationships{feeding:lineage(input:{direction:UPSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageFed on EntityWithRelationships{fed:lineage(input:{direction:DOWNSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageUp on EntityWithRelationships{up:lineage(input:$up){total relationships{isManual entity{...LineageAsset ...LineageFeeding}}}}fragment LineageDown on EntityWithRelationships{down:lineage(input:$down){total relationships{isManual entity{...LineageAsset ...LineageFed}}}}fragment LineageColumns on Entity{urn ...on Dataset{fineGrainedLineages{upstreams{urn path}downstreams{urn path}}}...on DataJob{inputOutput{fineGrainedLineages{upstreams{urn path}downstreams{urn path}}}}...on Chart{inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}}...on Dashboard{inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}}}fragment LineageAsset on Entity{urn type ...on Dataset{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Chart{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Dashboard{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on DataFlow{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}flowId properties{name}}...on MLModel{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLModelGroup{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLFeatureTable{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on DataJob{subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}jobPlatform:platform{...PlatformName}jobId properties{name}dataFlow{urn flowId properties{name}}}...on DataProcessInstance{subTypes{typeNames}status{removed}exists jobPlatform:platform{...PlatformName}properties{name}}...on MLFeature{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}...on MLPrimaryKey{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<LineageStartQuery, LineageStartQueryVariables>;

export const LineageUpOf = "query LineageUpOf($urns:[String!]!$up:LineageInput!){entities(urns:$urns){urn ...LineageUp}}fragment LineageFeeding on EntityWithRelationships{feeding:lineage(input:{direction:UPSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageUp on EntityWithRelationships{up:lineage(input:$up){total relationships{isManual entity{...LineageAsset ...LineageFeeding}}}}fragment LineageAsset on Entity{urn type ...on Dataset{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Chart{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Dashboard{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on DataFlow{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}flowId properties{name}}...on MLModel{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLModelGroup{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLFeatureTable{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on DataJob{subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}jobPlatform:platform{...PlatformName}jobId properties{name}dataFlow{urn flowId properties{name}}}...on DataProcessInstance{subTypes{typeNames}status{removed}exists jobPlatform:platform{...PlatformName}properties{name}}...on MLFeature{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}...on MLPrimaryKey{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<LineageUpOfQuery, LineageUpOfQueryVariables>;

export const LineageDownOf = "query LineageDownOf($urns:[String!]!$down:LineageInput!){entities(urns:$urns){urn ...LineageDown}}fragment LineageFed on EntityWithRelationships{fed:lineage(input:{direction:DOWNSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageDown on EntityWithRelationships{down:lineage(input:$down){total relationships{isManual entity{...LineageAsset ...LineageFed}}}}fragment LineageAsset on Entity{urn type ...on Dataset{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Chart{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Dashboard{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on DataFlow{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}flowId properties{name}}...on MLModel{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLModelGroup{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLFeatureTable{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on DataJob{subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}jobPlatform:platform{...PlatformName}jobId properties{name}dataFlow{urn flowId properties{name}}}...on DataProcessInstance{subTypes{typeNames}status{removed}exists jobPlatform:platform{...PlatformName}properties{name}}...on MLFeature{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}...on MLPrimaryKey{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<LineageDownOfQuery, LineageDownOfQueryVariables>;

export const LineageColumnsOf = "query LineageColumnsOf($urns:[String!]!){entities(urns:$urns){...LineageColumns}}fragment LineageColumns on Entity{urn ...on Dataset{fineGrainedLineages{upstreams{urn path}downstreams{urn path}}}...on DataJob{inputOutput{fineGrainedLineages{upstreams{urn path}downstreams{urn path}}}}...on Chart{inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}}...on Dashboard{inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}}}" as unknown as Operation<LineageColumnsOfQuery, LineageColumnsOfQueryVariables>;

export const LineagePath = "query LineagePath($up:SearchAcrossLineageInput!$down:SearchAcrossLineageInput!){up:searchAcrossLineage(input:$up){searchResults{degree paths{path{...LineageAsset ...LineageFeeding}}}}down:searchAcrossLineage(input:$down){searchResults{degree paths{path{...LineageAsset ...LineageFed}}}}}fragment LineageFeeding on EntityWithRelationships{feeding:lineage(input:{direction:UPSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageFed on EntityWithRelationships{fed:lineage(input:{direction:DOWNSTREAM start:0 count:20 separateSiblings:true includeGhostEntities:true}){total relationships{entity{urn}}}}fragment LineageAsset on Entity{urn type ...on Dataset{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Chart{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Dashboard{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on DataFlow{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}flowId properties{name}}...on MLModel{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLModelGroup{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLFeatureTable{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on DataJob{subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}jobPlatform:platform{...PlatformName}jobId properties{name}dataFlow{urn flowId properties{name}}}...on DataProcessInstance{subTypes{typeNames}status{removed}exists jobPlatform:platform{...PlatformName}properties{name}}...on MLFeature{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}...on MLPrimaryKey{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<LineagePathQuery, LineagePathQueryVariables>;

export const LineageImpact = "query LineageImpact($input:ScrollAcrossLineageInput!){scrollAcrossLineage(input:$input){nextScrollId total isPartial facets{field aggregations{value count displayName entity{urn ...on DataPlatform{name properties{displayName}}}}}searchResults{degree entity{...LineageAsset}}}}fragment LineageAsset on Entity{urn type ...on Dataset{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Chart{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on Dashboard{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}properties{name}}...on DataFlow{platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}flowId properties{name}}...on MLModel{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLModelGroup{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on MLFeatureTable{platform{...PlatformName}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name}...on DataJob{subTypes{typeNames}parentContainers{...Containers}health{...Sound}status{removed}exists deprecation{deprecated}ownership{...OwnerNames}jobPlatform:platform{...PlatformName}jobId properties{name}dataFlow{urn flowId properties{name}}}...on DataProcessInstance{subTypes{typeNames}status{removed}exists jobPlatform:platform{...PlatformName}properties{name}}...on MLFeature{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}...on MLPrimaryKey{status{removed}exists deprecation{deprecated}ownership{...OwnerNames}name featureNamespace}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<LineageImpactQuery, LineageImpactQueryVariables>;

export const LineageAbout = "query LineageAbout($urn:String!){entity(urn:$urn){urn ...on Dataset{tags{tags{tag{urn name properties{name colorHex}}}}editableProperties{description}datasetAbout:properties{description}}...on Chart{tags{tags{tag{urn name properties{name colorHex}}}}editableProperties{description}chartAbout:properties{description}}...on Dashboard{tags{tags{tag{urn name properties{name colorHex}}}}editableProperties{description}dashboardAbout:properties{description}}...on DataJob{tags{tags{tag{urn name properties{name colorHex}}}}editableProperties{description}dataJobAbout:properties{description}}...on DataFlow{tags{tags{tag{urn name properties{name colorHex}}}}editableProperties{description}dataFlowAbout:properties{description}}}}" as unknown as Operation<LineageAboutQuery, LineageAboutQueryVariables>;

export const UpdateLineage = "mutation UpdateLineage($input:UpdateLineageInput!){updateLineage(input:$input)}" as unknown as Operation<UpdateLineageMutation, UpdateLineageMutationVariables>;
