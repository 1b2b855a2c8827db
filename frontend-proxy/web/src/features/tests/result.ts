import type { TestsPageQuery } from "./tests.operations";

/** A test of the list, with what its last run found. */
export type Listed = NonNullable<TestsPageQuery["listTests"]>["tests"][number];

/** The test that the page shows. */
export type Stored = NonNullable<TestsPageQuery["test"]>;

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

/** The address of a search for the assets that fail or pass a test, as its last run found. */
export const searchFor = (urn: string, which: "failing" | "passing") => `/search?${new URLSearchParams({ query: "*", [`filter_${which}Tests___false___EQUAL___0`]: urn.replaceAll(",", "%2C") }).toString()}`;

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

/** A test of the starter pack, and whether it is there. */
export interface StarterTest {
  urn: string;
  name: string;
  description: string;
  state: string;
}

const starterStates: Record<string, string> = { MISSING: "to be added", CREATED: "added", PRESENT: "is there", CHANGED: "is there, changed" };

/** Whether a test of the starter pack is there, in words; as the server spells it when that is not known here. */
export const stateText = (state: string) => starterStates[state] ?? state;

/** What adding the starter pack has done. */
export function addedText(pack: readonly Pick<StarterTest, "state">[]): string {
  const added = pack.filter(({ state }) => state === "CREATED").length;
  const there = pack.length - added;
  const were = added === 0 ? "No test was added" : added === 1 ? "1 test was added" : `${added} tests were added`;
  return there === 0 ? were : `${were}, ${there} ${there === 1 ? "was" : "were"} there`;
}
