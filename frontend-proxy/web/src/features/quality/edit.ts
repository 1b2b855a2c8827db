import { queryOptions, useQueryClient } from "@tanstack/react-query";

import { readSettled, updateOptimistically } from "../../lib/optimistic";
import { change, run } from "../../lib/request";
import { byUrgency, type Incident } from "../../shared/quality/quality";
import { qualityIn, type Quality as Told } from "./page";
import { Quality, RaiseIncident, UpdateIncident, UpdateIncidentStatus, type RaiseIncidentMutationVariables, type UpdateIncidentMutationVariables } from "./quality.operations";

/** The query for the checks and incidents of an asset. */
export const qualityQuery = (urn: string) =>
  queryOptions({ queryKey: ["asset", urn, "quality"], queryFn: readSettled(async (signal) => qualityIn((await run(Quality, { urn }, signal)).data)) });

type Changes = UpdateIncidentMutationVariables["input"];
type Status = NonNullable<Changes["status"]>;

/**
 * Changes an incident with an optimistic update. If the service rejects the change, the update is rolled back and the
 * error is thrown.
 */
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
    // The service replaces the whole status, so the input includes unchanged members.
    setStatus: (expected: Partial<Incident>, input: Status) => edit(expected, () => change(UpdateIncidentStatus, { urn: incident.urn, input })),
    /** Refetches the incident. */
    now: async () => (await queries.fetchQuery({ ...qualityQuery(asset), staleTime: 0 })).incidents.find(({ urn }) => urn === incident.urn),
  };
}

/** Raises an incident and returns its URN. */
export function useRaise(asset: string): (input: RaiseIncidentMutationVariables["input"]) => Promise<string> {
  const queries = useQueryClient();
  return async (input) => {
    const { raiseIncident: urn } = await change(RaiseIncident, { input });
    await queries.invalidateQueries({ queryKey: ["asset", asset] });
    return urn ?? "";
  };
}
