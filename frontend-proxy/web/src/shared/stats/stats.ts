import { nameIn } from "../../lib/name";
import { listIn, numberIn, textIn, textsIn, timeIn } from "../../lib/answer";
import { counted, numberText, words } from "../../lib/text";
import { failingPaths } from "../schema/columns";
import type { ReaderFragment, StatsQuery } from "./stats.operations";

/** A value at a time. */
export interface Point {
  at: number;
  value: number;
}

/** A user of an asset, and the number of uses if known. */
export interface Reader {
  urn: string;
  name: string;
  count: number | undefined;
}

/** The usage of an asset within a period. */
export interface Usage {
  /** The counted unit: queries or views. */
  noun: "query" | "view";
  total: number | undefined;
  people: number | undefined;
  /** Counts by day; days begin in UTC. */
  points: readonly Point[];
  readers: readonly Reader[];
}

/** The profile of a column. */
export interface ColumnStats {
  path: string;
  empty: string;
  distinct: string;
  least: string;
  mean: string;
  middle: string;
  most: string;
  deviation: string;
  samples: readonly string[];
  /** The number of reads in the period. */
  reads: number | undefined;
  /** Whether a check of the column fails. */
  fails: boolean;
}

export interface Operation {
  /** A unique key. */
  key: string;
  at: number | undefined;
  kind: string;
  actor: string;
  rows: number | undefined;
}

export interface Stats {
  usage: Usage | null;
  /** Views of all time, views of the last thirty days, and the most frequent viewers in these days. */
  summary: { all: number | undefined; recent: number | undefined; people: number | undefined; readers: readonly Reader[] } | null;
  rows: readonly Point[];
  bytes: readonly Point[];
  /** The time of the latest profile, regardless of the period, and the profiled partition. */
  profiled: { at: number | undefined; part: string } | null;
  columnStats: readonly ColumnStats[];
  /** The history of column measures, by column path. */
  histories: ReadonlyMap<string, ColumnHistory>;
  /** Newest first. */
  operations: readonly Operation[];
}

type Entity = NonNullable<StatsQuery["entity"]>;
type Profile = NonNullable<NonNullable<Entity["latest"]>[number]>;
type Person = ReaderFragment | null | undefined;

/** The usage of an asset in a response, with the requested metrics. */
interface UsageAnswer<Metrics> {
  buckets: readonly ({ bucket: number | null; metrics: Metrics | null } | null)[] | null;
  aggregations?: UsageSums | null;
}

interface UsageSums {
  uniqueUserCount: number | null;
  users: readonly ({ user: ReaderFragment | null; count?: number | null; viewsCount?: number | null; usageCount?: number | null; userEmail?: string | null } | null)[] | null;
}

const pointsIn = <Item>(list: readonly Item[] | null | undefined, pointOf: (item: NonNullable<Item>) => readonly [number | null | undefined, number | null | undefined]): Point[] =>
  listIn(list)
    .flatMap((each) => {
      const [at, number] = pointOf(each);
      const [time, value] = [timeIn(at), numberIn(number)];
      return time === undefined || value === undefined ? [] : [{ at: time, value }];
    })
    .toSorted((a, b) => a.at - b.at);

function readerIn(user: Person, count: number | undefined, email: string): Reader[] {
  const urn = textIn(user?.urn);
  const name = user && urn ? nameIn(user) : email;
  return name ? [{ urn, name, count }] : [];
}

const mostFirst = (readers: readonly Reader[]) => readers.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));

function usageIn<Metrics>(value: UsageAnswer<Metrics> | null | undefined, noun: Usage["noun"], total: number | null | undefined, countOf: (metrics: Metrics) => number | null): Usage | null {
  const all = value?.aggregations;
  const users = listIn(all?.users);
  return value
    ? {
        noun,
        total: numberIn(total),
        people: numberIn(all?.uniqueUserCount),
        points: pointsIn(value.buckets, ({ bucket, metrics }) => [bucket, metrics && countOf(metrics)]),
        readers: mostFirst(users.flatMap((each) => readerIn(each.user, numberIn(each.count) ?? numberIn(each.viewsCount) ?? numberIn(each.usageCount), textIn(each.userEmail)))),
      }
    : null;
}

