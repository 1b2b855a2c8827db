// Written by scripts/codegen.mjs from run-on-asset.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { RunTestInput } from "../../lib/schema";

export type { RunTestInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type RunOnAssetMutationVariables = Exact<{
  input: RunTestInput;
}>;

export type RunOnAssetMutation = { runTest: { passing: Array<{ test: { urn: string | null, name: string | null } | null, findings: Array<{ condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null } | null> | null } | null> | null, failing: Array<{ test: { urn: string | null, name: string | null } | null, findings: Array<{ condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null } | null> | null } | null> | null } | null };

export type ResultFragment = { test: { urn: string | null, name: string | null } | null, findings: Array<{ condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null } | null> | null };

export type ConditionFragment = { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null };

export type FindingFragment = { condition: { path: string | null, property: string | null, operator: string | null, values: Array<string | null> | null, match: string | null, elements: string | null, negated: boolean | null, oneOf: string | null } | null, met: boolean | null, decisive: boolean | null, found: Array<string | null> | null, foundTotal: number | null, elements: number | null };

export const RunOnAsset = "mutation RunOnAsset($input:RunTestInput!){runTest(input:$input){passing{...Result}failing{...Result}}}fragment Result on TestResult{test{urn name}findings{...Finding}}fragment Condition on TestCondition{path property operator values match elements negated oneOf}fragment Finding on TestFinding{condition{...Condition}met decisive found foundTotal elements}" as unknown as Operation<RunOnAssetMutation, RunOnAssetMutationVariables>;
