import { listIn, numberIn, textIn, textsIn } from "../../lib/answer";
import { rowEntitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { assetIn, assetTypesIn, platformIn } from "../../lib/privileges";
import { send } from "../../lib/request";
import { keyOf, privilegeName } from "../../lib/text";
import { draftOf, type Draft, type Info } from "../../shared/policies/policy";
import type { Vocabulary } from "../../shared/policies/words";
import type { HeldRoleFragment, ProfileQuery } from "./profile.operations";

type User = NonNullable<NonNullable<ProfileQuery["me"]>["corpUser"]>;

/** The current user. */
export interface Me {
  urn: string;
  username: string;
  name: string;
  title: string;
  about: string;
  teams: string[];
  email: string;
  roles: Held[];
  groups: Group[];
  /** The number of groups that are not listed. */
  moreGroups: number;
}

/** Reads the current user; undefined without a URN. */
export function meIn(user: User | null | undefined): Me | undefined {
  const urn = textIn(user?.urn);
  const own = user?.editableProperties;
  return user && urn
    ? {
        urn,
        username: textIn(user.username),
        name: nameIn({ ...user, urn }),
        title: textIn(own?.title) || textIn(user.properties?.title),
        about: textIn(own?.aboutMe),
        teams: textsIn(own?.teams),
        email: textIn(own?.email) || textIn(user.properties?.email),
        roles: heldBy(user),
        groups: groupsOf(user),
        moreGroups: Math.max(0, (numberIn(user.groups?.total) ?? 0) - listIn(user.groups?.relationships).length),
      }
    : undefined;
}

/** A role of a user. */
export interface Held {
  urn: string;
  name: string;
  description: string;
  /** The name of the group that has the role; null if the user has it directly. */
  by: string | null;
}

type Related = { relationships: readonly ({ entity: HeldRoleFragment | null } | null)[] | null } | null | undefined;

const rolesIn = (related: Related, by: string | null): Held[] =>
  rowEntitiesIn(related?.relationships).map(({ urn, name, description }) => ({ urn, name: textIn(name) || keyOf(urn), description: textIn(description), by }));

export interface Group {
  urn: string;
  name: string;
}

/** The groups of a user, sorted by name, without duplicates. */
export const groupsOf = ({ groups }: Pick<User, "groups">): Group[] =>
  [...new Map(rowEntitiesIn(groups?.relationships).map((group) => [group.urn, { urn: group.urn, name: nameIn(group) }])).values()].toSorted((a, b) => a.name.localeCompare(b.name));

/** The roles of a user without duplicates; directly assigned ones come first. */
export function heldBy({ roles, groups }: Pick<User, "roles" | "groups">): Held[] {
  const all = [...rolesIn(roles, null), ...rowEntitiesIn(groups?.relationships).flatMap((group) => rolesIn(group.roles, nameIn(group)))];
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
  const offered = appConfig?.policiesConfig;
  const ids = own.flatMap(({ draft }) => draft.privileges.map((type) => ({ type, name: privilegeName(type) })));
  return { privileges: new Map([...ids, ...platformIn(offered), ...assetIn(offered)].map(({ type, name }) => [type, name])), types: assetTypesIn(offered) };
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