/** A share in percent. A small positive share is never shown as 0. */
export const shareText = (share: number) => (share > 0 && share < 0.001 ? "< 0.1 %" : `${numberText(Math.round(share * 1000) / 10)} %`);

// Formats a number in a profile text with digit grouping. Other texts are unchanged.
const figure = (text: string) => (/^-?\d{4,15}(\.\d+)?$/u.test(text) ? numberText(Number(text)) : text);

const text = (said: string | null) => figure(textIn(said).slice(0, 200));

function columnIn(value: NonNullable<NonNullable<Profile["fieldProfiles"]>[number]>, reads: ReadonlyMap<string, number>, failing: ReadonlySet<string>): ColumnStats[] {
  const path = textIn(value.fieldPath);
  const [nulls, share, distinct] = [numberIn(value.nullCount), numberIn(value.nullProportion), numberIn(value.uniqueCount)];
  return path
    ? [
        {
          path,
          empty: nulls === 0 ? "0" : share === undefined ? (nulls === undefined ? "" : numberText(nulls)) : shareText(share),
          distinct: distinct === undefined ? "" : numberText(distinct),
          least: text(value.min),
          mean: text(value.mean),
          middle: text(value.median),
          most: text(value.max),
          deviation: text(value.stdev),
          samples: textsIn(value.sampleValues).slice(0, 20),
          reads: reads.get(path),
          fails: failing.has(path),
        },
      ]
    : [];
}

function summaryIn(value: Entity["summary"]): Stats["summary"] {
  return value
    ? {
        all: numberIn(value?.viewCount),
        recent: numberIn(value?.viewCountLast30Days),
        people: numberIn(value?.uniqueUserCountLast30Days),
        readers: listIn(value?.topUsersLast30Days).flatMap((each) => readerIn(each, undefined, "")),
      }
    : null;
}

const operationIn = (value: NonNullable<NonNullable<Entity["operations"]>[number]>, index: number): Operation => {
  const type = textIn(value?.operationType);
  return {
    key: String(index),
    at: timeIn(value?.lastUpdatedTimestamp) ?? timeIn(value?.timestampMillis),
    kind: (type === "CUSTOM" && textIn(value?.customOperationType)) || words(type) || "Not known",
    actor: textIn(value?.actor),
    rows: numberIn(value?.numAffectedRows),
  };
};

/** A response with statistics. For a dashboard it can contain only views. */
type StatsAnswer = { entity: (Omit<Partial<Entity>, "views"> & { views?: (UsageAnswer<{ viewsCount: number | null }> & { aggregations?: { viewsCount: number | null } | null }) | null }) | null } | null;

/** Reads the statistics of an asset from a response. */
export function statsIn(answer: StatsAnswer): Stats {
  const entity = answer?.entity;
  const profiles = entity?.profiles;
  const [latest] = listIn(entity?.latest);
  const reads = new Map(listIn(entity?.usage?.aggregations?.fields).map((each) => [textIn(each.fieldName), numberIn(each.count) ?? 0]));
  const type = textIn(latest?.partitionSpec?.type);
  const failing = failingPaths(entity);
  return {
    usage: usageIn(entity?.usage, "query", entity?.usage?.aggregations?.totalSqlQueries, (metrics) => metrics.totalSqlQueries) ?? usageIn(entity?.views, "view", entity?.views?.aggregations?.viewsCount, (metrics) => metrics.viewsCount),
    summary: summaryIn(entity?.summary),
    rows: pointsIn(profiles, ({ timestampMillis, rowCount }) => [timestampMillis, rowCount]),
    bytes: pointsIn(profiles, ({ timestampMillis, sizeInBytes }) => [timestampMillis, sizeInBytes]),
    profiled: latest === undefined ? null : { at: timeIn(latest?.timestampMillis), part: type === "" || type === "FULL_TABLE" ? "" : textIn(latest?.partitionSpec?.partition).slice(0, 100) },
    columnStats: listIn(latest?.fieldProfiles).flatMap((each) => columnIn(each, reads, failing)),
    histories: historiesIn(entity?.columns),
    operations: listIn(entity?.operations)
      .map(operationIn)
      .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
  };
}

