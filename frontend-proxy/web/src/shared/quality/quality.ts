import { listIn, numberIn, textIn, textsIn, timeIn } from "../../lib/answer";
import { counted, numberText, shortOf, words } from "../../lib/text";
import { nameIn } from "../entities/entities";
import type { Ref } from "../entities/refs";
import type { CheckFragment, IncidentFactsFragment } from "./fragments.operations";

/** How a run ended. Tones of it: passed, failed, could not be done, and what says neither. */
export type Outcome = "passed" | "failed" | "error" | "open";

/** One run of a check. */
export interface Run {
  at: number | undefined;
  outcome: Outcome;
  /** The outcome in a word. */
  word: string;
  /** What was found, in a few words. */
  found: string;
  /** Why it could not be done. */
  reason: string;
  severity: string;
  /** What the tool that ran it says besides. */
  details: readonly Pair[];
  link: string;
}

export interface Pair {
  key: string;
  value: string;
}

/** A check on an asset, the newest of its runs first. */
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

/** A run as an answer has it. Only the panel of a check asks for the severity and the link. */
export type Event = { timestampMillis: number | null; result: (Result & { severity?: string | null; externalUrl?: string | null }) | null };

/** The pairs of a list that have a key. */
export const pairsIn = (value: readonly ({ key: string | null; value: string | null } | null)[] | null | undefined): Pair[] =>
  listIn(value).flatMap((each) => {
    const key = textIn(each?.key);
    return key ? [{ key, value: textIn(each?.value) }] : [];
  });

const longest = 80;
const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

// The number that tells most: what was wrong, then what was measured, then what the tool says itself.
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

/** A run as an event tells it. One without a result has not ended with a verdict. */
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

/** The runs of a check, the newest first. */
export const runsIn = (check: { runEvents?: { runEvents: readonly (Event | null)[] | null } | null } | null | undefined) => newestFirst(listIn(check?.runEvents?.runEvents).map(runIn));

function columnsIn(info: Definition | null | undefined): string[] {
  const field = info?.fieldAssertion;
  const custom = info?.customAssertion;
  const listed = [...listIn(info?.datasetAssertion?.fields), ...listIn(custom?.fields)].map(({ path }) => path);
  return [...new Set(textsIn([field?.fieldValuesAssertion?.field?.path, field?.fieldMetricAssertion?.field?.path, custom?.field?.path, ...listed]))];
}

/** Reads what an answer says of a check. */
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
        source: textIn(platform?.properties?.displayName) || textIn(platform?.name) || shortOf(textIn(platform?.urn)),
        runs: runsIn(value),
      }
    : null;
}

/** The last run of a check that came to a verdict or an error, else the last of all. */
export const lastOf = ({ runs }: Check): Run | undefined => runs.find(({ outcome }) => outcome !== "open") ?? runs[0];

const weights: Readonly<Record<Outcome, number>> = { failed: 0, error: 1, open: 2, passed: 3 };

/** What a check is at now. One that never ran is open. */
export const stateOf = (check: Check): Outcome => lastOf(check)?.outcome ?? "open";

/** What a check is at, in words. */
export const stateWords: Readonly<Record<Outcome, string>> = { passed: "Passes", failed: "Fails", error: "Could not be run", open: "No verdict yet" };

/** Since when a check is at what it is now, as far back as its runs are known. */
export function sinceOf(check: Check): number | undefined {
  const state = stateOf(check);
  const told = check.runs.filter(({ outcome }) => outcome !== "open");
  const end = told.findIndex(({ outcome }) => outcome !== state);
  return (end < 0 ? told : told.slice(0, end)).at(-1)?.at;
}

/** How many checks there are by what they are at now, and since when the first of those that fail does. */
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

/** The state of all checks in a sentence without its end, and its tone. */
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

/** The runs of a day. */
export interface Day {
  at: number;
  outcome: Outcome;
  failed: number;
  error: number;
  passed: number;
}

/** The days on which checks ran, oldest first, as many as are asked for. */
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

/** How many ended how, in words. */
export const tallyText = ({ failed, error, passed }: Pick<Day, "failed" | "error" | "passed">) =>
  [failed > 0 && `${numberText(failed)} failed`, error > 0 && `${counted(error, "error")}`, passed > 0 && `${numberText(passed)} passed`].filter(Boolean).join(", ") || "none ended";

/** Checks in the order in which they matter: failing ones first, then by name. */
export const inOrder = (checks: readonly Check[]) => checks.toSorted((a, b) => weights[stateOf(a)] - weights[stateOf(b)] || a.name.localeCompare(b.name));

/** Something wrong with an asset that people work on. */
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
  /** The check that raised it, where one did. */
  check: string;
}

export const kinds = { OPERATIONAL: "Operation", FRESHNESS: "Freshness", VOLUME: "Volume", FIELD: "Column", SQL: "SQL", DATA_SCHEMA: "Schema", CUSTOM: "Other" } as const;
export const priorities = { CRITICAL: "Critical", HIGH: "High", MEDIUM: "Medium", LOW: "Low" } as const;
export const stages = { TRIAGE: "Triage", INVESTIGATION: "Investigation", WORK_IN_PROGRESS: "Work in progress", FIXED: "Fixed", NO_ACTION_REQUIRED: "No action required" } as const;

/** What a value is called; one that is not known by its own letters. */
export const wordOf = (table: Readonly<Record<string, string>>, value: string) => (Object.hasOwn(table, value) ? (table[value] ?? value) : words(value));

/** Reads what an answer says of an incident. */
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
        assignees: listIn(value?.assignees).flatMap((each) => {
          const person = textIn(each.urn);
          return person ? [{ urn: person, name: textIn(nameIn({ ...each, urn: person })) || shortOf(person) }] : [];
        }),
        check: textIn(value?.source?.source?.urn),
      }
    : null;
}

const ranks = Object.keys(priorities);
const rankOf = ({ priority }: Incident) => (ranks.includes(priority) ? ranks.indexOf(priority) : ranks.length);
const momentOf = ({ startedAt, raisedAt }: Incident) => startedAt ?? raisedAt ?? 0;

/** Open incidents first, the gravest and newest of them before the others. */
export const byUrgency = (all: readonly Incident[]) => all.toSorted((a, b) => Number(b.active) - Number(a.active) || (a.active ? rankOf(a) - rankOf(b) : 0) || momentOf(b) - momentOf(a));

/** What is called by no title is called by its kind. */
export const titleOf = ({ title, kind }: Incident) => title || `${kind} incident`;
