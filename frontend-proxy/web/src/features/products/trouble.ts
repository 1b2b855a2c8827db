import { aggregationsIn } from "../../lib/found";
import { failingDatasetsIn, failingIn, holderFields } from "../../shared/failing/holders";
import { checksInput, mostFailing } from "../../shared/failing/inputs";
import type { Kind } from "../../shared/products/collection";
import type { TroubleQuery, TroubleQueryVariables } from "./trouble.operations";

/** How many assets of a data product or application are in trouble. */
export interface Troubled {
  /** Those that fail a check. */
  failing: number;
  /** Whether more may fail: there are more failing checks than are read. */
  atLeast: boolean;
  /** Those with an open incident, undefined where that is not known. */
  incidents: number | undefined;
}

/** Asks for what is in trouble in all of a page of data products or applications at once. */
export const troubleInput = (kind: Kind, urns: readonly string[]): TroubleQueryVariables => ({
  // A facet holds the values that are filtered by, however rare they are.
  incidents: {
    query: "*",
    facets: [holderFields[kind]],
    orFilters: [{ and: [{ field: holderFields[kind], values: [...urns] }, { field: "hasActiveIncidents", values: ["true"] }] }],
  },
  failing: checksInput("failing", 0, mostFailing),
});

/** Reads what is in trouble in data products or applications, by their URNs. */
export function troubleIn(kind: Kind, urns: readonly string[], answer: TroubleQuery): ReadonlyMap<string, Troubled> {
  const incidents = new Map(aggregationsIn(answer.incidents, holderFields[kind]).map(({ value, count }) => [value, count]));
  const failing = failingDatasetsIn(answer.failing);
  return new Map(urns.map((urn) => [urn, { failing: failingIn(failing, urn), atLeast: !failing.complete, incidents: answer.incidents ? (incidents.get(urn) ?? 0) : undefined }]));
}
