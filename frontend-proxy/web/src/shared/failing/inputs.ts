import { aggregationsIn, type Aggregated, type FacetRow } from "../../lib/found";
import { counted, numberText } from "../../lib/text";
import type { AggregateAcrossEntitiesInput, SearchAcrossEntitiesInput } from "../../lib/schema";

/**
 * The maximum number of failing checks, newest first, that the pages of domains, products and applications take into
 * account.
 */
export const mostFailing = 100;

/** The filter of the list: failing checks, checks with an error, or both. */
export type Kept = "all" | "failing" | "error";

const statuses: Readonly<Record<Kept, string[]>> = { all: ["FAILING", "ERROR"], failing: ["FAILING"], error: ["ERROR"] };

const latest = (field: string) => ({ field, sortOrder: "DESCENDING" as const });

/** A page of checks that fail or have an error, latest failure first. */
export const checksInput = (kept: Kept, start: number, count: number): SearchAcrossEntitiesInput => ({
  types: ["ASSERTION"],
  query: "*",
  start,
  count,
  orFilters: [{ and: [{ field: "assertionStatus", values: statuses[kept] }] }],
  sortInput: { sortCriteria: [latest("lastFailedAtMillis"), latest("lastErroredAtMillis")] },
  searchFlags: { skipAggregates: true },
});

/** Counts checks by status. */
export const statesInput: AggregateAcrossEntitiesInput = { types: ["ASSERTION"], query: "*", facets: ["assertionStatus"] };

/** A page of open incidents, newest first. */
export const incidentsInput = (start: number, count: number): SearchAcrossEntitiesInput => ({
  types: ["INCIDENT"],
  query: "*",
  start,
  count,
  orFilters: [{ and: [{ field: "state", values: ["ACTIVE"] }] }],
  sortInput: { sortCriteria: [latest("created")] },
  searchFlags: { skipAggregates: true },
});

/** The numbers of checks by the latest result of each. */
export interface States {
  failing: number;
  error: number;
  passing: number;
}

/** Reads the numbers of checks by status. Checks without a result are not counted. */
export function statesIn(answer: Aggregated<FacetRow> | null | undefined): States {
  const rows = aggregationsIn(answer, "assertionStatus");
  const count = (status: string) => rows.find(({ value }) => value === status)?.count ?? 0;
  return { failing: count("FAILING"), error: count("ERROR"), passing: count("PASSING") };
}

/**
 * A sentence, without the full stop, on failing checks and incidents. It includes the number of assets if that is
 * known.
 */
export function failingText({ failing, error }: States, assets: number | undefined, incidents: number): string {
  const said = [
    failing > 0 && `${counted(failing, "check")} ${failing === 1 ? "fails" : "fail"}`,
    error > 0 && `${failing > 0 ? numberText(error) : counted(error, "check")} could not be run`,
  ].filter(Boolean);
  const checks = said.join(" and ") + (said.length > 0 && assets !== undefined && assets > 0 ? `${said.length > 1 ? "," : ""} on ${counted(assets, "asset")}` : "");
  return [checks, incidents > 0 && `${counted(incidents, "incident")} ${incidents === 1 ? "is" : "are"} open`].filter(Boolean).join("; ");
}