/** The column measures of profiles, with labels, as in "Empty in order_total". */
export const measures = [
  { value: "empty", name: "Empty", member: "nullCount", kind: "count", noun: "rows" },
  { value: "empty-share", name: "Share empty", member: "nullProportion", kind: "share", noun: "" },
  { value: "distinct", name: "Distinct", member: "uniqueCount", kind: "count", noun: "values" },
  { value: "least", name: "Least", member: "min", kind: "count", noun: "" },
  { value: "mean", name: "Mean", member: "mean", kind: "count", noun: "" },
  { value: "middle", name: "Middle", member: "median", kind: "count", noun: "" },
  { value: "most", name: "Most", member: "max", kind: "count", noun: "" },
] as const;

export type Measure = (typeof measures)[number];

/** The history of a column. Measures without a number are omitted. */
export type ColumnHistory = ReadonlyMap<Measure["value"], readonly Point[]>;

// The maximum number of column profiles in one response.
const mostProfiled = 10_000;

/** The number of profiles to request for column histories, given the number of columns. */
export const profilesOf = (columns = 500) => Math.max(5, Math.min(400, Math.floor(mostProfiled / Math.max(1, columns))));

/** Reads the histories of columns from profiles, by column path. */
function historiesIn(profiles: Entity["columns"]): ReadonlyMap<string, ColumnHistory> {
  const out = new Map<string, Map<Measure["value"], Point[]>>();
  for (const profile of listIn(profiles)) {
    const time = timeIn(profile.timestampMillis);
    for (const column of time === undefined ? [] : listIn(profile.fieldProfiles)) {
      const path = textIn(column.fieldPath);
      const history = out.get(path) ?? new Map<Measure["value"], Point[]>();
      for (const { value: measure, member } of measures) {
        const value = numberIn(column[member]);
        if (path && time !== undefined && value !== undefined) {
          const points = history.get(measure) ?? [];
          points.push({ at: time, value });
          out.set(path, history.set(measure, points));
        }
      }
    }
  }
  for (const history of out.values()) {
    for (const points of history.values()) {
      points.sort((a, b) => a.at - b.at);
    }
  }
  return out;
}

// With fewer earlier profiles there is no baseline.
const fewestBefore = 2;

/**
 * The number of empty rows of a column in the latest profile, if it is more than double the maximum of all earlier
 * profiles, as "214 rows, at most 12 before"; otherwise empty. Shares are compared if known, because tables grow.
 */
export function riseOf(history: ColumnHistory | undefined): string {
  const [rows, shares] = [history?.get("empty") ?? [], history?.get("empty-share") ?? []];
  const compared = shares.length > 0 ? shares : rows;
  const [before, newest] = [compared.slice(0, -1), compared.at(-1)];
  if (!newest || before.length < fewestBefore || !(newest.value > 2 * mostOf(before))) {
    return "";
  }
  const last = rows.at(-1);
  const [now, most] = last?.at === newest.at ? [`${counted(last.value, "row")}`, numberText(mostOf(rows.slice(0, -1)))] : [shareText(newest.value), shareText(mostOf(before))];
  return `${now}, ${mostOf(before) > 0 ? `at most ${most}` : "none"} before`;
}

const mostOf = (points: readonly Point[]) => points.reduce((most, { value }) => Math.max(most, value), 0);

/**
 * The column to show first: the first whose empty values rose, else the first with a failing check, else the first
 * with empty values, else the first with a history.
 */
