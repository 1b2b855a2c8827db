// Written by scripts/codegen.mjs from fields.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { EntityType, HealthStatus, HealthStatusType, SchemaFieldDataType } from "../../lib/schema";

export type { EntityType, HealthStatus, HealthStatusType, SchemaFieldDataType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ChartFieldsQueryVariables = Exact<{
  urn: string;
}>;

export type ChartFieldsQuery = { entity: { inputFields: { fields: Array<{ schemaFieldUrn: string | null, schemaField: { fieldPath: string, nativeDataType: string | null, type: SchemaFieldDataType, description: string | null } | null } | null> | null } | null, sources: { total: number | null, relationships: Array<{ entity:
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { urn: string, type: EntityType }
          | { name: string, urn: string, type: EntityType, editableProperties: { name: string | null } | null, properties: { name: string } | null, health: Array<{ type: HealthStatusType, status: HealthStatus, message: string | null }> | null }
         | null }> } | null } | null };

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

export const ChartFields = "query ChartFields($urn:String!){entity(urn:$urn){...on Chart{inputFields{fields{schemaFieldUrn schemaField{fieldPath nativeDataType type description}}}sources:lineage(input:{direction:UPSTREAM start:0 count:100 separateSiblings:true}){total relationships{entity{...Source}}}}}}fragment Source on Entity{urn type ...on Dataset{name editableProperties{name}properties{name}health{type status message}}}" as unknown as Operation<ChartFieldsQuery, ChartFieldsQueryVariables>;
