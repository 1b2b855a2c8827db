import type { TestsPageQuery } from "./tests.operations";

/** A test of the list, with what its last run found. */
export type Listed = NonNullable<TestsPageQuery["listTests"]>["tests"][number];

/** The address of a test. */
export const addressOf = (urn: string) => `/tests/${encodeURIComponent(urn)}`;

/** Why somebody who may not manage tests cannot do something. */
export const needsManage = "You need the privilege Manage Tests. Ask an administrator to add you to a policy that has it.";

interface Counts {
  passing?: number | null;
  failing?: number | null;
}

/** The share of assets that pass, from 0 to 1; 1 of none at all. */
export function shareOf({ passing, failing }: Counts): number {
  const all = (passing ?? 0) + (failing ?? 0);
  return all > 0 ? (passing ?? 0) / all : 1;
}

/** What a URN names, as people know it: the name within the platform of a dataset, the last part of others. */
export function assetName(urn: string): string {
  const inner = /^urn:li:[^:]+:\((.*)\)$/s.exec(urn)?.[1];
  if (inner === undefined) {
    return urn.replace(/^urn:li:[^:]+:/, "");
  }
  const parts = inner.split(/,(?![^(]*\))/);
  return (parts.length > 1 ? parts[1] : parts[0]) ?? urn;
}

/** The type of an asset in words, as DATA_JOB becomes data job. */
export const typeText = (type: string) => type.toLowerCase().replaceAll("_", " ");

const triggers: Record<string, string> = { REQUEST: "asked for", SCHEDULE: "by schedule", CHANGE: "after a change of the test" };

/** Why a run began; as the server spells it when that is not known here. */
export const triggerText = (trigger: string) => triggers[trigger] ?? trigger;

const runStates: Record<string, string> = { QUEUED: "queued", RUNNING: "running", SUCCEEDED: "succeeded", FAILED: "failed", CANCELLED: "cancelled" };

/** The state of a run as tasks have it. */
export const stateOf = (state: string) => runStates[state] ?? state.toLowerCase();

/** Tells whether a run goes on. */
export const runs = ({ state, ended }: { state: string; ended?: number | null }) => !ended && (state === "QUEUED" || state === "RUNNING");

/** What an evaluation of one asset says of a test. */
export interface Verdict {
  test: string;
  passes: boolean;
  at: number | null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Reads the answer to an evaluation of one asset, the failing tests first. */
export function verdictsIn(reply: unknown): Verdict[] {
  const value = isObject(reply) && isObject(reply["value"]) ? reply["value"] : {};
  const of = (member: string, passes: boolean) =>
    (Array.isArray(value[member]) ? (value[member] as unknown[]) : []).filter(isObject).map((one) => {
      const computed = isObject(one["lastComputed"]) ? one["lastComputed"]["time"] : undefined;
      return { test: typeof one["test"] === "string" ? one["test"] : "", passes, at: typeof computed === "number" ? computed : null };
    });
  return [...of("failing", false), ...of("passing", true)];
}
