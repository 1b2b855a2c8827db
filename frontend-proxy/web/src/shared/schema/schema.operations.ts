// Written by scripts/codegen.mjs from schema.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AssertionResultType, ChangeOperationType, SchemaFieldDataType } from "../../lib/schema";

export type { AssertionResultType, ChangeOperationType, SchemaFieldDataType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ColumnLabelsFragment = { tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null };

export type ColumnsFragment = { aspectVersion: number | null, createdAt: number | null, primaryKeys: Array<string> | null, foreignKeys: Array<{ foreignDataset: { urn: string, name: string } | null, sourceFields: Array<{ fieldPath: string } | null> | null } | null> | null, fields: Array<{ fieldPath: string, label: string | null, type: SchemaFieldDataType, nativeDataType: string | null, nullable: boolean, description: string | null, isPartOfKey: boolean | null, isPartitioningKey: boolean | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null }, attribution: { source:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null } | null }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null }, attribution: { source:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null } | null }> | null } | null }> };

export type SchemaQueryVariables = Exact<{
  urn: string;
}>;

export type SchemaQuery = { dataset: { schemaMetadata: { aspectVersion: number | null, createdAt: number | null, primaryKeys: Array<string> | null, foreignKeys: Array<{ foreignDataset: { urn: string, name: string } | null, sourceFields: Array<{ fieldPath: string } | null> | null } | null> | null, fields: Array<{ fieldPath: string, label: string | null, type: SchemaFieldDataType, nativeDataType: string | null, nullable: boolean, description: string | null, isPartOfKey: boolean | null, isPartitioningKey: boolean | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null }> } | null, editableSchemaMetadata: { editableSchemaFieldInfo: Array<{ fieldPath: string, description: string | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null } }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null } }> | null } | null }> } | null, usageStats: { aggregations: { fields: Array<{ fieldName: string | null, count: number | null } | null> | null } | null } | null, assertions: { assertions: Array<{ info: { fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null } | null, runEvents: { runEvents: Array<{ result: { type: AssertionResultType } | null }> } | null }> } | null } | null, getSchemaVersionList: { semanticVersionList: Array<{ semanticVersion: string | null, semanticVersionTimestamp: number | null, versionStamp: string | null }> | null } | null };

export type SchemaVersionsQueryVariables = Exact<{
  urn: string;
}>;

export type SchemaVersionsQuery = { getSchemaVersionList: { semanticVersionList: Array<{ semanticVersion: string | null, semanticVersionTimestamp: number | null, versionStamp: string | null }> | null } | null };

export type SchemaVersionNamesFragment = { semanticVersionList: Array<{ semanticVersion: string | null, semanticVersionTimestamp: number | null, versionStamp: string | null }> | null };

export type SchemaChangesQueryVariables = Exact<{
  urn: string;
}>;

export type SchemaChangesQuery = { getTimeline: { changeTransactions: Array<{ versionStamp: string, changes: Array<{ operation: ChangeOperationType | null, parameters: Array<{ key: string | null, value: string | null }> | null }> | null }> } | null };

export type SchemaAtQueryVariables = Exact<{
  urn: string;
  version: number;
}>;

export type SchemaAtQuery = { dataset: { schemaMetadata: { aspectVersion: number | null, createdAt: number | null, primaryKeys: Array<string> | null, foreignKeys: Array<{ foreignDataset: { urn: string, name: string } | null, sourceFields: Array<{ fieldPath: string } | null> | null } | null> | null, fields: Array<{ fieldPath: string, label: string | null, type: SchemaFieldDataType, nativeDataType: string | null, nullable: boolean, description: string | null, isPartOfKey: boolean | null, isPartitioningKey: boolean | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null }> } | null } | null };

export type SchemaPairQueryVariables = Exact<{
  urn: string;
  from: number;
  to: number;
}>;

