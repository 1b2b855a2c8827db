import { numberIn, textIn, timeIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import type { AskedFragment } from "./ingestion.operations";

/** A run requested by a user or a schedule, with its state. */
export interface Execution {
  urn: string;
  tone: "ok" | "bad" | "warn" | "plain";
  state: string;
  /** Whether the run has finished. */
  ended: boolean;
  askedAt: number | undefined;
  startedAt: number | undefined;
  took: number | undefined;
  by: string;
  executor: string;
}

type Outcome = Pick<Execution, "tone" | "state">;

const going: Readonly<Record<string, Outcome>> = {
  PENDING: { tone: "plain", state: "Waiting" },
  RUNNING: { tone: "plain", state: "Running" },
  ROLLING_BACK: { tone: "plain", state: "Rolling back" },
  UP_FOR_RETRY: { tone: "warn", state: "Will be tried again" },
};

const over: Readonly<Record<string, Outcome>> = {
  SUCCESS: { tone: "ok", state: "Passed" },
  SUCCEEDED_WITH_WARNINGS: { tone: "warn", state: "With warnings" },
  FAILURE: { tone: "bad", state: "Failed" },
  ROLLBACK_FAILED: { tone: "bad", state: "Rollback failed" },
  TIMEOUT: { tone: "bad", state: "Took too long" },
  ABORTED: { tone: "bad", state: "Aborted" },
  CANCELLED: { tone: "plain", state: "Cancelled" },
  DUPLICATE: { tone: "plain", state: "Ran already" },
  ROLLED_BACK: { tone: "plain", state: "Rolled back" },
};

const origins: Readonly<Record<string, string>> = {
  MANUAL_INGESTION_SOURCE: "By hand",
  SCHEDULED_INGESTION_SOURCE: "By schedule",
  CLI_INGESTION_SOURCE: "From a command line",
};

const said = (word: string) => word.charAt(0) + word.slice(1).toLowerCase().replaceAll("_", " ");

const named = <Value>(from: Readonly<Record<string, Value>>, name: string) => (Object.hasOwn(from, name) ? from[name] : undefined);

/** Reads a run from a response. An unknown state counts as final. */
export function executionOf({ urn, input, result }: AskedFragment): Execution {
  const status = textIn(result?.status) || "PENDING";
  const goesOn = named(going, status);
  const origin = textIn(input?.source?.type);
  return {
    urn: textIn(urn),
    ...(goesOn ?? named(over, status) ?? { tone: "plain", state: said(status) }),
    ended: goesOn === undefined,
    askedAt: timeIn(input?.requestedAt),
    startedAt: timeIn(result?.startTimeMs),
    took: numberIn(result?.durationMs),
    by: named(origins, origin) ?? (said(origin) || "Not told"),
    executor: textIn(input?.executorId) || "default",
  };
}

/** Reads the runs of a response. */
export const executionsIn = (found: { readonly executionRequests: readonly (AskedFragment | null)[] | null } | null | undefined): Execution[] => entitiesIn(found?.executionRequests).map(executionOf);

/**
 * The message for sources that no executor seems to run. It depends on whether a program follows the change stream
 * (undefined while unknown), and on the number of runs that an executor has taken so far.
 */
export function idleOf(followed: boolean | undefined, taken: number | undefined): { title: string; text: string } | null {
  const itself = "The catalog asks for runs and runs none itself.";
  if (followed === false) {
    return { title: "No executor is there", text: `${itself} Executors follow its changes, and no program has done so for two minutes: runs wait until one does.` };
  }
  if (taken === 0) {
    return { title: "No executor has taken a run yet", text: `${itself} They wait until an executor, such as that of the actions framework, follows it.` };
  }
  return null;
}
