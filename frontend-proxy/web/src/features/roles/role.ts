import { listIn, numberIn, textIn, textsIn } from "../../lib/answer";
import { entitiesIn, rowEntitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { keyOf } from "../../lib/text";
import { privilegesOf } from "./privileges";
import type { HolderFragment, RolePoliciesQuery, RolesQuery } from "./roles.operations";

/** A role with its first holders. */
export interface Role {
  urn: string;
  name: string;
  description: string;
  held: Holders;
}

/** The number of holders of a role in the list, and the page size of its holders. */
export const few = 6;
export const size = 25;

/** A user or a group with a role. */
export interface Holder {
  urn: string;
  name: string;
  shape: "person" | "group";
}

/** Holders of a role, and the number of all. */
export interface Holders {
  holders: Holder[];
  total: number;
}

type Related = { total: number | null; relationships: readonly ({ entity: HolderFragment | null } | null)[] | null } | null | undefined;

/** The holders of a role, without deleted ones. */
export const holdersIn = (members: Related): Holders => ({
  holders: rowEntitiesIn(members?.relationships).map((entity) =>
    entity.type === "CORP_GROUP" ? { urn: entity.urn, shape: "group", name: nameIn(entity) } : { urn: entity.urn, shape: "person", name: nameIn(entity) },
  ),
  total: numberIn(members?.total) ?? 0,
});

/** Reads the roles of a response. */
export const rolesIn = ({ listRoles }: RolesQuery): Role[] =>
  entitiesIn(listRoles?.roles).map(({ urn, name, description, members }) => ({ urn, name: textIn(name) || keyOf(urn), description: textIn(description), held: holdersIn(members) }));

/** The names of active policies for a role, and the titles of their privileges. */
export interface Given {
  policies: string[];
  privileges: string[];
}

/** The active policies of a role with their privileges. */
export function givenOf({ listPolicies, appConfig }: RolePoliciesQuery, role: string): Given {
  const mine = listIn(listPolicies?.policies).filter(({ state, actors }) => state === "ACTIVE" && textsIn(actors?.roles).includes(role));
  const privileges = privilegesOf(
    mine.flatMap((policy) => textsIn(policy.privileges)),
    appConfig?.policiesConfig,
  );
  return { policies: mine.map(({ name }) => textIn(name)), privileges: privileges.map(({ name }) => name) };
}
