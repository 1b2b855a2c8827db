import { queryOptions, useQueryClient } from "@tanstack/react-query";

import { readSettled, updateOptimistically } from "../../lib/optimistic";
import { change, run } from "../../lib/request";
import { byUrgency, type Incident } from "../../shared/quality/quality";
import { qualityIn, type Quality as Told } from "./page";
import { Quality, RaiseIncident, UpdateIncident, UpdateIncidentStatus, type RaiseIncidentMutationVariables, type UpdateIncidentMutationVariables } from "./quality.operations";

/** The checks and incidents of an asset. */
export const qualityQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "quality"], queryFn: readSettled(async (signal) => qualityIn((await run(Quality, { urn }, signal)).data)) });

type Changes = UpdateIncidentMutationVariables["input"];
type Status = NonNullable<Changes["status"]>;

/** Changes an incident of an asset: what is expected shows at once, and goes back with the reason thrown when it is refused. */
export function useIncidentEdit(asset: string, incident: Incident) {
  const queries = useQueryClient();
  const { queryKey } = qualityQuery(asset);
  const edit = (expected: Partial<Incident>, act: () => Promise<unknown>) =>
    updateOptimistically<Told>(queries, {
      queryKey,
      expected: (told) => ({ ...told, incidents: byUrgency(told.incidents.map((each) => (each.urn === incident.urn ? { ...each, ...expected } : each))) }),
      act,
      invalidated: ["asset", asset],
    });
  return {
    update: (expected: Partial<Incident>, input: Changes) => edit(expected, () => change(UpdateIncident, { urn: incident.urn, input })),
    // A status is written as a whole, so what stays of it is sent along.
    setStatus: (expected: Partial<Incident>, input: Status) => edit(expected, () => change(UpdateIncidentStatus, { urn: incident.urn, input })),
    /** The incident as the catalog knows it now. */
    now: async () => (await queries.fetchQuery({ ...qualityQuery(asset), staleTime: 0 })).incidents.find(({ urn }) => urn === incident.urn),
  };
}

/** Raises an incident and gives its URN. */
export function useRaise(asset: string): (input: RaiseIncidentMutationVariables["input"]) => Promise<string> {
  const queries = useQueryClient();
  return async (input) => {
    const { raiseIncident: urn } = await change(RaiseIncident, { input });
    await queries.invalidateQueries({ queryKey: ["asset", asset] });
    return urn ?? "";
  };
}
