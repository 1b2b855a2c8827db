import { groupName, personName } from "../../lib/people";
import { privilegesOf } from "../../lib/privileges";
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

/** What a role is given by the policies in force. */
export function givenOf({ listPolicies, appConfig }: RolePoliciesQuery, role: string): Given {
  const mine = (listPolicies?.policies ?? []).filter(({ state, actors }) => state === "ACTIVE" && (actors.roles ?? []).includes(role));
  const privileges = privilegesOf(
    mine.flatMap((policy) => policy.privileges),
    appConfig?.policiesConfig,
  );
  return { policies: mine.map(({ name }) => name), privileges: privileges.map(({ name }) => name) };
}
