// Written by scripts/codegen.mjs from tests.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateTestInput, EntityType, ListTestsInput, TestDefinitionInput, TestRunState, TestRunStatus, TestRunTrigger, TestRunsInput, UpdateTestInput } from "../../lib/schema";

export type { CreateTestInput, EntityType, ListTestsInput, TestDefinitionInput, TestRunState, TestRunStatus, TestRunTrigger, TestRunsInput, UpdateTestInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type TestsPageQueryVariables = Exact<{
  list: ListTestsInput;
  urn: string;
  one: boolean;
}>;

export type TestsPageQuery = { listTests: { total: number, tests: Array<{ urn: string, name: string, category: string, runEvents: { runEvents: Array<{ timestampMillis: number, status: TestRunStatus, passing: number | null, failing: number | null, error: string | null }> } | null }> } | null, test?: { urn: string, name: string, category: string, description: string | null, definition: { json: string | null }, runEvents: { runEvents: Array<{ timestampMillis: number, runId: string, status: TestRunStatus, trigger: TestRunTrigger, actor: string, passing: number | null, failing: number | null, changed: number | null, durationMillis: number | null, error: string | null }> } | null } | null };

export type CheckTestQueryVariables = Exact<{
  definition: string;
  urn?: string | null | undefined;
}>;

export type CheckTestQuery = { validateTest: { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> }, previewTest: { selected: number, passing: number, failing: number, complete: boolean, passingExamples: Array<
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { name: string, urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
    >, failingExamples: Array<
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { name: string, urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
    > } };

export type ValidateTestQueryVariables = Exact<{
  definition: string;
  urn?: string | null | undefined;
}>;

export type ValidateTestQuery = { validateTest: { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> } };

export type ValidationFragment = { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> };

type Example_Role_Fragment = { urn: string, type: EntityType };

type Example_Application_Fragment = { urn: string, type: EntityType };

type Example_Assertion_Fragment = { urn: string, type: EntityType };

type Example_BusinessAttribute_Fragment = { urn: string, type: EntityType };

type Example_Chart_Fragment = { urn: string, type: EntityType };

type Example_DataHubConnection_Fragment = { urn: string, type: EntityType };

type Example_Container_Fragment = { urn: string, type: EntityType };

type Example_DataContract_Fragment = { urn: string, type: EntityType };

type Example_Restricted_Fragment = { urn: string, type: EntityType };

type Example_Dashboard_Fragment = { urn: string, type: EntityType };

type Example_DataProduct_Fragment = { urn: string, type: EntityType };

type Example_Dataset_Fragment = { name: string, urn: string, type: EntityType };

type Example_Document_Fragment = { urn: string, type: EntityType };

type Example_Domain_Fragment = { urn: string, type: EntityType };

type Example_ErModelRelationship_Fragment = { urn: string, type: EntityType };

type Example_DataHubFile_Fragment = { urn: string, type: EntityType };

type Example_Form_Fragment = { urn: string, type: EntityType };

type Example_GlossaryNode_Fragment = { urn: string, type: EntityType };

type Example_GlossaryTerm_Fragment = { urn: string, type: EntityType };

type Example_DataHubPageModule_Fragment = { urn: string, type: EntityType };

type Example_DataHubPageTemplate_Fragment = { urn: string, type: EntityType };

type Example_Incident_Fragment = { urn: string, type: EntityType };

type Example_ExecutionRequest_Fragment = { urn: string, type: EntityType };

type Example_DataFlow_Fragment = { urn: string, type: EntityType };

type Example_DataJob_Fragment = { urn: string, type: EntityType };

type Example_DataProcessInstance_Fragment = { urn: string, type: EntityType };

type Example_Test_Fragment = { urn: string, type: EntityType };

type Example_MlFeature_Fragment = { urn: string, type: EntityType };

type Example_MlFeatureTable_Fragment = { urn: string, type: EntityType };

type Example_MlModel_Fragment = { urn: string, type: EntityType };

type Example_MlModelGroup_Fragment = { urn: string, type: EntityType };

type Example_MlPrimaryKey_Fragment = { urn: string, type: EntityType };

type Example_Notebook_Fragment = { urn: string, type: EntityType };

type Example_OwnershipTypeEntity_Fragment = { urn: string, type: EntityType };

type Example_DataPlatform_Fragment = { urn: string, type: EntityType };

type Example_DataPlatformInstance_Fragment = { urn: string, type: EntityType };

type Example_DataHubPolicy_Fragment = { urn: string, type: EntityType };

type Example_DataHubRole_Fragment = { urn: string, type: EntityType };

type Example_Post_Fragment = { urn: string, type: EntityType };

type Example_QueryEntity_Fragment = { urn: string, type: EntityType };

type Example_SchemaFieldEntity_Fragment = { urn: string, type: EntityType };

type Example_Metric_Fragment = { urn: string, type: EntityType };

type Example_SemanticModel_Fragment = { urn: string, type: EntityType };

type Example_DataTypeEntity_Fragment = { urn: string, type: EntityType };

type Example_EntityTypeEntity_Fragment = { urn: string, type: EntityType };

type Example_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType };

type Example_Tag_Fragment = { urn: string, type: EntityType };

type Example_VersionedDataset_Fragment = { urn: string, type: EntityType };

type Example_AccessTokenMetadata_Fragment = { urn: string, type: EntityType };

type Example_ServiceAccount_Fragment = { urn: string, type: EntityType };

type Example_CorpGroup_Fragment = { urn: string, type: EntityType };

type Example_CorpUser_Fragment = { urn: string, type: EntityType };

type Example_VersionSet_Fragment = { urn: string, type: EntityType };

type Example_DataHubView_Fragment = { urn: string, type: EntityType };

export type ExampleFragment =
  | Example_Role_Fragment
  | Example_Application_Fragment
  | Example_Assertion_Fragment
  | Example_BusinessAttribute_Fragment
  | Example_Chart_Fragment
  | Example_DataHubConnection_Fragment
  | Example_Container_Fragment
  | Example_DataContract_Fragment
  | Example_Restricted_Fragment
  | Example_Dashboard_Fragment
  | Example_DataProduct_Fragment
  | Example_Dataset_Fragment
  | Example_Document_Fragment
  | Example_Domain_Fragment
  | Example_ErModelRelationship_Fragment
  | Example_DataHubFile_Fragment
  | Example_Form_Fragment
  | Example_GlossaryNode_Fragment
  | Example_GlossaryTerm_Fragment
  | Example_DataHubPageModule_Fragment
  | Example_DataHubPageTemplate_Fragment
  | Example_Incident_Fragment
  | Example_ExecutionRequest_Fragment
  | Example_DataFlow_Fragment
  | Example_DataJob_Fragment
  | Example_DataProcessInstance_Fragment
  | Example_Test_Fragment
  | Example_MlFeature_Fragment
  | Example_MlFeatureTable_Fragment
  | Example_MlModel_Fragment
  | Example_MlModelGroup_Fragment
  | Example_MlPrimaryKey_Fragment
  | Example_Notebook_Fragment
  | Example_OwnershipTypeEntity_Fragment
  | Example_DataPlatform_Fragment
  | Example_DataPlatformInstance_Fragment
  | Example_DataHubPolicy_Fragment
  | Example_DataHubRole_Fragment
  | Example_Post_Fragment
  | Example_QueryEntity_Fragment
  | Example_SchemaFieldEntity_Fragment
  | Example_Metric_Fragment
  | Example_SemanticModel_Fragment
  | Example_DataTypeEntity_Fragment
  | Example_EntityTypeEntity_Fragment
  | Example_StructuredPropertyEntity_Fragment
  | Example_Tag_Fragment
  | Example_VersionedDataset_Fragment
  | Example_AccessTokenMetadata_Fragment
  | Example_ServiceAccount_Fragment
  | Example_CorpGroup_Fragment
  | Example_CorpUser_Fragment
  | Example_VersionSet_Fragment
  | Example_DataHubView_Fragment
;

export type CreateTestMutationVariables = Exact<{
  input: CreateTestInput;
}>;

export type CreateTestMutation = { createTest: string | null };

export type UpdateTestMutationVariables = Exact<{
  urn: string;
  input: UpdateTestInput;
}>;

export type UpdateTestMutation = { updateTest: string | null };

export type DeleteTestMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteTestMutation = { deleteTest: boolean | null };

export type RunTestsMutationVariables = Exact<{
  tests?: Array<string> | string | null | undefined;
}>;

export type RunTestsMutation = { runTest: { run: { id: string, state: TestRunState, actor: string, created: number, started: number | null, ended: number | null, done: number, total: number, passing: number, failing: number, changed: number, error: string | null, problems: Array<{ test: string, message: string }> } | null } | null };

export type CancelRunMutationVariables = Exact<{
  id: string;
}>;

export type CancelRunMutation = { cancelTestRun: { id: string, state: TestRunState, actor: string, created: number, started: number | null, ended: number | null, done: number, total: number, passing: number, failing: number, changed: number, error: string | null, problems: Array<{ test: string, message: string }> } | null };

export type RunQueryVariables = Exact<{
  id: string;
}>;

export type RunQuery = { testRun: { id: string, state: TestRunState, actor: string, created: number, started: number | null, ended: number | null, done: number, total: number, passing: number, failing: number, changed: number, error: string | null, problems: Array<{ test: string, message: string }> } | null };

export type RunsQueryVariables = Exact<{
  input: TestRunsInput;
}>;

export type RunsQuery = { testRuns: { total: number, runs: Array<{ id: string, state: TestRunState, actor: string, created: number, started: number | null, ended: number | null, done: number, total: number, passing: number, failing: number, changed: number, error: string | null, tests: Array<{ urn: string, name: string }>, problems: Array<{ test: string, message: string }> }> } };

export type RunFragment = { id: string, state: TestRunState, actor: string, created: number, started: number | null, ended: number | null, done: number, total: number, passing: number, failing: number, changed: number, error: string | null, problems: Array<{ test: string, message: string }> };

export type FindAssetQueryVariables = Exact<{
  query: string;
}>;

export type FindAssetQuery = { searchAcrossEntities: { searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
       }> } | null };

export const TestsPage = "query TestsPage($list:ListTestsInput!$urn:String!$one:Boolean!){listTests(input:$list){total tests{urn name category runEvents(limit:1){runEvents{timestampMillis status passing failing error}}}}test(urn:$urn)@include(if:$one){urn name category description definition{json}runEvents(limit:30){runEvents{timestampMillis runId status trigger actor passing failing changed durationMillis error}}}}" as unknown as Operation<TestsPageQuery, TestsPageQueryVariables>;

export const CheckTest = "query CheckTest($definition:String!$urn:String){validateTest(definition:$definition urn:$urn){...Validation}previewTest(input:{definition:$definition limit:20}){selected passing failing complete passingExamples{...Example}failingExamples{...Example}}}fragment Validation on TestValidation{valid problems{path message}warnings{path message}}fragment Example on Entity{urn type ...on Dataset{name}}" as unknown as Operation<CheckTestQuery, CheckTestQueryVariables>;

export const ValidateTest = "query ValidateTest($definition:String!$urn:String){validateTest(definition:$definition urn:$urn){...Validation}}fragment Validation on TestValidation{valid problems{path message}warnings{path message}}" as unknown as Operation<ValidateTestQuery, ValidateTestQueryVariables>;

export const CreateTest = "mutation CreateTest($input:CreateTestInput!){createTest(input:$input)}" as unknown as Operation<CreateTestMutation, CreateTestMutationVariables>;

export const UpdateTest = "mutation UpdateTest($urn:String!$input:UpdateTestInput!){updateTest(urn:$urn input:$input)}" as unknown as Operation<UpdateTestMutation, UpdateTestMutationVariables>;

export const DeleteTest = "mutation DeleteTest($urn:String!){deleteTest(urn:$urn)}" as unknown as Operation<DeleteTestMutation, DeleteTestMutationVariables>;

export const RunTests = "mutation RunTests($tests:[String!]){runTest(input:{testUrns:$tests}){run{...Run}}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunTestsMutation, RunTestsMutationVariables>;

export const CancelRun = "mutation CancelRun($id:String!){cancelTestRun(id:$id){...Run}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<CancelRunMutation, CancelRunMutationVariables>;

export const Run = "query Run($id:String!){testRun(id:$id){...Run}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunQuery, RunQueryVariables>;

export const Runs = "query Runs($input:TestRunsInput!){testRuns(input:$input){total runs{...Run tests{urn name}}}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunsQuery, RunsQueryVariables>;

export const FindAsset = "query FindAsset($query:String!){searchAcrossEntities(input:{query:$query start:0 count:8}){searchResults{entity{...Example}}}}fragment Example on Entity{urn type ...on Dataset{name}}" as unknown as Operation<FindAssetQuery, FindAssetQueryVariables>;
