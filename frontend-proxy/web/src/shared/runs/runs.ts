import { nameIn } from "../entities/entities";
import { shortOf, words } from "../../lib/text";
import { at, listIn, members, numberIn, textIn, timeIn } from "../../lib/loose";
import type { Ref } from "../entities/refs";

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

function stateIn(last: unknown): State {
  const result = textIn(at(last, "result", "resultType"));
  if (Object.hasOwn(results, result)) {
    return results[result] as State;
  }
  const said = words(result) || words(textIn(at(last, "result", "nativeResultType")));
  const status = textIn(at(last, "status"));
  return { tone: "plain", text: status === "STARTED" ? "Running" : said || (status === "COMPLETE" ? "Ended" : words(status)) || "Not known" };
}

function refIn(value: unknown): Ref | null {
  const urn = textIn(at(value, "urn"));
  return urn ? { urn, name: textIn(nameIn({ ...members(value), urn })) || shortOf(urn) } : null;
}

function endsIn(value: unknown): Ends {
  const some = listIn(at(value, "relationships")).flatMap((each) => refIn(at(each, "entity")) ?? []);
  return { some: [...new Map(some.map((each) => [each.urn, each])).values()], total: Math.max(some.length, numberIn(at(value, "total")) ?? 0) };
}

/** Reads a run; null if there is none. */
export function runIn(value: unknown): Run | null {
  const urn = textIn(at(value, "urn"));
  const events = listIn(at(value, "state")).toSorted((a, b) => (timeIn(at(b, "timestampMillis")) ?? 0) - (timeIn(at(a, "timestampMillis")) ?? 0));
  const [last] = events;
  const ended = events.find((each) => textIn(at(each, "status")) === "COMPLETE");
  const attempt = numberIn(at(last, "attempt")) ?? 1;
  // The start of the last attempt; other events belong to earlier attempts.
  const started = events.find((each) => textIn(at(each, "status")) === "STARTED" && (numberIn(at(each, "attempt")) ?? 1) === attempt) ?? events.find((each) => textIn(at(each, "status")) === "STARTED");
  const endedAt = ended === last ? timeIn(at(ended, "timestampMillis")) : undefined;
  const told = endedAt === undefined ? undefined : numberIn(at(ended, "durationMillis"));
  const startedAt = timeIn(at(started, "timestampMillis")) ?? (endedAt !== undefined && told !== undefined ? endedAt - told : timeIn(at(value, "properties", "created", "time")));
  return urn
    ? {
        urn,
        name: textIn(at(value, "properties", "name")) || shortOf(urn),
        state: stateIn(last),
        startedAt,
        endedAt,
        took: told ?? (started && startedAt !== undefined && endedAt !== undefined && endedAt >= startedAt ? endedAt - startedAt : undefined),
        attempt,
        of: refIn(at(value, "parentTemplate")),
        reads: endsIn(at(value, "reads")),
        writes: endsIn(at(value, "writes")),
        link: textIn(at(value, "externalUrl")) || textIn(at(value, "properties", "externalUrl")),
      }
    : null;
}

/** Reads a page of runs, newest first. */
export function runsIn(answer: unknown): { runs: Run[]; total: number } {
  const page = at(answer, "entity", "runs");
  const runs = listIn(at(page, "runs")).flatMap((each) => runIn(each) ?? []);
  return { runs, total: Math.max(runs.length, numberIn(at(page, "total")) ?? 0) };
}
