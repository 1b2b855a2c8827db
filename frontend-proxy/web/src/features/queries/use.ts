import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";

/** The usage of a query within a period, according to its statistics. */
export interface Use {
  /** The time of the last run. */
  last: number | undefined;
  runs: number;
  /** The users that ran it, most frequent first. */
  people: readonly { urn: string; count: number }[];
}

export const statsPath = "/api/gms/analytics?action=getTimeseriesStats";

const both = (queries: readonly string[], from: number) => ({
  entityName: "query",
  aspectName: "queryUsageStatistics",
  filter: { or: [{ and: [{ field: "urn", values: [...queries] }, { field: "timestampMillis", condition: "GREATER_THAN_OR_EQUAL_TO", values: [String(from)] }] }] },
});

const byQuery = { key: "urn", type: "STRING_GROUPING_BUCKET" };

/** The request for the numbers of runs and the last runs of queries since a time. */
export const runsAsked = (queries: readonly string[], from: number) => ({
  ...both(queries, from),
  metrics: [
    { fieldPath: "lastExecutedAt", aggregationType: "LATEST" },
    { fieldPath: "queryCount", aggregationType: "SUM" },
  ],
  buckets: [byQuery],
});

/** The request for the users of queries since a time, with their numbers of runs. */
export const peopleAsked = (queries: readonly string[], from: number) => ({
  ...both(queries, from),
  metrics: [{ fieldPath: "userCounts.count", aggregationType: "SUM" }],
  buckets: [byQuery, { key: "userCounts.user", type: "STRING_GROUPING_BUCKET" }],
});

/** A response with a table. */
export interface Stats {
  value?: { table?: { rows?: readonly (readonly (string | null)[] | null)[] | null } | null } | null;
}

// An empty cell is NULL.
const rowsIn = (answer: Stats | null) => listIn(answer?.value?.table?.rows).map((row) => (Array.isArray(row) ? row.map((cell: string | null) => (cell === "NULL" ? "" : textIn(cell))) : []));

/** Reads both responses, by URN of the query. Queries without statistics are omitted. */
export function usesIn(runs: Stats | null, people: Stats | null): ReadonlyMap<string, Use> {
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
