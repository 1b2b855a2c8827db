import { nameIn } from "../entities/entities";
import { at, listIn, members, numberIn, textIn, textsIn, timeIn } from "../../lib/loose";
import { counted, numberText, shortOf, words } from "../../lib/text";
import { failingPaths } from "../schema/columns";

/** A value at a moment. */
export interface Point {
  at: number;
  value: number;
}

/** Whoever used an asset, and how often if that is known. */
export interface Reader {
  urn: string;
  name: string;
  count: number | undefined;
}

/** How an asset was used in a time. */
export interface Usage {
  /** What is counted: queries or views. */
  noun: "query" | "view";
  total: number | undefined;
  people: number | undefined;
  /** The counts of days, as the days begin in UTC. */
  points: readonly Point[];
  readers: readonly Reader[];
}

/** What a profile says of a column. */
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
  /** How often it was read in the time. */
  reads: number | undefined;
  /** Whether a check of it fails. */
  fails: boolean;
}

export interface Operation {
  /** Tells it from the others. */
  key: string;
  at: number | undefined;
  kind: string;
  actor: string;
  rows: number | undefined;
}

export interface Stats {
  usage: Usage | null;
  /** Views of all time, of the last thirty days, and who viewed most then. */
  summary: { all: number | undefined; recent: number | undefined; people: number | undefined; readers: readonly Reader[] } | null;
  rows: readonly Point[];
  bytes: readonly Point[];
  /** When the last profile was taken, of whatever time, and of which part. */
  profiled: { at: number | undefined; part: string } | null;
  columnStats: readonly ColumnStats[];
  /** What was measured of columns over time, by their paths. */
  histories: ReadonlyMap<string, ColumnHistory>;
  /** The newest first. */
  operations: readonly Operation[];
}

const pointsIn = (list: unknown, timeName: string, ...path: readonly string[]): Point[] =>
  listIn(list)
    .flatMap((each) => {
      const [time, value] = [timeIn(at(each, timeName)), numberIn(at(each, ...path))];
      return time === undefined || value === undefined ? [] : [{ at: time, value }];
    })
    .toSorted((a, b) => a.at - b.at);

function readerIn(user: unknown, count: number | undefined, email: string): Reader[] {
  const urn = textIn(at(user, "urn"));
  const name = urn ? textIn(nameIn({ ...members(user), urn })) || shortOf(urn) : email;
  return name ? [{ urn, name, count }] : [];
}

const mostFirst = (readers: readonly Reader[]) => readers.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));

function usageIn(value: unknown, noun: Usage["noun"], metric: string): Usage | null {
  const all = at(value, "aggregations");
  const users = listIn(at(all, "users"));
  return Object.keys(members(value)).length > 0
    ? {
        noun,
        total: numberIn(at(all, metric)),
        people: numberIn(at(all, "uniqueUserCount")),
        points: pointsIn(at(value, "buckets"), "bucket", "metrics", metric),
        readers: mostFirst(users.flatMap((each) => readerIn(at(each, "user"), numberIn(at(each, "count")) ?? numberIn(at(each, "viewsCount")) ?? numberIn(at(each, "usageCount")), textIn(at(each, "userEmail"))))),
      }
    : null;
}

/** A share in percent. What is more than nothing does not become nothing. */
export const shareText = (share: number) => (share > 0 && share < 0.001 ? "< 0.1 %" : `${numberText(Math.round(share * 1000) / 10)} %`);

// A figure that a profile tells as text, with its thousands apart if it is one.
const figure = (text: string) => (/^-?\d{4,15}(\.\d+)?$/u.test(text) ? numberText(Number(text)) : text);

function columnIn(value: unknown, reads: ReadonlyMap<string, number>, failing: ReadonlySet<string>): ColumnStats[] {
  const path = textIn(at(value, "fieldPath"));
  const number = (name: string) => numberIn(at(value, name));
  const text = (name: string) => figure(textIn(at(value, name)).slice(0, 200));
  const [nulls, share, distinct] = [number("nullCount"), number("nullProportion"), number("uniqueCount")];
  return path
    ? [
        {
          path,
          empty: nulls === 0 ? "0" : share === undefined ? (nulls === undefined ? "" : numberText(nulls)) : shareText(share),
          distinct: distinct === undefined ? "" : numberText(distinct),
          least: text("min"),
          mean: text("mean"),
          middle: text("median"),
          most: text("max"),
          deviation: text("stdev"),
          samples: textsIn(at(value, "sampleValues")).slice(0, 20),
          reads: reads.get(path),
          fails: failing.has(path),
        },
      ]
    : [];
}

function summaryIn(value: unknown): Stats["summary"] {
  return Object.keys(members(value)).length > 0
    ? {
        all: numberIn(at(value, "viewCount")),
        recent: numberIn(at(value, "viewCountLast30Days")),
        people: numberIn(at(value, "uniqueUserCountLast30Days")),
        readers: listIn(at(value, "topUsersLast30Days")).flatMap((each) => readerIn(each, undefined, "")),
      }
    : null;
}

const operationIn = (value: unknown, index: number): Operation => {
  const type = textIn(at(value, "operationType"));
  return {
    key: String(index),
    at: timeIn(at(value, "lastUpdatedTimestamp")) ?? timeIn(at(value, "timestampMillis")),
    kind: (type === "CUSTOM" && textIn(at(value, "customOperationType"))) || words(type) || "Not known",
    actor: textIn(at(value, "actor")),
    rows: numberIn(at(value, "numAffectedRows")),
  };
};

