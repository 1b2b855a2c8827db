import { kindOf } from "../../lib/asset";
import { entriesIn, listIn, numberIn, textIn, textsIn } from "../../lib/answer";
import { counted, numberText } from "../../lib/text";
import { durationText } from "../../lib/time";
import type { Execution } from "./execution";

/** A kind of failure or warning, with its locations. */
export interface Group {
  title: string;
  text: string;
  /** The locations that the client recorded. */
  places: readonly string[];
  /** The number of occurrences, which can exceed the number of locations. */
  count: number;
}

/** The structured report of a run, beside its log. */
export interface Report {
  /** The number of changes that the source produced, and of those that the catalog accepted. */
  read: number | undefined;
  written: number | undefined;
  /** The numbers of written assets by type, largest first. */
  assets: readonly { type: string; count: number }[];
  /** The number of assets that were marked as removed because the source no longer has them. */
  removed: number;
  failures: readonly Group[];
  warnings: readonly Group[];
}

type List<Item> = readonly (Item | null)[] | null | undefined;

// The JSON text that a client writes, as far as pages show it.
interface Written {
  source?: { report?: WrittenPart | null } | null;
  sink?: { report?: WrittenPart | null } | null;
}

interface WrittenPart {
  events_produced?: number | null;
  total_records_written?: number | null;
  aspects?: Readonly<Record<string, Readonly<Record<string, number | null>> | null>> | null;
  soft_deleted_stale_entities?: List<string>;
  failures?: List<WrittenGroup>;
  warnings?: List<WrittenGroup>;
}

type WrittenGroup = string | { title?: string | null; message?: string | null; context?: List<string> };

// The client samples long lists and records the total in the last element.
const sampled = /^\.\.\. sampled of (\d+) total elements$/u;

function listed<Item>(value: List<Item>): { items: readonly Item[]; total: number } {
  const all = listIn(value);
  const last = all.at(-1);
  const total = typeof last === "string" ? sampled.exec(last)?.[1] : undefined;
  return total === undefined ? { items: all, total: all.length } : { items: all.slice(0, -1), total: Number(total) };
}

function groupIn(value: WrittenGroup): Group | null {
  if (typeof value === "string") {
    return { title: value.slice(0, 500), text: "", places: [], count: 1 };
  }
  const title = textIn(value.title);
  const message = textIn(value.message);
  const { items, total } = listed(value.context);
  return title || message ? { title: (title || message).slice(0, 500), text: title ? message.slice(0, 2000) : "", places: textsIn(items), count: Math.max(1, total) } : null;
}

const groupsIn = (...lists: readonly List<WrittenGroup>[]): Group[] => lists.flatMap((list) => listed(list).items.flatMap((each) => groupIn(each) ?? [])).toSorted((a, b) => b.count - a.count);

