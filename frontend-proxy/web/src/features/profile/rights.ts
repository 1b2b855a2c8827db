import { groupName } from "../../lib/people";
import { send } from "../../lib/request";
import { keyOf, privilegeName } from "../../lib/text";
import { draftOf, type Draft, type Info } from "../../shared/policies/policy";
import type { Vocabulary } from "../../shared/policies/words";
import type { ProfileQuery } from "./profile.operations";

export type Me = NonNullable<ProfileQuery["me"]>["corpUser"];

/** A role of a user. */
export interface Held {
  urn: string;
  name: string;
  description: string;
  /** The name of the group that has the role; null if the user has it directly. */
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

/** The groups of a user, sorted by name, without duplicates. */
export const groupsOf = (me: Pick<Me, "groups">): Group[] =>
  [...new Map(groupEntities(me).map((group) => [group.urn, { urn: group.urn, name: groupName(group) }])).values()].toSorted((a, b) => a.name.localeCompare(b.name));

/** The roles of a user without duplicates; directly assigned ones come first. */
export function heldBy(me: Pick<Me, "roles" | "groups">): Held[] {
  const all = [...rolesIn(me.roles as Related | null, null), ...groupEntities(me).flatMap((group) => rolesIn(group.roles, groupName(group)))];
  return all.filter((held, i) => all.findIndex(({ urn }) => urn === held.urn) === i);
}

interface OwnPolicies {
  policies: { urn: string; info: Info }[];
  total: number;
}

/** A policy that grants the user privileges. Its actors are reduced to the user, the user's groups and roles. */
export interface Own {
  urn: string;
  draft: Draft;
}

export const ownPath = "/openapi/v1/access/policies";

/** Reads the policies that grant the current user privileges. */
export async function readOwn(signal?: AbortSignal): Promise<{ own: Own[]; total: number }> {
  const { policies, total } = await send<OwnPolicies>(ownPath, { signal });
  return { own: policies.map(({ urn, info }) => ({ urn, draft: draftOf(info) })), total };
}

/**
 * The titles of privileges and asset types. The title of a privilege that the server does not offer is derived from
 * its id.
 */
export function titlesIn({ appConfig }: Pick<ProfileQuery, "appConfig">, own: readonly Own[]): Omit<Vocabulary, "names"> {
  const { platformPrivileges = [], resourcePrivileges = [] } = appConfig?.policiesConfig ?? {};
  const ids = own.flatMap(({ draft }) => draft.privileges.map((type) => ({ type, displayName: null })));
  const told = [...ids, ...platformPrivileges, ...resourcePrivileges.flatMap(({ privileges }) => privileges)];
  return {
    privileges: new Map(told.map(({ type, displayName }) => [type, displayName || privilegeName(type)])),
    types: new Map(resourcePrivileges.map(({ resourceType, resourceTypeDisplayName }) => [resourceType, resourceTypeDisplayName ?? resourceType])),
  };
}

/** The search for assets of a user and the user's groups, most used first. */
export const ownedBy = (urns: readonly string[]) => ({
  query: "*",
  start: 0,
  count: 5,
  searchFlags: { skipAggregates: true },
  sortInput: { sortCriteria: [{ field: "uniqueUserCountLast30Days", sortOrder: "DESCENDING" as const }] },
  orFilters: [{ and: [{ field: "owners", values: [...urns] }] }],
});

/** Parses team names separated by commas. */
export const teamsOf = (text: string) => [...new Set(text.split(",").map((team) => team.trim()).filter(Boolean))];