export type SchemaPairQuery = { dataset: { older: { aspectVersion: number | null, createdAt: number | null, primaryKeys: Array<string> | null, foreignKeys: Array<{ foreignDataset: { urn: string, name: string } | null, sourceFields: Array<{ fieldPath: string } | null> | null } | null> | null, fields: Array<{ fieldPath: string, label: string | null, type: SchemaFieldDataType, nativeDataType: string | null, nullable: boolean, description: string | null, isPartOfKey: boolean | null, isPartitioningKey: boolean | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null }> } | null, newer: { aspectVersion: number | null, createdAt: number | null, primaryKeys: Array<string> | null, foreignKeys: Array<{ foreignDataset: { urn: string, name: string } | null, sourceFields: Array<{ fieldPath: string } | null> | null } | null> | null, fields: Array<{ fieldPath: string, label: string | null, type: SchemaFieldDataType, nativeDataType: string | null, nullable: boolean, description: string | null, isPartOfKey: boolean | null, isPartitioningKey: boolean | null, tags: { tags: Array<{ tag: { urn: string, properties: { name: string, colorHex: string | null } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null, glossaryTerms: { terms: Array<{ term: { urn: string, properties: { name: string } | null }, attribution: { source:
                | { urn: string }
                | { urn: string }
                | { urn: string }
               | null } | null }> | null } | null }> } | null, usageStats: { aggregations: { fields: Array<{ fieldName: string | null, count: number | null } | null> | null } | null } | null } | null };

export const Schema = "query Schema($urn:String!){dataset(urn:$urn){schemaMetadata{...Columns}editableSchemaMetadata{editableSchemaFieldInfo{fieldPath description ...ColumnLabels}}usageStats(range:MONTH){aggregations{fields{fieldName count}}}assertions(start:0 count:200){assertions{info{fieldAssertion{fieldValuesAssertion{field{path}}fieldMetricAssertion{field{path}}}datasetAssertion{fields{path}}}runEvents(status:COMPLETE limit:1){runEvents{result{type}}}}}}getSchemaVersionList(input:{datasetUrn:$urn}){...SchemaVersionNames}}fragment ColumnLabels on EditableSchemaFieldInfo{tags{tags{tag{urn properties{name colorHex}}}}glossaryTerms{terms{term{urn properties{name}}}}}fragment Columns on SchemaMetadata{aspectVersion createdAt primaryKeys foreignKeys{foreignDataset{urn name}sourceFields{fieldPath}}fields{fieldPath label type nativeDataType nullable description isPartOfKey isPartitioningKey tags{tags{tag{urn properties{name colorHex}}attribution{source{urn}}}}glossaryTerms{terms{term{urn properties{name}}attribution{source{urn}}}}}}fragment SchemaVersionNames on GetSchemaVersionListResult{semanticVersionList{semanticVersion semanticVersionTimestamp versionStamp}}" as unknown as Operation<SchemaQuery, SchemaQueryVariables>;

export const SchemaVersions = "query SchemaVersions($urn:String!){getSchemaVersionList(input:{datasetUrn:$urn}){...SchemaVersionNames}}fragment SchemaVersionNames on GetSchemaVersionListResult{semanticVersionList{semanticVersion semanticVersionTimestamp versionStamp}}" as unknown as Operation<SchemaVersionsQuery, SchemaVersionsQueryVariables>;

export const SchemaChanges = "query SchemaChanges($urn:String!){getTimeline(input:{urn:$urn changeCategories:[TECHNICAL_SCHEMA]}){changeTransactions{versionStamp changes{operation parameters{key value}}}}}" as unknown as Operation<SchemaChangesQuery, SchemaChangesQueryVariables>;

export const SchemaAt = "query SchemaAt($urn:String!$version:Long!){dataset(urn:$urn){schemaMetadata(version:$version){...Columns}}}fragment Columns on SchemaMetadata{aspectVersion createdAt primaryKeys foreignKeys{foreignDataset{urn name}sourceFields{fieldPath}}fields{fieldPath label type nativeDataType nullable description isPartOfKey isPartitioningKey tags{tags{tag{urn properties{name colorHex}}attribution{source{urn}}}}glossaryTerms{terms{term{urn properties{name}}attribution{source{urn}}}}}}" as unknown as Operation<SchemaAtQuery, SchemaAtQueryVariables>;

export const SchemaPair = "query SchemaPair($urn:String!$from:Long!$to:Long!){dataset(urn:$urn){older:schemaMetadata(version:$from){...Columns}newer:schemaMetadata(version:$to){...Columns}usageStats(range:MONTH){aggregations{fields{fieldName count}}}}}fragment Columns on SchemaMetadata{aspectVersion createdAt primaryKeys foreignKeys{foreignDataset{urn name}sourceFields{fieldPath}}fields{fieldPath label type nativeDataType nullable description isPartOfKey isPartitioningKey tags{tags{tag{urn properties{name colorHex}}attribution{source{urn}}}}glossaryTerms{terms{term{urn properties{name}}attribution{source{urn}}}}}}" as unknown as Operation<SchemaPairQuery, SchemaPairQueryVariables>;