export function firstColumn(columns: readonly ColumnStats[], histories: ReadonlyMap<string, ColumnHistory>): string {
  const found =
    columns.find(({ path }) => riseOf(histories.get(path)) !== "") ??
    columns.find(({ path, fails }) => fails && histories.has(path)) ??
    columns.find(({ path }) => histories.get(path)?.get("empty")?.some(({ value }) => value > 0)) ??
    columns.find(({ path }) => histories.has(path));
  return found?.path ?? "";
}

/** A unit for values. */
export interface Unit {
  name: string;
  by: number;
}

const sizes: readonly Unit[] = [
  { name: "TB", by: 1e12 },
  { name: "GB", by: 1e9 },
  { name: "MB", by: 1e6 },
  { name: "kB", by: 1e3 },
  { name: "bytes", by: 1 },
];
const counts: readonly Unit[] = [
  { name: "billions", by: 1e9 },
  { name: "millions", by: 1e6 },
  { name: "thousands", by: 1e4 },
  { name: "", by: 1 },
];

/** The unit that keeps values up to a maximum short. */
export function unitOf(most: number, kind: "count" | "size" | "share"): Unit {
  if (kind === "share") {
    return { name: "%", by: 0.01 };
  }
  const found = (kind === "size" ? sizes : counts).find(({ by }) => most >= by) ?? { name: kind === "size" ? "bytes" : "", by: 1 };
  return found.name === "thousands" ? { name: "thousands", by: 1e3 } : found;
}

/** Formats a value in a unit with three significant digits. */
export function figureText(value: number, { by }: Unit): string {
  const scaled = value / by;
  const places = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2;
  return numberText(Number(scaled.toFixed(places)));
}

/** The ticks of an axis from 0 to a round number at or above the maximum: two or three of them. */
export function stepsOf(most: number): number[] {
  if (!(most > 0)) {
    return [0, 1];
  }
  const power = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 5, 8, 10].map((each) => each * power).find((each) => each >= most) ?? most;
  return [0, top / 2, top];
}

/** The ticks of an axis for values between a minimum and a maximum. The axis includes 0. */
export function axisOf(least: number, most: number): number[] {
  const above = most > 0 || least === 0 ? stepsOf(most) : [0];
  const below = least < 0 ? stepsOf(-least).slice(1).map((step) => -step).toReversed() : [];
  return [...below, ...above];
}

/** The points of a line for a drawing with the given size and axis ends. A single value yields a horizontal line. */
export function lineOf(points: readonly Point[], top: number, width: number, height: number, bottom = 0): string {
  const from = points[0]?.at ?? 0;
  const span = (points.at(-1)?.at ?? from) - from;
  const drawn = points.length === 1 && points[0] ? [points[0], points[0]] : points;
  return drawn.map(({ at: time, value }, index) => `${(span > 0 ? ((time - from) / span) * width : index * width).toFixed(1)},${(height - Math.max(0, Math.min(1, (value - bottom) / (top - bottom))) * height).toFixed(1)}`).join(" ");
}

const day = 86_400_000;

/** The start, in UTC, of a period of days that ends today. */
export const startOf = (now: number, days: number) => (Math.floor(now / day) - days + 1) * day;

/** Counts by day within a period, including days without counts. Periods over 120 days are counted by week. */
export function barsOf(points: readonly Point[], from: number, days: number): { at: number; value: number; days: number }[] {
  const step = days > 120 ? 7 : 1;
  const bars = Array.from({ length: Math.ceil(days / step) }, (_, index) => ({ at: from + index * step * day, value: 0, days: Math.min(step, days - index * step) }));
  for (const { at: time, value } of points) {
    const bar = bars[Math.floor((time - from) / (step * day))];
    if (bar) {
      bar.value += value;
    }
  }
  return bars;
}

const dates = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** The date of a count in UTC. */
export const utcDay = (time: number) => dates.format(time);
