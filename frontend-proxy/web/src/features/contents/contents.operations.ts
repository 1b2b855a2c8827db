// Written by scripts/codegen.mjs from contents.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, DataProcessInstanceRunResultType, DataProcessRunStatus, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, HealthStatus, HealthStatusType, RelationshipDirection, RelationshipsInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AndFilterInput, DataProcessInstanceRunResultType, DataProcessRunStatus, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, HealthStatus, HealthStatusType, RelationshipDirection, RelationshipsInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type HeldQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type HeldQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null }
        | { urn: string, type: EntityType, properties: { description: string | null, name: string } | null }
        | { urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null }
        | { name: string, urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null, name: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null, parentDomains: { domains: Array<
              | { urn: string }
              | { urn: string }
              | { urn: string }
              | { urn: string, properties: { name: string } | null }
            > } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null }
        | { description: string | null, name: string, featureNamespace: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null }
        | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
        | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
        | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, info: { description: string | null, title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
        | { fieldPath: string, urn: string, type: EntityType, parent:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           }
        | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, info: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
        | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
        | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                | { urn: string, name: string, properties: { displayName: string | null } | null }
               }> | null } | null, properties: { description: string | null, name: string } | null }
        | { name: string, urn: string, type: EntityType, properties: { description: string | null, displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
       }> } | null };

export type RelatedQueryVariables = Exact<{
  urn: string;
  input: RelationshipsInput;
}>;

export type RelatedQuery = { entity:
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null, name: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentDomains: { domains: Array<
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                  | { urn: string, properties: { name: string } | null }
                > } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, runs: { runs: Array<{ urn: string, properties: { created: { time: number } } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null } | null> | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null }
            | { description: string | null, name: string, featureNamespace: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { fieldPath: string, urn: string, type: EntityType, parent:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
            | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
            | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
           | null }> } | null }
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null, name: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentDomains: { domains: Array<
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                  | { urn: string, properties: { name: string } | null }
                > } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, runs: { runs: Array<{ urn: string, properties: { created: { time: number } } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null } | null> | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null }
            | { description: string | null, name: string, featureNamespace: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { fieldPath: string, urn: string, type: EntityType, parent:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
            | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
            | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
           | null }> } | null }
    | { relationships: { total: number | null, relationships: Array<{ entity:
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string } | null }
            | { urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null, name: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentDomains: { domains: Array<
                  | { urn: string }
                  | { urn: string }
                  | { urn: string }
                  | { urn: string, properties: { name: string } | null }
                > } | null }
            | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
            | { urn: string, type: EntityType, runs: { runs: Array<{ urn: string, properties: { created: { time: number } } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null } | null> | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null }
            | { description: string | null, name: string, featureNamespace: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
            | { fieldPath: string, urn: string, type: EntityType, parent:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               }
            | { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, info: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null }
            | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
            | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
                    | { urn: string, name: string, properties: { displayName: string | null } | null }
                   }> | null } | null, properties: { description: string | null, name: string } | null }
            | { name: string, urn: string, type: EntityType, properties: { description: string | null, displayName: string | null } | null }
            | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
           | null }> } | null }
   | null };

type Placed_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment = { urn: string, type: EntityType };

type Placed_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment = { urn: string, type: EntityType };

type Placed_Application_BusinessAttribute_DataProduct_Fragment = { urn: string, type: EntityType, properties: { name: string } | null };

type Placed_VKyobuEfuSn5pkLbFaKugW2DwfXimpLzRLwKSpwc_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_Dataset_Fragment = { name: string, urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, editableProperties: { name: string | null } | null };

type Placed_Document_Notebook_Fragment = { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null };

type Placed_Domain_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, properties: { name: string } | null }
    > } | null };

type Placed_GlossaryNode_GlossaryTerm_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_DataJob_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null };

type Placed_MlFeature_MlPrimaryKey_Fragment = { name: string, featureNamespace: string, urn: string, type: EntityType };

