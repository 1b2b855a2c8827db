import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { keyOf } from "../../lib/text";
import type { RunFragment, RunsQuery, StarterFragment, TestsPageQuery } from "./tests.operations";

/** The results of a past run of a test. */
export interface Event {
  time: number | undefined;
  run: string;
  /** Whether the definition of the test was not valid. */
  invalid: boolean;
  trigger: string;
  actor: string;
  passing: number;
  failing: number;
  changed: number;
  error: string;
}

/** A test in the list, with the results of its last run. */
export interface Listed {
  urn: string;
  name: string;
  category: string;
  last: Event | undefined;
}

/** The selected test, with the results of past runs. */
export interface Stored extends Listed {
  description: string;
  json: string;
  events: Event[];
}

type One = NonNullable<TestsPageQuery["test"]>;
type Events = { readonly runEvents: readonly (Partial<NonNullable<NonNullable<NonNullable<One["runEvents"]>["runEvents"]>[number]>> | null)[] | null } | null;

const eventsIn = (events: Events): Event[] =>
  listIn(events?.runEvents).map(({ timestampMillis, runId, status, trigger, actor, passing, failing, changed, error }) => ({
    time: timeIn(timestampMillis),
    run: textIn(runId),
    invalid: status === "ERROR",
    trigger: textIn(trigger),
    actor: textIn(actor),
    passing: numberIn(passing) ?? 0,
    failing: numberIn(failing) ?? 0,
    changed: numberIn(changed) ?? 0,
    error: textIn(error),
  }));

/** Reads the tests in the list. */
export const testsIn = (page: TestsPageQuery["listTests"] | undefined): Listed[] =>
  entitiesIn(page?.tests).map(({ urn, name, category, runEvents }) => ({ urn, name: textIn(name), category: textIn(category), last: eventsIn(runEvents)[0] }));

/** Reads the selected test; null if there is none. */
export function testIn(test: TestsPageQuery["test"]): Stored | null {
  const events = eventsIn(test?.runEvents ?? null);
  return test && textIn(test.urn)
    ? { urn: textIn(test.urn), name: textIn(test.name), category: textIn(test.category), last: events[0], description: textIn(test.description), json: textIn(test.definition?.json), events }
    : null;
}

/** A run of tests on all assets. */
export interface Run {
  id: string;
  state: string;
  active: boolean;
  actor: string;
  began: number | undefined;
  ended: number | undefined;
  /** The duration in ms, after the end of the run. */
  took: number | undefined;
  done: number;
  total: number;
  passing: number;
  failing: number;
  error: string;
  problems: { test: string; message: string }[];
  /** The tests of the run; empty for all. */
  tests: { urn: string; name: string }[];
}

/** Reads a run; empty without an id. */
export function runIn(run: (RunFragment & Partial<Pick<NonNullable<NonNullable<NonNullable<RunsQuery["testRuns"]>["runs"]>[number]>, "tests">>) | null | undefined): Run[] {
  const id = textIn(run?.id);
  if (!run || id === "") {
    return [];
  }
  const state = textIn(run.state);
  const [created, started, ended] = [run.created, run.started, run.ended].map(timeIn);
  return [
    {
      id,
      state: stateOf(state),
      active: runs({ state, ended }),
      actor: textIn(run.actor),
      began: started ?? created,
      ended,
      took: started && ended ? ended - started : undefined,
      done: numberIn(run.done) ?? 0,
      total: numberIn(run.total) ?? 0,
      passing: numberIn(run.passing) ?? 0,
      failing: numberIn(run.failing) ?? 0,
      error: textIn(run.error),
      problems: listIn(run.problems).map(({ test, message }) => ({ test: textIn(test), message: textIn(message) })),
      tests: entitiesIn(run.tests).map(({ urn, name }) => ({ urn, name: textIn(name) || urn })),
    },
  ];
}

/** Reads the runs of a response, and their total. */
export const runsIn = ({ testRuns }: RunsQuery): { runs: Run[]; total: number } => ({ runs: listIn(testRuns?.runs).flatMap(runIn), total: numberIn(testRuns?.total) ?? 0 });

/** The display name of the actor of a run. */
export const actorName = (actor: string) => (keyOf(actor) === "__datahub_system" ? "the catalog" : keyOf(actor));

/** The message for users without the privilege to manage tests. */
export const needsManage = "You need the privilege Manage Tests. Ask an administrator to add you to a policy that has it.";

/** The share of passing assets from 0 to 1; 1 without assets. */
export function shareOf({ passing, failing }: Pick<Event, "passing" | "failing">): number {
  const all = passing + failing;
  return all > 0 ? passing / all : 1;
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
export const runs = ({ state, ended }: { state: string; ended?: number | undefined }) => !ended && (state === "QUEUED" || state === "RUNNING");

/** A test of the starter pack, with its installation state. */
export interface StarterTest {
  urn: string;
  name: string;
  description: string;
  state: string;
}

/** Reads the tests of the starter pack. */
export const starterIn = (pack: readonly (StarterFragment | null)[] | null): StarterTest[] =>
  entitiesIn(pack).map(({ urn, name, description, state }) => ({ urn, name: textIn(name) || urn, description: textIn(description), state: textIn(state) }));

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
