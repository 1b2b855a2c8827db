// Written by scripts/codegen.mjs from tests.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateTestInput, EntityType, ListTestsInput, StarterTestState, TestDefinitionInput, TestRunState, TestRunStatus, TestRunTrigger, TestRunsInput, UpdateTestInput } from "../../lib/schema";

export type { CreateTestInput, EntityType, ListTestsInput, StarterTestState, TestDefinitionInput, TestRunState, TestRunStatus, TestRunTrigger, TestRunsInput, UpdateTestInput };

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

export type CheckTestQuery = { validateTest: { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> }, previewTest: { selected: number, passing: number, failing: number, complete: boolean, explained: number, passingExamples: Array<
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { name: string, urn: string, type: EntityType }
    >, failingExamples: Array<
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { urn: string, type: EntityType }
      | { name: string, urn: string, type: EntityType }
    >, reasons: Array<{ count: number, condition: { path: string, property: string, operator: string | null, values: Array<string>, match: string | null, elements: string | null, negated: boolean, oneOf: string | null } }>, failures: Array<{ urn: string, findings: Array<{ met: boolean, decisive: boolean, found: Array<string> | null, foundTotal: number | null, elements: number | null, condition: { path: string, property: string, operator: string | null, values: Array<string>, match: string | null, elements: string | null, negated: boolean, oneOf: string | null } }> }> } };

export type ValidateTestQueryVariables = Exact<{
  definition: string;
  urn?: string | null | undefined;
}>;

export type ValidateTestQuery = { validateTest: { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> } };

export type ValidationFragment = { valid: boolean, problems: Array<{ path: string, message: string }>, warnings: Array<{ path: string, message: string }> };

type Example_YXkX5JzTwqDyRxCsUXbxruTaStM0xrndmthLha3gijU_Fragment = { urn: string, type: EntityType };

type Example_K71Zri3a19KhSkSwhtbNcBdJn5vqDZcnnEg926nFbEg_Fragment = { urn: string, type: EntityType };

type Example_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment = { urn: string, type: EntityType };

type Example_Dataset_Fragment = { name: string, urn: string, type: EntityType };

export type ExampleFragment =
  | Example_YXkX5JzTwqDyRxCsUXbxruTaStM0xrndmthLha3gijU_Fragment
  | Example_K71Zri3a19KhSkSwhtbNcBdJn5vqDZcnnEg926nFbEg_Fragment
  | Example_N7w9D70E4k1CmFYrL2Xg3602Ppvbq1xDaFnUt0KmtE_Fragment
  | Example_Dataset_Fragment
;

export type StarterPackQueryVariables = Exact<{ [key: string]: never; }>;

export type StarterPackQuery = { starterTests: Array<{ urn: string, name: string, category: string, description: string, state: StarterTestState }> };

export type InstallStarterPackMutationVariables = Exact<{ [key: string]: never; }>;

export type InstallStarterPackMutation = { installStarterTests: Array<{ urn: string, name: string, category: string, description: string, state: StarterTestState }> };

export type StarterFragment = { urn: string, name: string, category: string, description: string, state: StarterTestState };

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
        | { name: string, urn: string, type: EntityType }
       }> } | null };

export type ConditionFragment = { path: string, property: string, operator: string | null, values: Array<string>, match: string | null, elements: string | null, negated: boolean, oneOf: string | null };

export type FindingFragment = { met: boolean, decisive: boolean, found: Array<string> | null, foundTotal: number | null, elements: number | null, condition: { path: string, property: string, operator: string | null, values: Array<string>, match: string | null, elements: string | null, negated: boolean, oneOf: string | null } };

export const TestsPage = "query TestsPage($list:ListTestsInput!$urn:String!$one:Boolean!){listTests(input:$list){total tests{urn name category runEvents(limit:1){runEvents{timestampMillis status passing failing error}}}}test(urn:$urn)@include(if:$one){urn name category description definition{json}runEvents(limit:30){runEvents{timestampMillis runId status trigger actor passing failing changed durationMillis error}}}}" as unknown as Operation<TestsPageQuery, TestsPageQueryVariables>;

export const CheckTest = "query CheckTest($definition:String!$urn:String){validateTest(definition:$definition urn:$urn){...Validation}previewTest(input:{definition:$definition limit:20}){selected passing failing complete passingExamples{...Example}failingExamples{...Example}reasons{count condition{...Condition}}explained failures{urn findings{...Finding}}}}fragment Validation on TestValidation{valid problems{path message}warnings{path message}}fragment Example on Entity{urn type ...on Dataset{name}}fragment Condition on TestCondition{path property operator values match elements negated oneOf}fragment Finding on TestFinding{condition{...Condition}met decisive found foundTotal elements}" as unknown as Operation<CheckTestQuery, CheckTestQueryVariables>;

export const ValidateTest = "query ValidateTest($definition:String!$urn:String){validateTest(definition:$definition urn:$urn){...Validation}}fragment Validation on TestValidation{valid problems{path message}warnings{path message}}" as unknown as Operation<ValidateTestQuery, ValidateTestQueryVariables>;

export const StarterPack = "query StarterPack{starterTests{...Starter}}fragment Starter on StarterTest{urn name category description state}" as unknown as Operation<StarterPackQuery, StarterPackQueryVariables>;

export const InstallStarterPack = "mutation InstallStarterPack{installStarterTests{...Starter}}fragment Starter on StarterTest{urn name category description state}" as unknown as Operation<InstallStarterPackMutation, InstallStarterPackMutationVariables>;

export const CreateTest = "mutation CreateTest($input:CreateTestInput!){createTest(input:$input)}" as unknown as Operation<CreateTestMutation, CreateTestMutationVariables>;

export const UpdateTest = "mutation UpdateTest($urn:String!$input:UpdateTestInput!){updateTest(urn:$urn input:$input)}" as unknown as Operation<UpdateTestMutation, UpdateTestMutationVariables>;

export const DeleteTest = "mutation DeleteTest($urn:String!){deleteTest(urn:$urn)}" as unknown as Operation<DeleteTestMutation, DeleteTestMutationVariables>;

export const RunTests = "mutation RunTests($tests:[String!]){runTest(input:{testUrns:$tests}){run{...Run}}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunTestsMutation, RunTestsMutationVariables>;

export const CancelRun = "mutation CancelRun($id:String!){cancelTestRun(id:$id){...Run}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<CancelRunMutation, CancelRunMutationVariables>;

export const Run = "query Run($id:String!){testRun(id:$id){...Run}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunQuery, RunQueryVariables>;

export const Runs = "query Runs($input:TestRunsInput!){testRuns(input:$input){total runs{...Run tests{urn name}}}}fragment Run on TestRun{id state actor created started ended done total passing failing changed error problems{test message}}" as unknown as Operation<RunsQuery, RunsQueryVariables>;

export const FindAsset = "query FindAsset($query:String!){searchAcrossEntities(input:{query:$query start:0 count:8}){searchResults{entity{...Example}}}}fragment Example on Entity{urn type ...on Dataset{name}}" as unknown as Operation<FindAssetQuery, FindAssetQueryVariables>;
