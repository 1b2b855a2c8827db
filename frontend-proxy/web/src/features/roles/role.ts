import { groupName, personName } from "../../lib/people";
import { privilegesOf } from "../../lib/privileges";
import type { RolePoliciesQuery, RolesQuery } from "./roles.operations";

export type Role = NonNullable<RolesQuery["listRoles"]>["roles"][number];

/** The number of holders of a role in the list, and the page size of its holders. */
export const few = 6;
export const size = 25;

/** A user or a group with a role. */
export interface Holder {
  urn: string;
  name: string;
  shape: "person" | "group";
}

interface Held {
  entity: { urn: string; type?: string } | null;
}

/** The holders of a role, without deleted ones. */
export function holdersOf(members: { relationships: readonly Held[] } | null | undefined): Holder[] {
  return (members?.relationships ?? []).flatMap(({ entity }): Holder[] => {
    if (!entity) {
      return [];
    }
    const group = entity as { groupId?: string; groupProperties?: { displayName: string | null } | null };
    return entity.type === "CORP_GROUP"
      ? [{ urn: entity.urn, shape: "group", name: groupName({ urn: entity.urn, name: group.groupId ?? null, properties: group.groupProperties ?? null }) }]
      : [{ urn: entity.urn, shape: "person", name: personName(entity) }];
  });
}

/** The names of active policies for a role, and the titles of their privileges. */
export interface Given {
  policies: string[];
  privileges: string[];
}

/** The active policies of a role with their privileges. */
export function givenOf({ listPolicies, appConfig }: RolePoliciesQuery, role: string): Given {
  const mine = (listPolicies?.policies ?? []).filter(({ state, actors }) => state === "ACTIVE" && (actors.roles ?? []).includes(role));
  const privileges = privilegesOf(
    mine.flatMap((policy) => policy.privileges),
    appConfig?.policiesConfig,
  );
  return { policies: mine.map(({ name }) => name), privileges: privileges.map(({ name }) => name) };
}
