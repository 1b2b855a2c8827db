import { listIn, numberIn, textIn, textsIn, timeIn } from "../../lib/answer";
import { counted, numberText, shortOf, words } from "../../lib/text";
import { namedIn, platformName } from "../../lib/name";
import type { Ref } from "../entities/refs";
import type { CheckFragment, IncidentFactsFragment } from "./fragments.operations";

/** The outcome of a run: passed, failed, not executable, or without a verdict. */
export type Outcome = "passed" | "failed" | "error" | "open";

/** A run of a check. */
export interface Run {
  at: number | undefined;
  outcome: Outcome;
  /** The outcome as one word. */
  word: string;
  /** A short text on the findings. */
  found: string;
  /** The reason why the run had an error. */
  reason: string;
  severity: string;
  /** Further output of the tool that ran the check. */
  details: readonly Pair[];
  link: string;
}

export interface Pair {
  key: string;
  value: string;
}

/** A check of an asset; its runs are sorted newest first. */
export interface Check {
  urn: string;
  name: string;
  kind: string;
  columns: readonly string[];
  source: string;
  runs: readonly Run[];
}

const outcomes: Readonly<Record<string, { outcome: Outcome; word: string }>> = {
  SUCCESS: { outcome: "passed", word: "Passed" },
  FAILURE: { outcome: "failed", word: "Failed" },
  ERROR: { outcome: "error", word: "Error" },
  INIT: { outcome: "open", word: "No verdict yet" },
};

type Definition = NonNullable<CheckFragment["info"]>;
type Events = NonNullable<NonNullable<CheckFragment["runEvents"]>["runEvents"]>;
type Result = NonNullable<NonNullable<Events[number]>["result"]>;

/** A run in a response. Only the panel of a check requests the severity and the link. */
export type Event = { timestampMillis: number | null; result: (Result & { severity?: string | null; externalUrl?: string | null }) | null };

/** The pairs of a list with a key. */
export const pairsIn = (value: readonly ({ key: string | null; value: string | null } | null)[] | null | undefined): Pair[] =>
  listIn(value).flatMap((each) => {
    const key = textIn(each?.key);
    return key ? [{ key, value: textIn(each?.value) }] : [];
  });

const longest = 80;
const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

// The most significant number: unexpected or missing values, then the measured value, then output of the tool.
function foundIn(result: Result | null | undefined, details: readonly Pair[]): string {
  const [unexpected, missing, measured, rows] = [result?.unexpectedCount, result?.missingCount, result?.actualAggValue, result?.rowCount].map(numberIn);
  const [first] = details;
  const said = [
    unexpected ? `${numberText(unexpected)} unexpected` : "",
    missing ? `${numberText(missing)} missing` : "",
    measured === undefined ? "" : `${numberText(measured)} measured`,
    first ? short(`${/^\d+$/u.test(first.value) ? numberText(Number(first.value)) : first.value} ${words(first.key).toLowerCase()}`) : "",
    rows === undefined ? "" : `${counted(rows, "row")} read`,
  ];
  return said.find(Boolean) ?? "";
}

function reasonIn(error: Result["error"] | undefined): string {
  const type = textIn(error?.type);
  const said = pairsIn(error?.properties);
  return [type && words(type), said.find(({ key }) => key === "message")?.value ?? said[0]?.value].filter(Boolean).join(": ");
}

/** Reads a run from an event. A run without a result has no verdict. */
export function runIn(event: Event): Run {
  const result = event.result;
  const type = textIn(result?.type);
  const details = pairsIn(result?.nativeResults);
  return {
    at: timeIn(event.timestampMillis),
    ...(Object.hasOwn(outcomes, type) ? (outcomes[type] as { outcome: Outcome; word: string }) : { outcome: "open" as const, word: words(type) || "No verdict" }),
    found: foundIn(result, details),
    reason: reasonIn(result?.error),
    severity: textIn(result?.severity),
    details,
    link: textIn(result?.externalUrl),
  };
}

const newestFirst = (runs: readonly Run[]) => runs.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));

/** The runs of a check, newest first. */
export const runsIn = (check: { runEvents?: { runEvents: readonly (Event | null)[] | null } | null } | null | undefined) => newestFirst(listIn(check?.runEvents?.runEvents).map(runIn));

