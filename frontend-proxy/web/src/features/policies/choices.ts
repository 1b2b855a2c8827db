import { useQuery } from "@tanstack/react-query";

import { run } from "../../lib/request";
import { PolicyChoices, type PolicyChoicesQuery } from "./policies.operations";

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

/** The choices for the parts of a policy. */
export interface Choices {
  platform: Choice[];
  asset: Choice[];
  types: Choice[];
  roles: Choice[];
  owners: Choice[];
  /** Whether policies are enforced. */
  enabled: boolean;
}

const choice = ({ type, displayName, description }: { type: string; displayName: string | null; description: string | null }): Choice => ({
  value: type,
  label: displayName ?? type,
  ...(description ? { description } : {}),
});

const named = ({ urn, name }: { urn: string; name: string }): Choice => ({ value: urn, label: name });

/** Reads the choices from a response. */
export function choicesOf(data: PolicyChoicesQuery): Choices {
  const config = data.appConfig?.policiesConfig;
  const resources = config?.resourcePrivileges ?? [];
  const asset = new Map(resources.flatMap(({ privileges }) => privileges.map((privilege) => [privilege.type, choice(privilege)] as const)));
  return {
    platform: (config?.platformPrivileges ?? []).map(choice),
    asset: [...asset.values()],
    types: resources.filter(({ resourceType }) => resourceType !== "all").map(({ resourceType, resourceTypeDisplayName }) => ({ value: resourceType, label: resourceTypeDisplayName ?? resourceType })),
    roles: (data.listRoles?.roles ?? []).map(named),
    owners: data.listOwnershipTypes.ownershipTypes.map(({ urn, info }) => ({ value: urn, label: info?.name ?? urn })),
    enabled: config?.enabled ?? true,
  };
}

/** The choices that the server offers for policies. */
export const useChoices = () => useQuery({ queryKey: ["policy-choices"], queryFn: async ({ signal }) => choicesOf((await run(PolicyChoices, {}, signal)).data), staleTime: 5 * 60_000 });

/** Titles by value. */
export const titles = (choices: readonly Choice[] = []): ReadonlyMap<string, string> => new Map(choices.map(({ value, label }) => [value, label]));
