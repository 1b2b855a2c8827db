import { groupName, personName } from "../../lib/people";
import type { RolePoliciesQuery, RolesQuery } from "./roles.operations";

export type Role = NonNullable<RolesQuery["listRoles"]>["roles"][number];

/** How many holders of a role the list shows, and how many a page of them has. */
export const few = 6;
export const size = 25;

/** A person or a group that has a role. */
export interface Holder {
  urn: string;
  name: string;
  shape: "person" | "group";
}

interface Held {
  entity: { urn: string; type?: string } | null;
}

/** Those who hold a role; what is not there any more is left out. */
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

/** What policies in force give to a role: their names, and the privileges as people know them. */
export interface Given {
  policies: string[];
  privileges: string[];
}

/** What each role is given, by its URN. Privileges without a name are shown as policies spell them. */
export function givenOf({ listPolicies, appConfig }: RolePoliciesQuery, role: string): Given {
  const config = appConfig?.policiesConfig;
  const known = [...(config?.platformPrivileges ?? []), ...(config?.resourcePrivileges ?? []).flatMap(({ privileges }) => privileges)];
  const names = new Map(known.map(({ type, displayName }) => [type, displayName || type]));
  const mine = (listPolicies?.policies ?? []).filter(({ state, actors }) => state === "ACTIVE" && (actors.roles ?? []).includes(role));
  const privileges = new Set(mine.flatMap((policy) => policy.privileges.map((type) => names.get(type) ?? type)));
  return { policies: mine.map(({ name }) => name), privileges: [...privileges].toSorted((a, b) => a.localeCompare(b)) };
}
