// Written by scripts/codegen.mjs from fields.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { EntityType, HealthStatus, HealthStatusType, SchemaFieldDataType } from "../../lib/schema";

export type { EntityType, HealthStatus, HealthStatusType, SchemaFieldDataType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ChartFieldsQueryVariables = Exact<{
  urn: string;
}>;

export type ChartFieldsQuery = { entity: { inputFields?: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string | null, nativeDataType: string | null, type: SchemaFieldDataType | null, description: string | null } | null } | null> | null } | null, sources?: { total: number | null, relationships: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, editableProperties?: { name: string | null } | null, properties?: { name: string | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null } | null> | null } | null } | null> | null } | null } | null };

export type SourceFragment = { urn: string | null, type: EntityType | null, name?: string | null, editableProperties?: { name: string | null } | null, properties?: { name: string | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null } | null> | null };

export const ChartFields = "query ChartFields($urn:String!){entity(urn:$urn){...on Chart{inputFields{fields{schemaFieldUrn schemaField{fieldPath nativeDataType type description}}}sources:lineage(input:{direction:UPSTREAM start:0 count:100 separateSiblings:true}){total relationships{entity{...Source}}}}}}fragment Source on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}health{type status message}}}" as unknown as Operation<ChartFieldsQuery, ChartFieldsQueryVariables>;
