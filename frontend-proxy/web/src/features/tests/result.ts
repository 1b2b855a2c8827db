import type { TestsPageQuery } from "./tests.operations";

/** A test in the list, with the results of its last run. */
export type Listed = NonNullable<TestsPageQuery["listTests"]>["tests"][number];

/** The selected test. */
export type Stored = NonNullable<TestsPageQuery["test"]>;

/** The message for users without the privilege to manage tests. */
export const needsManage = "You need the privilege Manage Tests. Ask an administrator to add you to a policy that has it.";

interface Counts {
  passing?: number | null;
  failing?: number | null;
}

/** The share of passing assets from 0 to 1; 1 without assets. */
export function shareOf({ passing, failing }: Counts): number {
  const all = (passing ?? 0) + (failing ?? 0);
  return all > 0 ? (passing ?? 0) / all : 1;
}

/** The display name of a URN: the name of a dataset within its platform, or the last part of another URN. */
export function assetName(urn: string): string {
  const inner = /^urn:li:[^:]+:\((.*)\)$/s.exec(urn)?.[1];
  if (inner === undefined) {
    return urn.replace(/^urn:li:[^:]+:/, "");
  }
  const parts = inner.split(/,(?![^(]*\))/);
  return (parts.length > 1 ? parts[1] : parts[0]) ?? urn;
}

/** The search for assets that failed or passed a test in its last run. */
export const searchFor = (urn: string, which: "failing" | "passing") => `/search?${new URLSearchParams({ query: "*", [`filter_${which}Tests___false___EQUAL___0`]: urn.replaceAll(",", "%2C") }).toString()}`;

/** The label of an asset type: DATA_JOB becomes data job. */
export const typeText = (type: string) => type.toLowerCase().replaceAll("_", " ");

const triggers: Record<string, string> = { REQUEST: "asked for", SCHEDULE: "by schedule", CHANGE: "after a change of the test" };

/** The label of the trigger of a run; an unknown trigger is returned unchanged. */
export const triggerText = (trigger: string) => triggers[trigger] ?? trigger;

const runStates: Record<string, string> = { QUEUED: "queued", RUNNING: "running", SUCCEEDED: "succeeded", FAILED: "failed", CANCELLED: "cancelled" };

/** The state of a run in the terms of task states. */
export const stateOf = (state: string) => runStates[state] ?? state.toLowerCase();

/** Reports whether a run is in progress. */
export const runs = ({ state, ended }: { state: string; ended?: number | null }) => !ended && (state === "QUEUED" || state === "RUNNING");

/** A test of the starter pack, with its installation state. */
export interface StarterTest {
  urn: string;
  name: string;
  description: string;
  state: string;
}

const starterStates: Record<string, string> = { MISSING: "to be added", CREATED: "added", PRESENT: "is there", CHANGED: "is there, changed" };

/** The label of an installation state; an unknown state is returned unchanged. */
export const stateText = (state: string) => starterStates[state] ?? state;

/** Describes the result of adding the starter pack. */
export function addedText(pack: readonly Pick<StarterTest, "state">[]): string {
  const added = pack.filter(({ state }) => state === "CREATED").length;
  const there = pack.length - added;
  const were = added === 0 ? "No test was added" : added === 1 ? "1 test was added" : `${added} tests were added`;
  return there === 0 ? were : `${were}, ${there} ${there === 1 ? "was" : "were"} there`;
}