/** Reads the answer about the statistics of an asset. */
export function statsIn(answer: unknown): Stats {
  const entity = at(answer, "entity");
  const profiles = at(entity, "profiles");
  const [latest] = listIn(at(entity, "latest"));
  const reads = new Map(listIn(at(entity, "usage", "aggregations", "fields")).map((each) => [textIn(at(each, "fieldName")), numberIn(at(each, "count")) ?? 0]));
  const type = textIn(at(latest, "partitionSpec", "type"));
  const failing = failingPaths(entity);
  return {
    usage: usageIn(at(entity, "usage"), "query", "totalSqlQueries") ?? usageIn(at(entity, "views"), "view", "viewsCount"),
    summary: summaryIn(at(entity, "summary")),
    rows: pointsIn(profiles, "timestampMillis", "rowCount"),
    bytes: pointsIn(profiles, "timestampMillis", "sizeInBytes"),
    profiled: latest === undefined ? null : { at: timeIn(at(latest, "timestampMillis")), part: type === "" || type === "FULL_TABLE" ? "" : textIn(at(latest, "partitionSpec", "partition")).slice(0, 100) },
    columnStats: listIn(at(latest, "fieldProfiles")).flatMap((each) => columnIn(each, reads, failing)),
    histories: historiesIn(at(entity, "columns")),
    operations: listIn(at(entity, "operations"))
      .map(operationIn)
      .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
  };
}

/** What profiles measure of a column, with what it is called, as "Empty in order_total". */
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

/** What was measured of a column over time. Measures without a number are left out. */
export type ColumnHistory = ReadonlyMap<Measure["value"], readonly Point[]>;

// An answer holds no more of columns than so many figures are told of.
const mostProfiled = 10_000;

/** How many profiles are read for the figures of columns, where one has so many columns. */
export const profilesOf = (columns = 500) => Math.max(5, Math.min(400, Math.floor(mostProfiled / Math.max(1, columns))));

/** Reads what profiles told of columns over time, by the paths of the columns. */
function historiesIn(profiles: unknown): ReadonlyMap<string, ColumnHistory> {
  const out = new Map<string, Map<Measure["value"], Point[]>>();
  for (const profile of listIn(profiles)) {
    const time = timeIn(at(profile, "timestampMillis"));
    for (const column of time === undefined ? [] : listIn(at(profile, "fieldProfiles"))) {
      const path = textIn(at(column, "fieldPath"));
      const history = out.get(path) ?? new Map<Measure["value"], Point[]>();
      for (const { value: measure, member } of measures) {
        const value = numberIn(at(column, member));
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

// Fewer profiles do not tell what is usual.
const fewestBefore = 2;

/**
 * How many rows of a column are empty in the newest profile, in words, where that is more than double of what it was in
 * any profile before, as "214 rows, at most 12 before". Empty where nothing is unusual. Shares are compared, as tables grow.
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

/** The column that is shown first: one whose empty values rose, else one whose check fails, else the first with any, else the first. */
export function firstColumn(columns: readonly ColumnStats[], histories: ReadonlyMap<string, ColumnHistory>): string {
  const found =
    columns.find(({ path }) => riseOf(histories.get(path)) !== "") ??
    columns.find(({ path, fails }) => fails && histories.has(path)) ??
    columns.find(({ path }) => histories.get(path)?.get("empty")?.some(({ value }) => value > 0)) ??
    columns.find(({ path }) => histories.has(path));
  return found?.path ?? "";
}

/** A measure that figures are written in. */
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

/** The unit in which figures up to one are short. */
export function unitOf(most: number, kind: "count" | "size" | "share"): Unit {
  if (kind === "share") {
    return { name: "%", by: 0.01 };
  }
  const found = (kind === "size" ? sizes : counts).find(({ by }) => most >= by) ?? { name: kind === "size" ? "bytes" : "", by: 1 };
  return found.name === "thousands" ? { name: "thousands", by: 1e3 } : found;
}

/** A figure in a unit with three places that tell. */
export function figureText(value: number, { by }: Unit): string {
  const scaled = value / by;
  const places = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2;
  return numberText(Number(scaled.toFixed(places)));
}

/** The steps of an axis from 0 to a round figure above all values: two or three of them. */
export function stepsOf(most: number): number[] {
  if (!(most > 0)) {
    return [0, 1];
  }
  const power = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 5, 8, 10].map((each) => each * power).find((each) => each >= most) ?? most;
  return [0, top / 2, top];
}

/** The steps of an axis for figures from the least to the most: from 0, and as far below it where there are figures below. */
export function axisOf(least: number, most: number): number[] {
  const above = most > 0 || least === 0 ? stepsOf(most) : [0];
  const below = least < 0 ? stepsOf(-least).slice(1).map((step) => -step).toReversed() : [];
  return [...below, ...above];
}

/** The points of a line in a drawing of a width and a height, between the two ends of an axis. A single one is a level line. */
export function lineOf(points: readonly Point[], top: number, width: number, height: number, bottom = 0): string {
  const from = points[0]?.at ?? 0;
  const span = (points.at(-1)?.at ?? from) - from;
  const drawn = points.length === 1 && points[0] ? [points[0], points[0]] : points;
  return drawn.map(({ at: time, value }, index) => `${(span > 0 ? ((time - from) / span) * width : index * width).toFixed(1)},${(height - Math.max(0, Math.min(1, (value - bottom) / (top - bottom))) * height).toFixed(1)}`).join(" ");
}

const day = 86_400_000;

/** The start of the day, in UTC, that lies so many days before a moment. Days are counted so that the last one is today. */
export const startOf = (now: number, days: number) => (Math.floor(now / day) - days + 1) * day;

/** Counts by days in a time, days without any as well; by weeks where there are many. */
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

/** The day of counts, which begin in UTC. */
export const utcDay = (time: number) => dates.format(time);
