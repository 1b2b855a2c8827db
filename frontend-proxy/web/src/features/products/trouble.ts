import { aggregationsIn } from "../../lib/found";
import { failingDatasetsIn, failingIn, holderFields } from "../../shared/failing/holders";
import { checksInput, mostFailing } from "../../shared/failing/inputs";
import type { Kind } from "../../shared/products/collection";
import type { TroubleQuery, TroubleQueryVariables } from "./trouble.operations";

/** The numbers of assets of a data product or application with problems. */
export interface Troubled {
  /** Assets with a failing check. */
  failing: number;
  /** True if failing is a lower bound, because there are more failing checks than were read. */
  atLeast: boolean;
  /** Assets with an open incident; undefined if unknown. */
  incidents: number | undefined;
}

/** The variables that count assets with problems for a whole page of data products or applications. */
export const troubleInput = (kind: Kind, urns: readonly string[]): TroubleQueryVariables => ({
  // A facet includes all values in the filter, even rare ones.
  incidents: {
    query: "*",
    facets: [holderFields[kind]],
    orFilters: [{ and: [{ field: holderFields[kind], values: [...urns] }, { field: "hasActiveIncidents", values: ["true"] }] }],
  },
  failing: checksInput("failing", 0, mostFailing),
});

/** Reads the numbers of assets with problems, by URN of the data product or application. */
export function troubleIn(kind: Kind, urns: readonly string[], answer: TroubleQuery): ReadonlyMap<string, Troubled> {
  const incidents = new Map(aggregationsIn(answer.incidents, holderFields[kind]).map(({ value, count }) => [value, count]));
  const failing = failingDatasetsIn(answer.failing);
  return new Map(urns.map((urn) => [urn, { failing: failingIn(failing, urn), atLeast: !failing.complete, incidents: answer.incidents ? (incidents.get(urn) ?? 0) : undefined }]));
}