function columnsIn(info: Definition | null | undefined): string[] {
  const field = info?.fieldAssertion;
  const custom = info?.customAssertion;
  const listed = [...listIn(info?.datasetAssertion?.fields), ...listIn(custom?.fields)].map(({ path }) => path);
  return [...new Set(textsIn([field?.fieldValuesAssertion?.field?.path, field?.fieldMetricAssertion?.field?.path, custom?.field?.path, ...listed]))];
}

/** Reads a check from a response. */
export function checkIn(value: Partial<CheckFragment> | null | undefined): Check | null {
  const urn = textIn(value?.urn);
  const info = value?.info;
  const platform = value?.platform;
  const kind = textIn(info?.customAssertion?.type) || words(textIn(info?.type));
  return urn
    ? {
        urn,
        name: textIn(info?.description).trim() || kind || shortOf(urn),
        kind,
        columns: columnsIn(info),
        source: platformName(platform) ?? "",
        runs: runsIn(value),
      }
    : null;
}

/** The latest run of a check with a verdict or an error, else the latest run. */
export const lastOf = ({ runs }: Check): Run | undefined => runs.find(({ outcome }) => outcome !== "open") ?? runs[0];

const weights: Readonly<Record<Outcome, number>> = { failed: 0, error: 1, open: 2, passed: 3 };

/** The current state of a check. A check without runs is open. */
export const stateOf = (check: Check): Outcome => lastOf(check)?.outcome ?? "open";

/** The labels of check states. */
export const stateWords: Readonly<Record<Outcome, string>> = { passed: "Passes", failed: "Fails", error: "Could not be run", open: "No verdict yet" };

/** The start of the current state of a check, within the known runs. */
export function sinceOf(check: Check): number | undefined {
  const state = stateOf(check);
  const told = check.runs.filter(({ outcome }) => outcome !== "open");
  const end = told.findIndex(({ outcome }) => outcome !== state);
  return (end < 0 ? told : told.slice(0, end)).at(-1)?.at;
}

/** The numbers of checks by current state, and the earliest start of a current failure. */
export interface Summary {
  all: number;
  failed: number;
  error: number;
  open: number;
  passed: number;
  since: number | undefined;
  last: number | undefined;
}

export function summaryOf(checks: readonly Check[]): Summary {
  const count = (state: Outcome) => checks.filter((check) => stateOf(check) === state).length;
  const since = checks.flatMap((check) => (stateOf(check) === "failed" ? (sinceOf(check) ?? []) : []));
  const runs = checks.flatMap((check) => lastOf(check)?.at ?? []);
  return {
    all: checks.length,
    failed: count("failed"),
    error: count("error"),
    open: count("open"),
    passed: count("passed"),
    since: since.length > 0 ? since.reduce((a, b) => Math.min(a, b)) : undefined,
    last: runs.length > 0 ? runs.reduce((a, b) => Math.max(a, b)) : undefined,
  };
}

const checksOf = (n: number, all: number) => `${numberText(n)} of ${counted(all, "check")}`;

/** A sentence, without the full stop, on the state of all checks, and its tone. */
export function sentenceOf({ all, failed, error, open, passed }: Summary): { tone: "ok" | "bad" | "warn" | "plain"; text: string } {
  if (failed > 0) {
    return { tone: "bad", text: `${checksOf(failed, all)} ${failed === 1 ? "fails" : "fail"}` };
  }
  if (error > 0) {
    return { tone: "warn", text: `${checksOf(error, all)} could not be run` };
  }
  if (passed === all) {
    return { tone: "ok", text: all === 1 ? "The one check passes" : `All ${numberText(all)} checks pass` };
  }
  return { tone: "plain", text: `${checksOf(open, all)} ${open === 1 ? "has" : "have"} not come to a verdict yet` };
}

/** The runs of one day. */
export interface Day {
  at: number;
  outcome: Outcome;
  failed: number;
  error: number;
  passed: number;
}