type Placed_MlFeatureTable_MlModel_MlModelGroup_Fragment = { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Placed_SchemaFieldEntity_Fragment = { fieldPath: string, urn: string, type: EntityType, parent:
    | { urn: string }
    | { urn: string }
    | { urn: string }
   };

type Placed_Metric_SemanticModel_Fragment = { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, info: { name: string } | null };

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

type Line_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment = { urn: string, type: EntityType };

type Line_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment = { urn: string, type: EntityType };

type Line_Application_Fragment = { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null };

type Line_BusinessAttribute_Fragment = { urn: string, type: EntityType, properties: { description: string | null, name: string } | null };

type Line_Chart_Dashboard_Fragment = { urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_Container_Fragment = { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_DataProduct_Fragment = { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null };

type Line_Dataset_Fragment = { name: string, urn: string, type: EntityType, properties: { description: string | null, name: string, lastModified: { time: number } } | null, statsSummary: { uniqueUserCountLast30Days: number | null } | null, editableProperties: { description: string | null, name: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_Document_Fragment = { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null };

type Line_Domain_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null, parentDomains: { domains: Array<
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, properties: { name: string } | null }
    > } | null };

type Line_GlossaryNode_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_GlossaryTerm_Fragment = { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_DataFlow_Fragment = { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Line_DataJob_Fragment = { urn: string, type: EntityType, editableProperties: { description: string | null } | null, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null }> | null, properties: { description: string | null, name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null };

type Line_MlFeature_MlPrimaryKey_Fragment = { description: string | null, name: string, featureNamespace: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null };

type Line_MlFeatureTable_MlModelGroup_Fragment = { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Line_MlModel_Fragment = { description: string | null, name: string, urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Line_Notebook_Fragment = { urn: string, type: EntityType, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, info: { description: string | null, title: string | null } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Line_SchemaFieldEntity_Fragment = { fieldPath: string, urn: string, type: EntityType, parent:
    | { urn: string }
    | { urn: string }
    | { urn: string }
   };

type Line_Metric_SemanticModel_Fragment = { urn: string, type: EntityType, deprecation: { deprecated: boolean } | null, tags: { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, info: { description: string | null, name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null };

type Line_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } };

type Line_Tag_Fragment = { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
        | { urn: string, name: string, properties: { displayName: string | null } | null }
       }> | null } | null, properties: { description: string | null, name: string } | null };

type Line_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, properties: { description: string | null, displayName: string | null } | null };

type Line_CorpUser_Fragment = { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type LineFragment =
  | Line_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment
  | Line_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment
  | Line_Application_Fragment
  | Line_BusinessAttribute_Fragment
  | Line_Chart_Dashboard_Fragment
  | Line_Container_Fragment
  | Line_DataProduct_Fragment
  | Line_Dataset_Fragment
  | Line_Document_Fragment
  | Line_Domain_Fragment
  | Line_GlossaryNode_Fragment
  | Line_GlossaryTerm_Fragment
  | Line_DataFlow_Fragment
  | Line_DataJob_Fragment
  | Line_MlFeature_MlPrimaryKey_Fragment
  | Line_MlFeatureTable_MlModelGroup_Fragment
  | Line_MlModel_Fragment
  | Line_Notebook_Fragment
  | Line_SchemaFieldEntity_Fragment
  | Line_Metric_SemanticModel_Fragment
  | Line_StructuredPropertyEntity_Fragment
  | Line_Tag_Fragment
  | Line_CorpGroup_Fragment
  | Line_CorpUser_Fragment
;

export type DeprecatedFragment = { deprecated: boolean };

export type TagNamesFragment = { tags: Array<{ tag: { urn: string, name: string, properties: { name: string, colorHex: string | null } | null } }> | null };

export type TermNamesFragment = { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null };

export type OwnerNamesFragment = { owners: Array<{ owner:
      | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
      | { urn: string, name: string, properties: { displayName: string | null } | null }
     }> | null };

export type SoundFragment = { type: HealthStatusType, status: HealthStatus, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number }> | null };

export const Held = "query Held($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...Line}}}}fragment Placed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}editableProperties{name}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Tag{name properties{name}}...on CorpGroup{name properties{displayName}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}subTypes{typeNames}parentContainers{...Containers}dataFlow{urn properties{name}platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on BusinessAttribute{properties{name}}...on Notebook{platform{...PlatformName}info{title}}...on Document{platform{...PlatformName}info{title}}...on Metric{platform{...PlatformName}subTypes{typeNames}info{name}}...on SemanticModel{platform{...PlatformName}subTypes{typeNames}info{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment Line on Entity{...Placed ...on Dataset{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on Dashboard{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on Chart{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on DataFlow{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}properties{description}}...on DataJob{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}properties{description}}...on Container{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}properties{description}}...on MLModel{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}description}...on MLModelGroup{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLFeatureTable{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLFeature{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLPrimaryKey{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on GlossaryTerm{deprecation{...Deprecated}ownership{...OwnerNames}properties{description}}...on Metric{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}info{description}}...on SemanticModel{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}info{description}}...on Notebook{tags{...TagNames}ownership{...OwnerNames}info{description}}...on DataProduct{tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}properties{description}}...on Application{tags{...TagNames}ownership{...OwnerNames}properties{description}}...on GlossaryNode{ownership{...OwnerNames}properties{description}}...on Domain{ownership{...OwnerNames}properties{description}}...on Tag{ownership{...OwnerNames}properties{description}}...on BusinessAttribute{properties{description}}...on CorpGroup{properties{description}}}fragment Deprecated on Deprecation{deprecated}fragment TagNames on GlobalTags{tags{tag{urn name properties{name colorHex}}}}fragment TermNames on GlossaryTerms{terms{term{urn properties{name}}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<HeldQuery, HeldQueryVariables>;

export const Related = "query Related($urn:String!$input:RelationshipsInput!){entity(urn:$urn){relationships(input:$input){total relationships{entity{...Line ...on DataJob{runs(start:0 count:1){runs{urn properties{created{time}}state(limit:20){status attempt timestampMillis durationMillis result{resultType nativeResultType}}}}}}}}}}fragment Placed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}editableProperties{name}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Tag{name properties{name}}...on CorpGroup{name properties{displayName}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}subTypes{typeNames}parentContainers{...Containers}dataFlow{urn properties{name}platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on BusinessAttribute{properties{name}}...on Notebook{platform{...PlatformName}info{title}}...on Document{platform{...PlatformName}info{title}}...on Metric{platform{...PlatformName}subTypes{typeNames}info{name}}...on SemanticModel{platform{...PlatformName}subTypes{typeNames}info{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}fragment Line on Entity{...Placed ...on Dataset{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on Dashboard{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on Chart{properties{description lastModified{time}}statsSummary{uniqueUserCountLast30Days}editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}}...on DataFlow{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}properties{description}}...on DataJob{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}health{...Sound}properties{description}}...on Container{editableProperties{description}deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}properties{description}}...on MLModel{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}description}...on MLModelGroup{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLFeatureTable{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLFeature{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on MLPrimaryKey{deprecation{...Deprecated}tags{...TagNames}ownership{...OwnerNames}description}...on GlossaryTerm{deprecation{...Deprecated}ownership{...OwnerNames}properties{description}}...on Metric{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}info{description}}...on SemanticModel{deprecation{...Deprecated}tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}info{description}}...on Notebook{tags{...TagNames}ownership{...OwnerNames}info{description}}...on DataProduct{tags{...TagNames}glossaryTerms{...TermNames}ownership{...OwnerNames}properties{description}}...on Application{tags{...TagNames}ownership{...OwnerNames}properties{description}}...on GlossaryNode{ownership{...OwnerNames}properties{description}}...on Domain{ownership{...OwnerNames}properties{description}}...on Tag{ownership{...OwnerNames}properties{description}}...on BusinessAttribute{properties{description}}...on CorpGroup{properties{description}}}fragment Deprecated on Deprecation{deprecated}fragment TagNames on GlobalTags{tags{tag{urn name properties{name colorHex}}}}fragment TermNames on GlossaryTerms{terms{term{urn properties{name}}}}fragment OwnerNames on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}}}fragment Sound on Health{type status message latestAssertionStatusByType{statusCount}}" as unknown as Operation<RelatedQuery, RelatedQueryVariables>;
