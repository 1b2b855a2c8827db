// Written by scripts/codegen.mjs from charts.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { ChartType, EntityType, HealthStatus, HealthStatusType, RelationshipDirection, RelationshipsInput } from "../../lib/schema";

export type { ChartType, EntityType, HealthStatus, HealthStatusType, RelationshipDirection, RelationshipsInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type DashboardChartsQueryVariables = Exact<{
  urn: string;
  input: RelationshipsInput;
  from: number;
}>;

export type DashboardChartsQuery = { entity: { relationships: { total: number | null, relationships: Array<{ entity:
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { urn: string, chart: { name: string, type: ChartType | null, description: string | null } | null, editableProperties: { description: string | null } | null, inputFields: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string } | null } | null> | null } | null, stats: { viewCountLast30Days: number | null } | null, sources: { total: number | null, relationships: Array<{ entity:
                  | { urn: string, type: EntityType }
                  | { urn: string, type: EntityType }
                  | { urn: string, type: EntityType }
                  | { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null }> | null }
                 | null }> } | null }
          | { urn: string, dashboard: { name: string, description: string | null } | null, editableProperties: { description: string | null } | null, stats: { viewCountLast30Days: number | null } | null }
         | null }> } | null, views: { buckets: Array<{ bucket: number | null, metrics: { viewsCount: number | null } | null } | null> | null } | null } | null };

type Source_YXkX5JzTwqDyRxCsUXbxruTaStM0xrndmthLha3gijU_Fragment = { urn: string, type: EntityType };

type Source_K71Zri3a19KhSkSwhtbNcBdJn5vqDZcnnEg926nFbEg_Fragment = { urn: string, type: EntityType };

type Source_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment = { urn: string, type: EntityType };

type Source_Dataset_Fragment = { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null }> | null };

export type SourceFragment =
  | Source_YXkX5JzTwqDyRxCsUXbxruTaStM0xrndmthLha3gijU_Fragment
  | Source_K71Zri3a19KhSkSwhtbNcBdJn5vqDZcnnEg926nFbEg_Fragment
  | Source_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment
  | Source_Dataset_Fragment
;

export const DashboardCharts = "query DashboardCharts($urn:String!$input:RelationshipsInput!$from:Long!){entity(urn:$urn){...on Dashboard{relationships(input:$input){total relationships{entity{urn ...on Chart{chart:properties{name type description}editableProperties{description}inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}stats:statsSummary{viewCountLast30Days}sources:lineage(input:{direction:UPSTREAM start:0 count:20 separateSiblings:true}){total relationships{entity{...Source}}}}...on Dashboard{dashboard:properties{name description}editableProperties{description}stats:statsSummary{viewCountLast30Days}}}}}views:usageStats(startTimeMillis:$from){buckets{bucket metrics{viewsCount}}}}}}fragment Source on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}health{type status message}}}" as unknown as Operation<DashboardChartsQuery, DashboardChartsQueryVariables>;
