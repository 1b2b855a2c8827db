import { nameIn } from "../entities/entities";
import { at, listIn, members, numberIn, textIn, textsIn, timeIn } from "../../lib/loose";
import { counted, numberText, shortOf, words } from "../../lib/text";
import type { Ref } from "../entities/refs";

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

const pairsIn = (value: unknown): Pair[] =>
  listIn(value).flatMap((each) => {
    const key = textIn(at(each, "key"));
    return key ? [{ key, value: textIn(at(each, "value")) }] : [];
  });

const longest = 80;
const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

// The number that tells most: what was wrong, then what was measured, then what the tool says itself.
function foundIn(result: unknown, details: readonly Pair[]): string {
  const [unexpected, missing, measured, rows] = ["unexpectedCount", "missingCount", "actualAggValue", "rowCount"].map((name) => numberIn(at(result, name)));
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

function reasonIn(error: unknown): string {
  const type = textIn(at(error, "type"));
  const said = pairsIn(at(error, "properties"));
  return [type && words(type), said.find(({ key }) => key === "message")?.value ?? said[0]?.value].filter(Boolean).join(": ");
}

/** A run as an event tells it. One without a result has not ended with a verdict. */
export function runIn(event: unknown): Run {
  const result = at(event, "result");
  const type = textIn(at(result, "type"));
  const details = pairsIn(at(result, "nativeResults"));
  return {
    at: timeIn(at(event, "timestampMillis")),
    ...(Object.hasOwn(outcomes, type) ? (outcomes[type] as { outcome: Outcome; word: string }) : { outcome: "open" as const, word: words(type) || "No verdict" }),
    found: foundIn(result, details),
    reason: reasonIn(at(result, "error")),
    severity: textIn(at(result, "severity")),
    details,
    link: textIn(at(result, "externalUrl")),
  };
}

const newestFirst = (runs: readonly Run[]) => runs.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));

const runsIn = (value: unknown) => newestFirst(listIn(at(value, "runEvents", "runEvents")).map(runIn));

function columnsIn(info: unknown): string[] {
  const field = at(info, "fieldAssertion");
  const custom = at(info, "customAssertion");
  const listed = [...listIn(at(info, "datasetAssertion", "fields")), ...listIn(at(custom, "fields"))].map((each) => at(each, "path"));
  return [...new Set(textsIn([at(field, "fieldValuesAssertion", "field", "path"), at(field, "fieldMetricAssertion", "field", "path"), at(custom, "field", "path"), ...listed]))];
}

