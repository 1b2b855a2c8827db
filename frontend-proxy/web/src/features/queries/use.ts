import { at, listIn, numberIn, textIn, timeIn } from "../../lib/loose";

/** How a query was used in a time, as far as its statistics tell. */
export interface Use {
  /** When it ran last. */
  last: number | undefined;
  runs: number;
  /** Who ran it, who did most often first. */
  people: readonly { urn: string; count: number }[];
}

export const statsPath = "/api/gms/analytics?action=getTimeseriesStats";

const both = (queries: readonly string[], from: number) => ({
  entityName: "query",
  aspectName: "queryUsageStatistics",
  filter: { or: [{ and: [{ field: "urn", values: [...queries] }, { field: "timestampMillis", condition: "GREATER_THAN_OR_EQUAL_TO", values: [String(from)] }] }] },
});

const byQuery = { key: "urn", type: "STRING_GROUPING_BUCKET" };

/** Asks how often some queries ran since a time, and when last. */
export const runsAsked = (queries: readonly string[], from: number) => ({
  ...both(queries, from),
  metrics: [
    { fieldPath: "lastExecutedAt", aggregationType: "LATEST" },
    { fieldPath: "queryCount", aggregationType: "SUM" },
  ],
  buckets: [byQuery],
});

/** Asks who ran some queries since a time, and how often. */
export const peopleAsked = (queries: readonly string[], from: number) => ({
  ...both(queries, from),
  metrics: [{ fieldPath: "userCounts.count", aggregationType: "SUM" }],
  buckets: [byQuery, { key: "userCounts.user", type: "STRING_GROUPING_BUCKET" }],
});

// Cells are texts, and those without a value say NULL.
const rowsIn = (answer: unknown) => listIn(at(answer, "value", "table", "rows")).map((row) => (Array.isArray(row) ? row.map((cell) => (cell === "NULL" ? "" : textIn(cell))) : []));

/** Reads the two answers, by the URNs of the queries. One of which nothing is known is not there. */
export function usesIn(runs: unknown, people: unknown): ReadonlyMap<string, Use> {
  const who = new Map<string, { urn: string; count: number }[]>();
  for (const [query = "", urn = "", count = ""] of rowsIn(people)) {
    if (urn.startsWith("urn:li:")) {
      who.set(query, [...(who.get(query) ?? []), { urn, count: numberIn(count) ?? 0 }]);
    }
  }
  return new Map(
    rowsIn(runs).flatMap(([query = "", last, count = ""]): [string, Use][] =>
      query ? [[query, { last: timeIn(last), runs: numberIn(count) ?? 0, people: (who.get(query) ?? []).toSorted((a, b) => b.count - a.count) }]] : [],
    ),
  );
}
