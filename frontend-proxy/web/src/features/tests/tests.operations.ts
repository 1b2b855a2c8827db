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

export type TestsPageQuery = { listTests: { total: number | null, tests: Array<{ urn: string | null, name: string | null, category: string | null, runEvents: { runEvents: Array<{ timestampMillis: number | null, status: TestRunStatus | null, passing: number | null, failing: number | null, error: string | null } | null> | null } | null } | null> | null } | null, test?: { urn: string | null, name: string | null, category: string | null, description: string | null, definition: { json: string | null } | null, runEvents: { runEvents: Array<{ timestampMillis: number | null, runId: string | null, status: TestRunStatus | null, trigger: TestRunTrigger | null, actor: string | null, passing: number | null, failing: number | null, changed: number | null, durationMillis: number | null, error: string | null } | null> | null } | null } | null };

export type CheckTestQueryVariables = Exact<{
  definition: string;
  urn?: string | null | undefined;
}>;

export type CheckTestQuery = { validateTest: { valid: boolean | null, problems: Array<{ path: string | null, message: string | null } | null> | null, warnings: Array<{ path: string | null, message: string | null } | null> | null } | null, previewTest: { selected: number | null, passing: number | null, failing: number | null, complete: boolean | null, passingExamples: Array<{ urn: string | null, type: EntityType | null, name?: string | null } | null> | null, failingExamples: Array<{ urn: string | null, type: EntityType | null, name?: string | null } | null> | null, reasons: Array<{ count: number | null, condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null } | null> | null, explained: number | null, failures: Array<{ urn: string | null, findings: Array<{ condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null } | null> | null } | null> | null } | null };

export type ValidateTestQueryVariables = Exact<{
  definition: string;
  urn?: string | null | undefined;
}>;

export type ValidateTestQuery = { validateTest: { valid: boolean | null, problems: Array<{ path: string | null, message: string | null } | null> | null, warnings: Array<{ path: string | null, message: string | null } | null> | null } | null };

export type ValidationFragment = { valid: boolean | null, problems: Array<{ path: string | null, message: string | null } | null> | null, warnings: Array<{ path: string | null, message: string | null } | null> | null };

export type ExampleFragment = { urn: string | null, type: EntityType | null, name?: string | null };

export type StarterPackQueryVariables = Exact<{ [key: string]: never; }>;

export type StarterPackQuery = { starterTests: Array<{ urn: string | null, name: string | null, category: string | null, description: string | null, state: StarterTestState | null } | null> | null };

export type InstallStarterPackMutationVariables = Exact<{ [key: string]: never; }>;

export type InstallStarterPackMutation = { installStarterTests: Array<{ urn: string | null, name: string | null, category: string | null, description: string | null, state: StarterTestState | null } | null> | null };

export type StarterFragment = { urn: string | null, name: string | null, category: string | null, description: string | null, state: StarterTestState | null };

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

export type RunTestsMutation = { runTest: { run: { id: string | null, state: TestRunState | null, actor: string | null, created: number | null, started: number | null, ended: number | null, done: number | null, total: number | null, passing: number | null, failing: number | null, changed: number | null, error: string | null, problems: Array<{ test: string | null, message: string | null } | null> | null } | null } | null };

export type CancelRunMutationVariables = Exact<{
  id: string;
}>;

export type CancelRunMutation = { cancelTestRun: { id: string | null, state: TestRunState | null, actor: string | null, created: number | null, started: number | null, ended: number | null, done: number | null, total: number | null, passing: number | null, failing: number | null, changed: number | null, error: string | null, problems: Array<{ test: string | null, message: string | null } | null> | null } | null };

export type RunQueryVariables = Exact<{
  id: string;
}>;

export type RunQuery = { testRun: { id: string | null, state: TestRunState | null, actor: string | null, created: number | null, started: number | null, ended: number | null, done: number | null, total: number | null, passing: number | null, failing: number | null, changed: number | null, error: string | null, problems: Array<{ test: string | null, message: string | null } | null> | null } | null };

export type RunsQueryVariables = Exact<{
  input: TestRunsInput;
}>;

export type RunsQuery = { testRuns: { total: number | null, runs: Array<{ id: string | null, state: TestRunState | null, actor: string | null, created: number | null, started: number | null, ended: number | null, done: number | null, total: number | null, passing: number | null, failing: number | null, changed: number | null, error: string | null, problems: Array<{ test: string | null, message: string | null } | null> | null, tests: Array<{ urn: string | null, name: string | null } | null> | null } | null> | null } | null };

export type RunFragment = { id: string | null, state: TestRunState | null, actor: string | null, created: number | null, started: number | null, ended: number | null, done: number | null, total: number | null, passing: number | null, failing: number | null, changed: number | null, error: string | null, problems: Array<{ test: string | null, message: string | null } | null> | null };

export type FindAssetQueryVariables = Exact<{
  query: string;
}>;

export type FindAssetQuery = { searchAcrossEntities: { searchResults: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null } | null } | null> | null } | null };

export type ConditionFragment = { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null };

export type FindingFragment = { condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null };

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