/** Reads what an answer says of a check. */
export function checkIn(value: unknown): Check | null {
  const urn = textIn(at(value, "urn"));
  const info = at(value, "info");
  const platform = at(value, "platform");
  const kind = textIn(at(info, "customAssertion", "type")) || words(textIn(at(info, "type")));
  return urn
    ? {
        urn,
        name: textIn(at(info, "description")).trim() || kind || shortOf(urn),
        kind,
        columns: columnsIn(info),
        source: textIn(at(platform, "properties", "displayName")) || textIn(at(platform, "name")) || shortOf(textIn(at(platform, "urn"))),
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
export function incidentIn(value: unknown): Incident | null {
  const urn = textIn(at(value, "urn"));
  const status = at(value, "incidentStatus");
  const type = textIn(at(value, "incidentType"));
  return urn
    ? {
        urn,
        title: textIn(at(value, "title")).trim(),
        description: textIn(at(value, "description")),
        kind: (type === "CUSTOM" && textIn(at(value, "customType"))) || wordOf(kinds, type),
        active: textIn(at(status, "state")) !== "RESOLVED",
        state: textIn(at(status, "state")),
        stage: textIn(at(status, "stage")),
        message: textIn(at(status, "message")),
        priority: textIn(at(value, "priority")),
        startedAt: timeIn(at(value, "startedAt")),
        raisedAt: timeIn(at(value, "created", "time")),
        raisedBy: textIn(at(value, "created", "actor")),
        changedAt: timeIn(at(status, "lastUpdated", "time")),
        changedBy: textIn(at(status, "lastUpdated", "actor")),
        assignees: listIn(at(value, "assignees")).flatMap((each) => {
          const person = textIn(at(each, "urn"));
          return person ? [{ urn: person, name: textIn(nameIn({ ...members(each), urn: person })) || shortOf(person) }] : [];
        }),
        check: textIn(at(value, "source", "source", "urn")),
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

/** What the tab shows of an asset. */
export interface Quality {
  /** Undefined for types that have no checks. */
  checks: readonly Check[] | undefined;
  /** How many checks there are, of which no more than one page is read. */
  total: number;
  incidents: readonly Incident[];
  incidentTotal: number;
}

/** Reads the answer about the quality of an asset. */
export function qualityIn(answer: unknown): Quality {
  const entity = at(answer, "entity");
  const page = at(entity, "assertions");
  const checks = page === undefined ? undefined : inOrder(listIn(at(page, "assertions")).flatMap((each) => checkIn(each) ?? []));
  const pages = [at(entity, "active"), at(entity, "resolved")];
  const incidents = [...new Map(pages.flatMap((each) => listIn(at(each, "incidents"))).flatMap((each) => incidentIn(each) ?? []).map((each) => [each.urn, each])).values()];
  return {
    checks,
    total: numberIn(at(page, "total")) ?? checks?.length ?? 0,
    incidents: byUrgency(incidents),
    incidentTotal: Math.max(
      incidents.length,
      pages.reduce<number>((sum, each) => sum + (numberIn(at(each, "total")) ?? 0), 0),
    ),
  };
}

/** What a check demands and how it went, as its panel shows it. */
export interface CheckDetail {
  note: string;
  link: string;
  facts: readonly Pair[];
  logic: string;
  runs: readonly Run[];
  total: number;
}

const operators: Readonly<Record<string, string>> = {
  BETWEEN: "between",
  LESS_THAN: "less than",
  LESS_THAN_OR_EQUAL_TO: "at most",
  GREATER_THAN: "more than",
  GREATER_THAN_OR_EQUAL_TO: "at least",
  EQUAL_TO: "equal to",
  NOT_EQUAL_TO: "not equal to",
  NULL: "empty",
  NOT_NULL: "not empty",
  CONTAIN: "contains",
  END_WITH: "ends with",
  START_WITH: "begins with",
  REGEX_MATCH: "matches",
  IN: "one of",
  NOT_IN: "none of",
  IS_TRUE: "true",
  IS_FALSE: "false",
};

// What is demanded of a value, as "between 1 and 5".
function demandIn(value: unknown): string {
  const operator = textIn(at(value, "operator"));
  const operand = (name: string) => textIn(at(value, "parameters", name, "value"));
  const [least, most] = [operand("minValue"), operand("maxValue")];
  const given = operand("value") || [least, most].filter(Boolean).join(" and ");
  const word = wordOf(operators, operator === "_NATIVE_" ? "" : operator).toLowerCase();
  return [word, given].filter(Boolean).join(" ");
}

const known = (key: string, value: string): Pair[] => (value ? [{ key, value }] : []);

function scheduleIn(schedule: unknown): string {
  const cron = at(schedule, "cron");
  const fixed = at(schedule, "fixedInterval");
  const every = numberIn(at(fixed, "multiple"));
  return textIn(at(cron, "cron")) ? `${textIn(at(cron, "cron"))} ${textIn(at(cron, "timezone"))}`.trim() : every === undefined ? "" : `every ${counted(every, textIn(at(fixed, "unit")).toLowerCase() || "time")}`;
}

function factsIn(info: unknown): Pair[] {
  const [dataset, volume, sql, field, schema, custom] = ["datasetAssertion", "volumeAssertion", "sqlAssertion", "fieldAssertion", "schemaAssertion", "customAssertion"].map((name) => at(info, name));
  const metric = at(field, "fieldMetricAssertion");
  const demanding = [dataset, at(volume, "rowCountTotal"), at(volume, "rowCountChange"), sql, at(field, "fieldValuesAssertion"), metric, custom];
  const told = textIn(at(dataset, "aggregation")) || textIn(at(custom, "aggregation"));
  return [
    ...known("Measures", textIn(at(metric, "metric")) ? words(textIn(at(metric, "metric"))) : textIn(at(volume, "type")) ? words(textIn(at(volume, "type"))) : told === "_NATIVE_" ? "" : words(told)),
    ...known("Demands", demanding.map(demandIn).find(Boolean) ?? ""),
    ...known("Due", scheduleIn(at(info, "freshnessAssertion", "schedule"))),
    ...known("Columns", textsIn(listIn(at(schema, "fields")).map((each) => at(each, "path"))).slice(0, 50).join(", ")),
    ...known("Match", words(textIn(at(schema, "compatibility")))),
    ...known("In its tool", textIn(at(dataset, "nativeType")) || textIn(at(custom, "nativeType"))),
    ...pairsIn(at(dataset, "nativeParameters")),
    ...pairsIn(at(custom, "nativeParameters")),
    ...pairsIn(at(info, "customProperties")),
  ];
}

/** Reads the answer about one check. */
export function detailIn(answer: unknown): CheckDetail {
  const check = at(answer, "assertion");
  const info = at(check, "info");
  const runs = runsIn(check);
  return {
    note: textIn(at(info, "note")),
    link: textIn(at(info, "externalUrl")),
    facts: factsIn(info),
    logic: textIn(at(info, "sqlAssertion", "statement")) || textIn(at(info, "datasetAssertion", "logic")) || textIn(at(info, "customAssertion", "logic")),
    runs,
    total: numberIn(at(check, "runEvents", "total")) ?? runs.length,
  };
}
