import { columnUrn } from "../../lib/column";
import { run, type Operation } from "../../lib/request";
import type { Reach } from "./versions";

// What is counted of that which is made from a column.
const counts = { dashboards: "types: [DASHBOARD], ", charts: "types: [CHART], ", all: "" } as const;
const names = Object.keys(counts) as (keyof typeof counts)[];

/** The answer: how much is made from each column, by its place among them. */
type Touched = Readonly<Record<string, Reach["all"]>>;

const reached = (index: number) =>
  names.map((name) => `${name}${index}: searchAcrossLineage(input: { urn: $column${index}, direction: DOWNSTREAM, ${counts[name]}query: "*", count: 0, searchFlags: { skipAggregates: true } }) { total isPartial }`).join(" ");

/** Asks for what is made from some columns, of all of them at once. */
export function touchedBy(urn: string, paths: readonly string[]): { operation: Operation<Touched, Record<string, string>>; variables: Record<string, string> } {
  const query = `query ColumnTouches(${paths.map((_, index) => `$column${index}: String!`).join(", ")}) { ${paths.map((_, index) => reached(index)).join(" ")} }`;
  return { operation: { toString: () => query }, variables: Object.fromEntries(paths.map((path, index) => [`column${index}`, columnUrn(urn, path)])) };
}

/** Reads what is made from some columns. One of which that could not be read would seem to feed nothing, so all fail with it. */
export async function readTouched(urn: string, paths: readonly string[], signal: AbortSignal): Promise<Touched> {
  const { operation, variables } = touchedBy(urn, paths);
  const { data, problems } = await run(operation, variables, signal);
  if (problems[0]) {
    throw problems[0];
  }
  return data;
}

/** What an answer tells of one of the columns, by its place among them. */
export const touchedIn = (answer: Touched, index: number): Reach => Object.fromEntries(names.map((name) => [name, answer[`${name}${index}`]]));
