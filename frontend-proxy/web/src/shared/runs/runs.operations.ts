// Written by scripts/codegen.mjs from runs.graphql and the schema; not to be edited.
import type { DataProcessInstanceRunResultType, DataProcessRunStatus } from "../../lib/schema";

export type { DataProcessInstanceRunResultType, DataProcessRunStatus };

export type RunFactsFragment = { urn: string | null, properties: { name: string | null, created: { time: number | null } | null } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number | null, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null };

export type RunPageFragment = { total: number | null, runs: Array<{ urn: string | null, properties: { name: string | null, created: { time: number | null } | null, externalUrl: string | null } | null, state: Array<{ status: DataProcessRunStatus | null, attempt: number | null, timestampMillis: number | null, durationMillis: number | null, result: { resultType: DataProcessInstanceRunResultType | null, nativeResultType: string | null } | null } | null> | null, externalUrl: string | null, parentTemplate: { urn: string | null, properties?: { name: string | null } | null } | null, reads: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null, writes: { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null } | null } | null> | null };

export type EndsFragment = { total: number | null, relationships: Array<{ entity: { urn: string | null, name?: string | null, properties?: { name: string | null } | null } | null } | null> | null };
