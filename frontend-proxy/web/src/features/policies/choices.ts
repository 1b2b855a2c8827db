import { useQuery } from "@tanstack/react-query";

import { namedIn } from "../../lib/name";
import { assetIn, assetTypesIn, platformIn, type Privilege } from "../../lib/privileges";
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

const choice = ({ type, name, description }: Privilege): Choice => ({ value: type, label: name, description });

const named = ({ urn, name }: { urn: string; name: string }): Choice => ({ value: urn, label: name });

/** Reads the choices from a response. */
export function choicesOf(data: PolicyChoicesQuery): Choices {
  const config = data.appConfig?.policiesConfig;
  return {
    platform: platformIn(config).map(choice),
    asset: [...new Map(assetIn(config).map((privilege) => [privilege.type, choice(privilege)])).values()],
    types: [...assetTypesIn(config)].filter(([value]) => value !== "all").map(([value, label]) => ({ value, label })),
    roles: namedIn(data.listRoles?.roles).map(named),
    owners: namedIn(data.listOwnershipTypes?.ownershipTypes).map(named),
    enabled: config?.enabled !== false,
  };
}

/** The choices that the server offers for policies. */
export const useChoices = () => useQuery({ queryKey: ["policy-choices"], queryFn: async ({ signal }) => choicesOf((await run(PolicyChoices, {}, signal)).data), staleTime: 5 * 60_000 });

/** Titles by value. */
export const titles = (choices: readonly Choice[] = []): ReadonlyMap<string, string> => new Map(choices.map(({ value, label }) => [value, label]));
