import { groupName } from "../../lib/people";
import { privilegesOf, type Privilege } from "../../lib/privileges";
import { keyOf } from "../../lib/text";
import type { ProfileQuery } from "./profile.operations";

export type Me = NonNullable<ProfileQuery["me"]>["corpUser"];

/** A role that somebody has. */
export interface Held {
  urn: string;
  name: string;
  description: string;
  /** The group that brings it, null for one's own. */
  by: string | null;
}

interface Related {
  relationships: readonly { entity: { urn: string; roleName?: string; description?: string } | null }[];
}

const rolesIn = (related: Related | null | undefined, by: string | null): Held[] =>
  (related?.relationships ?? []).flatMap(({ entity }) => (entity ? [{ urn: entity.urn, name: entity.roleName || keyOf(entity.urn), description: entity.description ?? "", by }] : []));

export interface Group {
  urn: string;
  name: string;
}

interface WithRoles {
  urn: string;
  roles?: Related | null;
}

const groupEntities = ({ groups }: Pick<Me, "groups">) => (groups?.relationships ?? []).flatMap(({ entity }) => (entity ? [entity as WithRoles] : []));

/** The groups that somebody is in, by name, each once. */
export const groupsOf = (me: Pick<Me, "groups">): Group[] =>
  [...new Map(groupEntities(me).map((group) => [group.urn, { urn: group.urn, name: groupName(group) }])).values()].toSorted((a, b) => a.name.localeCompare(b.name));

/** The roles of somebody, own ones first, each once. */
export function heldBy(me: Pick<Me, "roles" | "groups">): Held[] {
  const all = [...rolesIn(me.roles as Related | null, null), ...groupEntities(me).flatMap((group) => rolesIn(group.roles, groupName(group)))];
  return all.filter((held, i) => all.findIndex(({ urn }) => urn === held.urn) === i);
}

/** What privileges over the catalog as a whole are called. */
export const rightsOf = ({ getGrantedPrivileges, appConfig }: Pick<ProfileQuery, "getGrantedPrivileges" | "appConfig">): Privilege[] =>
  privilegesOf(getGrantedPrivileges?.privileges ?? [], appConfig?.policiesConfig);

/** Teams as people type them, apart by commas. */
export const teamsOf = (text: string) => [...new Set(text.split(",").map((team) => team.trim()).filter(Boolean))];
