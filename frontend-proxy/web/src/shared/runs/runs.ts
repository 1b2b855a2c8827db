import { shortOf, words } from "../../lib/text";
import { listIn, numberIn, textIn, timeIn, type Item } from "../../lib/answer";
import { endsIn, refIn, type Ref } from "../entities/refs";
import type { EndsFragment, RunFactsFragment, RunPageFragment } from "./runs.operations";

/** The result of a run, or that it is in progress. */
export interface State {
  tone: "ok" | "bad" | "warn" | "plain";
  text: string;
}

/** A run of a task or a pipeline. */
export interface Run {
  urn: string;
  name: string;
  state: State;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** The duration in ms. */
  took: number | undefined;
  /** The number of the final attempt, if there was more than one. */
  attempt: number;
  /** The task or pipeline of the run. */
  of: Ref | null;
  reads: Ends;
  writes: Ends;
  link: string;
}

/** The inputs or outputs of a run; only the first few are listed. */
export interface Ends {
  some: readonly Ref[];
  total: number;
}

const results: Readonly<Record<string, State>> = {
  SUCCESS: { tone: "ok", text: "Succeeded" },
  FAILURE: { tone: "bad", text: "Failed" },
  SKIPPED: { tone: "plain", text: "Skipped" },
  UP_FOR_RETRY: { tone: "warn", text: "Will be tried again" },
};

type Whole = Item<RunPageFragment["runs"]>;
type Event = Item<RunFactsFragment["state"]>;

function stateIn(last: Event | undefined): State {
  const result = textIn(last?.result?.resultType);
  if (Object.hasOwn(results, result)) {
    return results[result] as State;
  }
  const said = words(result) || words(textIn(last?.result?.nativeResultType));
  const status = textIn(last?.status);
  return { tone: "plain", text: status === "STARTED" ? "Running" : said || (status === "COMPLETE" ? "Ended" : words(status)) || "Not known" };
}

function pageIn(value: EndsFragment | null | undefined): Ends {
  const some = endsIn(value?.relationships);
  return { some, total: Math.max(some.length, numberIn(value?.total) ?? 0) };
}

/** Reads a run; null if there is none. */
export function runIn(value: (RunFactsFragment & Partial<Omit<Whole, keyof RunFactsFragment>> & { properties?: { externalUrl?: string | null } | null }) | null | undefined): Run | null {
  const urn = textIn(value?.urn);
  const events = listIn(value?.state).toSorted((a, b) => (timeIn(b.timestampMillis) ?? 0) - (timeIn(a.timestampMillis) ?? 0));
  const [last] = events;
  const ended = events.find((each) => textIn(each.status) === "COMPLETE");
  const attempt = numberIn(last?.attempt) ?? 1;
  // The start of the last attempt; other events belong to earlier attempts.
  const started = events.find((each) => textIn(each.status) === "STARTED" && (numberIn(each.attempt) ?? 1) === attempt) ?? events.find((each) => textIn(each.status) === "STARTED");
  const endedAt = ended === last ? timeIn(ended?.timestampMillis) : undefined;
  const told = endedAt === undefined ? undefined : numberIn(ended?.durationMillis);
  const startedAt = timeIn(started?.timestampMillis) ?? (endedAt !== undefined && told !== undefined ? endedAt - told : timeIn(value?.properties?.created?.time));
  return urn
    ? {
        urn,
        name: textIn(value?.properties?.name) || shortOf(urn),
        state: stateIn(last),
        startedAt,
        endedAt,
        took: told ?? (started && startedAt !== undefined && endedAt !== undefined && endedAt >= startedAt ? endedAt - startedAt : undefined),
        attempt,
        of: refIn(value?.parentTemplate),
        reads: pageIn(value?.reads),
        writes: pageIn(value?.writes),
        link: textIn(value?.externalUrl) || textIn(value?.properties?.externalUrl),
      }
    : null;
}

/** Reads a page of runs, newest first. */
export function runsIn(page: RunPageFragment | null | undefined): { runs: Run[]; total: number } {
  const runs = listIn(page?.runs).flatMap((each) => runIn(each) ?? []);
  return { runs, total: Math.max(runs.length, numberIn(page?.total) ?? 0) };
}
