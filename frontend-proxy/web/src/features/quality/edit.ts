import { useQueryClient } from "@tanstack/react-query";

import { change, run } from "../../lib/request";
import { byUrgency, qualityIn, type Incident, type Quality as Told } from "./quality";
import { Quality, RaiseIncident, UpdateIncident, UpdateIncidentStatus, type RaiseIncidentMutationVariables, type UpdateIncidentMutationVariables } from "./quality.operations";

export const qualityKey = (urn: string) => ["asset", urn, "quality"];

type Changes = UpdateIncidentMutationVariables["input"];
type Status = NonNullable<Changes["status"]>;

/** Changes an incident of an asset: what is expected shows at once, and goes back with the reason thrown when it is refused. */
export function useIncidentEdit(asset: string, incident: Incident) {
  const queries = useQueryClient();
  const queryKey = qualityKey(asset);
  const edit = async (expected: Partial<Incident>, act: () => Promise<unknown>) => {
    await queries.cancelQueries({ queryKey, exact: true });
    const before = queries.getQueryData<Told>(queryKey);
    queries.setQueryData<Told>(queryKey, (told) => told && { ...told, incidents: byUrgency(told.incidents.map((each) => (each.urn === incident.urn ? { ...each, ...expected } : each))) });
    try {
      await act();
    } catch (error) {
      queries.setQueryData(queryKey, before);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ["asset", asset] });
    }
  };
  return {
    update: (expected: Partial<Incident>, input: Changes) => edit(expected, () => change(UpdateIncident, { urn: incident.urn, input })),
    // A status is written as a whole, so what stays of it is sent along.
    setStatus: (expected: Partial<Incident>, input: Status) => edit(expected, () => change(UpdateIncidentStatus, { urn: incident.urn, input })),
    /** The incident as the catalog knows it now. */
    now: async () =>
      (await queries.fetchQuery({ queryKey, staleTime: 0, queryFn: async ({ signal }) => qualityIn((await run(Quality, { urn: asset }, signal)).data) })).incidents.find(({ urn }) => urn === incident.urn),
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
