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

export type DashboardChartsQuery = { entity: { relationships?: { total: number | null, relationships: Array<{ entity: { urn: string | null, chart?: { name: string | null, type: ChartType | null, description: string | null } | null, editableProperties?: { description: string | null } | null, inputFields?: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string | null } | null } | null> | null } | null, stats?: { viewCountLast30Days: number | null } | null, sources?: { total: number | null, relationships: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, editableProperties?: { name: string | null } | null, properties?: { name: string | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null } | null> | null } | null } | null> | null } | null, dashboard?: { name: string | null, description: string | null } | null } | null } | null> | null } | null, views?: { buckets: Array<{ bucket: number | null, metrics: { viewsCount: number | null } | null } | null> | null } | null } | null };

export type SourceFragment = { urn: string | null, type: EntityType | null, name?: string | null, editableProperties?: { name: string | null } | null, properties?: { name: string | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null } | null> | null };

export const DashboardCharts = "query DashboardCharts($urn:String!$input:RelationshipsInput!$from:Long!){entity(urn:$urn){...on Dashboard{relationships(input:$input){total relationships{entity{urn ...on Chart{chart:properties{name type description}editableProperties{description}inputFields{fields{schemaFieldUrn schemaField{fieldPath}}}stats:statsSummary{viewCountLast30Days}sources:lineage(input:{direction:UPSTREAM start:0 count:20 separateSiblings:true}){total relationships{entity{...Source}}}}...on Dashboard{dashboard:properties{name description}editableProperties{description}stats:statsSummary{viewCountLast30Days}}}}}views:usageStats(startTimeMillis:$from){buckets{bucket metrics{viewsCount}}}}}}fragment Source on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}health{type status message}}}" as unknown as Operation<DashboardChartsQuery, DashboardChartsQueryVariables>;
