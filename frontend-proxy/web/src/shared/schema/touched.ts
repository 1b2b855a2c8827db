import { columnUrn } from "../../lib/column";
import { run, type Operation } from "../../lib/request";
import type { Reach } from "./versions";

// The searches that count downstream assets of a column.
const counts = { dashboards: "types: [DASHBOARD], ", charts: "types: [CHART], ", all: "" } as const;
const names = Object.keys(counts) as (keyof typeof counts)[];

/** The response: the numbers of downstream assets, keyed by search name and column index. */
type Touched = Readonly<Record<string, Reach["all"]>>;

const reached = (index: number) =>
  names.map((name) => `${name}${index}: searchAcrossLineage(input: { urn: $column${index}, direction: DOWNSTREAM, ${counts[name]}query: "*", count: 0, searchFlags: { skipAggregates: true } }) { total isPartial }`).join(" ");

/** A query that counts the downstream assets of several columns in one request. */
export function touchedBy(urn: string, paths: readonly string[]): { operation: Operation<Touched, Record<string, string>>; variables: Record<string, string> } {
  const query = `query ColumnTouches(${paths.map((_, index) => `$column${index}: String!`).join(", ")}) { ${paths.map((_, index) => reached(index)).join(" ")} }`;
  return { operation: { toString: () => query }, variables: Object.fromEntries(paths.map((path, index) => [`column${index}`, columnUrn(urn, path)])) };
}

/**
 * Reads the numbers of downstream assets of columns. If one column fails, the whole request fails, because an
 * unreadable column would appear to have no downstream assets.
 */
export async function readTouched(urn: string, paths: readonly string[], signal: AbortSignal): Promise<Touched> {
  const { operation, variables } = touchedBy(urn, paths);
  const { data, problems } = await run(operation, variables, signal);
  if (problems[0]) {
    throw problems[0];
  }
  return data;
}

/** The numbers of downstream assets of a column, by column index. */
export const touchedIn = (answer: Touched, index: number): Reach => Object.fromEntries(names.map((name) => [name, answer[`${name}${index}`]]));
