import { groupName } from "../../lib/people";
import { send } from "../../lib/request";
import { keyOf, privilegeName } from "../../lib/text";
import { draftOf, type Draft, type Info } from "../../shared/policies/policy";
import type { Vocabulary } from "../../shared/policies/words";
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

interface OwnPolicies {
  policies: { urn: string; info: Info }[];
  total: number;
}

/** A policy that grants somebody something, with those of its people, groups and roles alone that they are or belong to. */
export interface Own {
  urn: string;
  draft: Draft;
}

export const ownPath = "/openapi/v1/access/policies";

/** Reads the policies that grant the caller something. */
export async function readOwn(signal?: AbortSignal): Promise<{ own: Own[]; total: number }> {
  const { policies, total } = await send<OwnPolicies>(ownPath, { signal });
  return { own: policies.map(({ urn, info }) => ({ urn, draft: draftOf(info) })), total };
}

/** What privileges and types of assets are called; privileges that are not offered, by names made of their ids. */
export function titlesIn({ appConfig }: Pick<ProfileQuery, "appConfig">, own: readonly Own[]): Omit<Vocabulary, "names"> {
  const { platformPrivileges = [], resourcePrivileges = [] } = appConfig?.policiesConfig ?? {};
  const ids = own.flatMap(({ draft }) => draft.privileges.map((type) => ({ type, displayName: null })));
  const told = [...ids, ...platformPrivileges, ...resourcePrivileges.flatMap(({ privileges }) => privileges)];
  return {
    privileges: new Map(told.map(({ type, displayName }) => [type, displayName || privilegeName(type)])),
    types: new Map(resourcePrivileges.map(({ resourceType, resourceTypeDisplayName }) => [resourceType, resourceTypeDisplayName ?? resourceType])),
  };
}

/** The search for what somebody owns, by themselves or by a group, the most used first. */
export const ownedBy = (urns: readonly string[]) => ({
  query: "*",
  start: 0,
  count: 5,
  searchFlags: { skipAggregates: true },
  sortInput: { sortCriteria: [{ field: "uniqueUserCountLast30Days", sortOrder: "DESCENDING" as const }] },
  orFilters: [{ and: [{ field: "owners", values: [...urns] }] }],
});

/** Teams as people type them, apart by commas. */
export const teamsOf = (text: string) => [...new Set(text.split(",").map((team) => team.trim()).filter(Boolean))];