// Each aspect of an asset is written once, so the number of assets equals the count of the most frequent aspect.
function assetsIn(aspects: WrittenPart["aspects"]): Report["assets"] {
  return entriesIn(aspects)
    .map(([type, counts]) => ({ type, count: entriesIn(counts).reduce((most, [, count]) => Math.max(most, numberIn(count) ?? 0), 0) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}

/** Reads the structured report of a run; null for invalid text. */
export function reportIn(text: string | null | undefined): Report | null {
  let value: Written | null | undefined;
  try {
    value = typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return null;
  }
  const source = value?.source?.report;
  const sink = value?.sink?.report;
  return source === undefined && sink === undefined
    ? null
    : {
        read: numberIn(source?.events_produced),
        written: numberIn(sink?.total_records_written),
        assets: assetsIn(source?.aspects),
        removed: listed(source?.soft_deleted_stale_entities).total,
        failures: groupsIn(source?.failures, sink?.failures),
        warnings: groupsIn(source?.warnings, sink?.warnings),
      };
}

/** The number of assets that a run wrote. */
export const assetsOf = ({ assets }: Report) => assets.reduce((sum, { count }) => sum + count, 0);

/** The total number of occurrences in groups. */
export const countOf = (groups: readonly Group[]) => groups.reduce((sum, { count }) => sum + count, 0);

/** An asset type with a count, as text. */
export const kindText = (type: string, count: number) => counted(count, kindOf(type).one, kindOf(type).many);

/** Describes the result of a run in one to three sentences. */
export function summaryText(run: Pick<Execution, "state" | "ended">, report: Report | null): string {
  if (!run.ended) {
    return "";
  }
  if (!report) {
    return `${run.state}. The executor sent no report besides the log.`;
  }
  const kinds = report.assets.slice(0, 3).map(({ type, count }) => kindText(type, count));
  const written = report.written ?? report.read;
  const wrote = written === undefined ? "" : written === 0 ? "Wrote nothing to the catalog." : `Wrote ${counted(written, "change")} to the catalog${kinds.length > 0 ? `, about ${kinds.join(", ")}${report.assets.length > 3 ? " and more" : ""}` : ""}.`;
  const [failed] = report.failures;
  const failures = countOf(report.failures);
  return [
    wrote,
    failed && `${counted(failures, "failure")}: ${failed.title.replace(/\.$/u, "")}.`,
    report.removed > 0 && `${counted(report.removed, "asset")} ${report.removed === 1 ? "was" : "were"} gone at the source and marked as removed.`,
    report.failures.length + report.warnings.length === 0 && "Nothing was left out.",
    report.failures.length === 0 && report.warnings.length > 0 && `${counted(countOf(report.warnings), "warning")} in ${counted(report.warnings.length, "group")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A run whose state reflects the warnings in its report. A successful run can have warnings. */
export function toldBy<Run extends Pick<Execution, "tone" | "state">>(run: Run, report: Report | null | undefined): Run {
  const warnings = report ? countOf(report.warnings) : 0;
  return run.tone === "ok" && warnings > 0 ? { ...run, tone: "warn", state: `With ${counted(warnings, "warning")}` } : run;
}

/** A run with its report, if any. */
export interface Told {
  one: Pick<Execution, "ended" | "took">;
  report: Report | null;
}

const moreText = (difference: number) => `${numberText(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"}`;

/** Compares a count with the previous run, as "4 more than in the run before". */
export const moreThanBefore = (now: number, before: number) => `${now === before ? "as many as" : `${moreText(now - before)} than`} in the run before`;

// Durations of comparable runs vary by this share; smaller differences are not reported.
const usualSpread = 0.1;

function longerText(took: number, before: number): string {
  const difference = took - before;
  return Math.abs(difference) <= Math.max(1000, before * usualSpread) ? "about as long" : `${durationText(Math.abs(difference))} ${difference > 0 ? "longer" : "shorter"}`;
}

/** The differences between two runs, as ["4 more warnings", "as many assets", "6 s longer"]. */
export function comparison(now: Told, before: Told): string[] {
  const difference = (one: string, count: (report: Report) => number) => {
    if (!now.report || !before.report) {
      return false;
    }
    const more = count(now.report) - count(before.report);
    return more !== 0 && `${moreText(more)} ${Math.abs(more) === 1 ? one : `${one}s`}`;
  };
  const assets = now.report && before.report && assetsOf(now.report) + assetsOf(before.report) > 0 && "as many assets";
  return now.one.ended && before.one.ended
    ? [
        difference("failure", ({ failures }) => countOf(failures)),
        difference("warning", ({ warnings }) => countOf(warnings)),
        difference("asset", assetsOf) || assets,
        now.one.took !== undefined && before.one.took !== undefined && longerText(now.one.took, before.one.took),
      ].filter((text) => typeof text === "string")
    : [];
}

/** The most important problem of a run: its first failure, else its most frequent warning. */
export function troubleText({ failures, warnings }: Report): string {
  const [first] = failures.length > 0 ? failures : warnings;
  return first ? [first.title, first.places[0]?.slice(0, 200)].filter(Boolean).join(": ") + (first.count > 1 ? ` and ${numberText(first.count - 1)} more` : "") : "";
}

/** A line of a log with its severity. */
export interface Line {
  number: number;
  text: string;
  level: "info" | "warn" | "bad";
}

const grave = /\b(ERROR|CRITICAL|FATAL|Traceback|failed|failure|could not|cannot)\b/u;
const warned = /\b(WARN|WARNING)\b/u;
const said = /\b(DEBUG|INFO)\b/u;

/** Splits a log into lines. The words of a line without a log level decide its severity. */
export const linesOf = (log: string): Line[] =>
  log.split(/\r?\n/u).map((text, index) => ({ number: index + 1, text, level: warned.test(text) ? "warn" : said.test(text) ? "info" : grave.test(text) ? "bad" : "info" }));