/** The latest days with runs, oldest first, up to a maximum. */
export function daysOf(checks: readonly Check[], most: number): Day[] {
  const days = new Map<string, Day>();
  for (const { at: time, outcome } of checks.flatMap(({ runs }) => runs)) {
    if (time === undefined || outcome === "open") {
      continue;
    }
    const key = new Date(time).toDateString();
    const day = days.get(key) ?? { at: time, outcome: "passed", failed: 0, error: 0, passed: 0 };
    day[outcome]++;
    day.at = Math.max(day.at, time);
    day.outcome = weights[outcome] < weights[day.outcome] ? outcome : day.outcome;
    days.set(key, day);
  }
  return [...days.values()].toSorted((a, b) => a.at - b.at).slice(-most);
}

/** The numbers of runs by outcome, as text. */
export const tallyText = ({ failed, error, passed }: Pick<Day, "failed" | "error" | "passed">) =>
  [failed > 0 && `${numberText(failed)} failed`, error > 0 && `${counted(error, "error")}`, passed > 0 && `${numberText(passed)} passed`].filter(Boolean).join(", ") || "none ended";

/** Sorts checks by state, failing ones first, then by name. */
export const inOrder = (checks: readonly Check[]) => checks.toSorted((a, b) => weights[stateOf(a)] - weights[stateOf(b)] || a.name.localeCompare(b.name));

/** An incident of an asset. */
export interface Incident {
  urn: string;
  title: string;
  description: string;
  kind: string;
  active: boolean;
  state: string;
  stage: string;
  message: string;
  priority: string;
  startedAt: number | undefined;
  raisedAt: number | undefined;
  raisedBy: string;
  changedAt: number | undefined;
  changedBy: string;
  assignees: readonly Ref[];
  /** The check that raised it, if any. */
  check: string;
}

export const kinds = { OPERATIONAL: "Operation", FRESHNESS: "Freshness", VOLUME: "Volume", FIELD: "Column", SQL: "SQL", DATA_SCHEMA: "Schema", CUSTOM: "Other" } as const;
export const priorities = { CRITICAL: "Critical", HIGH: "High", MEDIUM: "Medium", LOW: "Low" } as const;
export const stages = { TRIAGE: "Triage", INVESTIGATION: "Investigation", WORK_IN_PROGRESS: "Work in progress", FIXED: "Fixed", NO_ACTION_REQUIRED: "No action required" } as const;

/** The label of a value. An unknown value is derived from its own name. */
export const wordOf = (table: Readonly<Record<string, string>>, value: string) => (Object.hasOwn(table, value) ? (table[value] ?? value) : words(value));

/** Reads an incident from a response. */
export function incidentIn(value: Partial<IncidentFactsFragment> | null | undefined): Incident | null {
  const urn = textIn(value?.urn);
  const status = value?.incidentStatus;
  const type = textIn(value?.incidentType);
  return urn
    ? {
        urn,
        title: textIn(value?.title).trim(),
        description: textIn(value?.description),
        kind: (type === "CUSTOM" && textIn(value?.customType)) || wordOf(kinds, type),
        active: textIn(status?.state) !== "RESOLVED",
        state: textIn(status?.state),
        stage: textIn(status?.stage),
        message: textIn(status?.message),
        priority: textIn(value?.priority),
        startedAt: timeIn(value?.startedAt),
        raisedAt: timeIn(value?.created?.time),
        raisedBy: textIn(value?.created?.actor),
        changedAt: timeIn(status?.lastUpdated?.time),
        changedBy: textIn(status?.lastUpdated?.actor),
        assignees: namedIn(value?.assignees),
        check: textIn(value?.source?.source?.urn),
      }
    : null;
}

const ranks = Object.keys(priorities);
const rankOf = ({ priority }: Incident) => (ranks.includes(priority) ? ranks.indexOf(priority) : ranks.length);
const momentOf = ({ startedAt, raisedAt }: Incident) => startedAt ?? raisedAt ?? 0;

/** Sorts open incidents first, by priority, then newest first. */
export const byUrgency = (all: readonly Incident[]) => all.toSorted((a, b) => Number(b.active) - Number(a.active) || (a.active ? rankOf(a) - rankOf(b) : 0) || momentOf(b) - momentOf(a));

/** The title of an incident; derived from its kind if it has none. */
export const titleOf = ({ title, kind }: Incident) => title || `${kind} incident`;
