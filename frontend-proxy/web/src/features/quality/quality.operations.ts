// Written by scripts/codegen.mjs from quality.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AssertionResultErrorType, AssertionResultSeverity, AssertionResultType, AssertionSourceType, AssertionStdAggregation, AssertionStdOperator, AssertionType, AssertionValueChangeType, DatasetAssertionScope, DateInterval, FieldMetricType, IncidentPriority, IncidentSourceInput, IncidentSourceType, IncidentStage, IncidentState, IncidentStatusInput, IncidentType, RaiseIncidentInput, SchemaAssertionCompatibility, UpdateIncidentInput, VolumeAssertionType } from "../../lib/schema";

export type { AssertionResultErrorType, AssertionResultSeverity, AssertionResultType, AssertionSourceType, AssertionStdAggregation, AssertionStdOperator, AssertionType, AssertionValueChangeType, DatasetAssertionScope, DateInterval, FieldMetricType, IncidentPriority, IncidentSourceInput, IncidentSourceType, IncidentStage, IncidentState, IncidentStatusInput, IncidentType, RaiseIncidentInput, SchemaAssertionCompatibility, UpdateIncidentInput, VolumeAssertionType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type QualityQueryVariables = Exact<{
  urn: string;
}>;

export type QualityQuery = { entity:
    | { urn: string }
    | { urn: string }
    | { urn: string }
    | { urn: string, active: { total: number, incidents: Array<{ urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }> } | null, resolved: { total: number, incidents: Array<{ urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }> } | null }
    | { urn: string, assertions: { total: number, assertions: Array<{ urn: string, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null, runEvents: { runEvents: Array<{ timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null }> } | null, active: { total: number, incidents: Array<{ urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }> } | null, resolved: { total: number, incidents: Array<{ urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
            | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
            | { urn: string, name: string, properties: { displayName: string | null } | null }
          > | null, source: { type: IncidentSourceType, source:
              | { urn: string }
              | { urn: string }
              | { urn: string }
             | null } | null }> } | null }
   | null };

export type CheckRunsQueryVariables = Exact<{
  urn: string;
}>;

export type CheckRunsQuery = { assertion: { urn: string, info: { description: string | null, note: string | null, externalUrl: string | null, lastUpdated: { time: number, actor: string | null } | null, source: { type: AssertionSourceType } | null, datasetAssertion: { scope: DatasetAssertionScope, aggregation: AssertionStdAggregation | null, operator: AssertionStdOperator, nativeType: string | null, logic: string | null, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null, nativeParameters: Array<{ key: string, value: string | null }> | null } | null, freshnessAssertion: { schedule: { cron: { cron: string, timezone: string } | null, fixedInterval: { unit: DateInterval, multiple: number } | null } } | null, volumeAssertion: { type: VolumeAssertionType, rowCountTotal: { operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null, rowCountChange: { type: AssertionValueChangeType, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null } | null, sqlAssertion: { statement: string, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null, fieldAssertion: { fieldValuesAssertion: { operator: AssertionStdOperator, excludeNulls: boolean, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null } | null, fieldMetricAssertion: { metric: FieldMetricType, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null } | null } | null, schemaAssertion: { compatibility: SchemaAssertionCompatibility, fields: Array<{ path: string }> } | null, customAssertion: { type: string, scope: DatasetAssertionScope | null, aggregation: AssertionStdAggregation | null, operator: AssertionStdOperator | null, nativeType: string | null, logic: string | null, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null, nativeParameters: Array<{ key: string, value: string | null }> | null } | null, customProperties: Array<{ key: string, value: string | null }> | null } | null, runEvents: { total: number, failed: number, succeeded: number, errored: number, runEvents: Array<{ timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, severity: AssertionResultSeverity | null, externalUrl: string | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null } | null };

export type RaiseIncidentMutationVariables = Exact<{
  input: RaiseIncidentInput;
}>;

export type RaiseIncidentMutation = { raiseIncident: string | null };

export type UpdateIncidentMutationVariables = Exact<{
  urn: string;
  input: UpdateIncidentInput;
}>;

export type UpdateIncidentMutation = { updateIncident: boolean | null };

export type UpdateIncidentStatusMutationVariables = Exact<{
  urn: string;
  input: IncidentStatusInput;
}>;

export type UpdateIncidentStatusMutation = { updateIncidentStatus: boolean | null };

export type CheckDetailFragment = { info: { description: string | null, note: string | null, externalUrl: string | null, lastUpdated: { time: number, actor: string | null } | null, source: { type: AssertionSourceType } | null, datasetAssertion: { scope: DatasetAssertionScope, aggregation: AssertionStdAggregation | null, operator: AssertionStdOperator, nativeType: string | null, logic: string | null, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null, nativeParameters: Array<{ key: string, value: string | null }> | null } | null, freshnessAssertion: { schedule: { cron: { cron: string, timezone: string } | null, fixedInterval: { unit: DateInterval, multiple: number } | null } } | null, volumeAssertion: { type: VolumeAssertionType, rowCountTotal: { operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null, rowCountChange: { type: AssertionValueChangeType, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null } | null, sqlAssertion: { statement: string, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } } | null, fieldAssertion: { fieldValuesAssertion: { operator: AssertionStdOperator, excludeNulls: boolean, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null } | null, fieldMetricAssertion: { metric: FieldMetricType, operator: AssertionStdOperator, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null } | null } | null, schemaAssertion: { compatibility: SchemaAssertionCompatibility, fields: Array<{ path: string }> } | null, customAssertion: { type: string, scope: DatasetAssertionScope | null, aggregation: AssertionStdAggregation | null, operator: AssertionStdOperator | null, nativeType: string | null, logic: string | null, parameters: { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null } | null, nativeParameters: Array<{ key: string, value: string | null }> | null } | null, customProperties: Array<{ key: string, value: string | null }> | null } | null, runEvents: { total: number, failed: number, succeeded: number, errored: number, runEvents: Array<{ timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, severity: AssertionResultSeverity | null, externalUrl: string | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null };

export type OperandsFragment = { value: { value: string } | null, minValue: { value: string } | null, maxValue: { value: string } | null };

export type IncidentPageFragment = { total: number, incidents: Array<{ urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
      | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
      | { urn: string, name: string, properties: { displayName: string | null } | null }
    > | null, source: { type: IncidentSourceType, source:
        | { urn: string }
        | { urn: string }
        | { urn: string }
       | null } | null }> };

export type CheckFragment = { urn: string, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { type: AssertionType, description: string | null, datasetAssertion: { fields: Array<{ path: string }> | null } | null, fieldAssertion: { fieldValuesAssertion: { field: { path: string } } | null, fieldMetricAssertion: { field: { path: string } } | null } | null, customAssertion: { type: string, field: { path: string } | null, fields: Array<{ path: string }> | null } | null } | null, runEvents: { runEvents: Array<{ timestampMillis: number, result: { type: AssertionResultType, rowCount: number | null, missingCount: number | null, unexpectedCount: number | null, actualAggValue: number | null, nativeResults: Array<{ key: string, value: string | null }> | null, error: { type: AssertionResultErrorType, properties: Array<{ key: string, value: string | null }> | null } | null } | null }> } | null };

export type IncidentFactsFragment = { urn: string, incidentType: IncidentType, customType: string | null, title: string | null, description: string | null, priority: IncidentPriority | null, startedAt: number | null, created: { time: number, actor: string | null }, incidentStatus: { state: IncidentState, stage: IncidentStage | null, message: string | null, lastUpdated: { time: number, actor: string | null } }, assignees: Array<
    | { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
    | { urn: string, name: string, properties: { displayName: string | null } | null }
  > | null, source: { type: IncidentSourceType, source:
      | { urn: string }
      | { urn: string }
      | { urn: string }
     | null } | null };

export const Quality = "query Quality($urn:String!){entity(urn:$urn){urn ...on Dataset{assertions(start:0 count:200){total assertions{...Check}}active:incidents(state:ACTIVE start:0 count:100){...IncidentPage}resolved:incidents(state:RESOLVED start:0 count:100){...IncidentPage}}...on Chart{active:incidents(state:ACTIVE start:0 count:100){...IncidentPage}resolved:incidents(state:RESOLVED start:0 count:100){...IncidentPage}}...on Dashboard{active:incidents(state:ACTIVE start:0 count:100){...IncidentPage}resolved:incidents(state:RESOLVED start:0 count:100){...IncidentPage}}...on DataFlow{active:incidents(state:ACTIVE start:0 count:100){...IncidentPage}resolved:incidents(state:RESOLVED start:0 count:100){...IncidentPage}}...on DataJob{active:incidents(state:ACTIVE start:0 count:100){...IncidentPage}resolved:incidents(state:RESOLVED start:0 count:100){...IncidentPage}}}}fragment IncidentPage on EntityIncidentsResult{total incidents{...IncidentFacts}}fragment Check on Assertion{urn platform{urn name properties{displayName}}info{type description datasetAssertion{fields{path}}fieldAssertion{fieldValuesAssertion{field{path}}fieldMetricAssertion{field{path}}}customAssertion{type field{path}fields{path}}}runEvents(status:COMPLETE limit:14){runEvents{timestampMillis result{type rowCount missingCount unexpectedCount actualAggValue nativeResults{key value}error{type properties{key value}}}}}}fragment IncidentFacts on Incident{urn incidentType customType title description priority startedAt created{time actor}incidentStatus{state stage message lastUpdated{time actor}}assignees{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}source{type source{urn}}}" as unknown as Operation<QualityQuery, QualityQueryVariables>;

export const CheckRuns = "query CheckRuns($urn:String!){assertion(urn:$urn){urn ...CheckDetail}}fragment CheckDetail on Assertion{info{description note externalUrl lastUpdated{time actor}source{type}datasetAssertion{scope aggregation operator parameters{...Operands}nativeType nativeParameters{key value}logic}freshnessAssertion{schedule{cron{cron timezone}fixedInterval{unit multiple}}}volumeAssertion{type rowCountTotal{operator parameters{...Operands}}rowCountChange{type operator parameters{...Operands}}}sqlAssertion{statement operator parameters{...Operands}}fieldAssertion{fieldValuesAssertion{operator parameters{...Operands}excludeNulls}fieldMetricAssertion{metric operator parameters{...Operands}}}schemaAssertion{compatibility fields{path}}customAssertion{type scope aggregation operator parameters{...Operands}nativeType nativeParameters{key value}logic}customProperties{key value}}runEvents(status:COMPLETE limit:30){total failed succeeded errored runEvents{timestampMillis result{type rowCount missingCount unexpectedCount actualAggValue severity externalUrl nativeResults{key value}error{type properties{key value}}}}}}fragment Operands on AssertionStdParameters{value{value}minValue{value}maxValue{value}}" as unknown as Operation<CheckRunsQuery, CheckRunsQueryVariables>;

export const RaiseIncident = "mutation RaiseIncident($input:RaiseIncidentInput!){raiseIncident(input:$input)}" as unknown as Operation<RaiseIncidentMutation, RaiseIncidentMutationVariables>;

export const UpdateIncident = "mutation UpdateIncident($urn:String!$input:UpdateIncidentInput!){updateIncident(urn:$urn input:$input)}" as unknown as Operation<UpdateIncidentMutation, UpdateIncidentMutationVariables>;

export const UpdateIncidentStatus = "mutation UpdateIncidentStatus($urn:String!$input:IncidentStatusInput!){updateIncidentStatus(urn:$urn input:$input)}" as unknown as Operation<UpdateIncidentStatusMutation, UpdateIncidentStatusMutationVariables>;
