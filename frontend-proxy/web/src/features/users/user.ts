import type { Privileges } from "../../shared/session/session";
import { groupName } from "../../lib/people";
import { keyOf } from "../../lib/text";
import type { UsersQueryVariables, UsersToResetQuery } from "./users.operations";

export type User = NonNullable<UsersToResetQuery["listUsers"]>["users"][number];

export interface Role {
  urn: string;
  name: string;
}

/** The page size of the list. */
export const size = 25;

export type State = "all" | "active" | "suspended";

/** The state in an address; all for an invalid one. */
export const stateOf = (text: string): State => (text === "active" || text === "suspended" ? text : "all");

const isSuspended = (negated: boolean) => [{ and: [{ field: "status", values: ["SUSPENDED"], ...(negated ? { negated } : {}) }] }];

/** The variables for a page of users and for the counts by state. */
export function questionOf(text: string, state: State, start: number): UsersQueryVariables {
  const query = text.trim() || "*";
  const flags = { skipHighlighting: true };
  const counted = { query, count: 0, searchFlags: flags };
  return {
    page: {
      query,
      start,
      count: size,
      searchFlags: flags,
      ...(state === "all" ? {} : { orFilters: isSuspended(state === "active") }),
      // Without a search text all users match equally, and paging requires an order.
      ...(query === "*" ? { sortInput: { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" as const }] } } : {}),
    },
    all: counted,
    suspended: { ...counted, orFilters: isSuspended(false) },
  };
}

interface Related {
  relationships: readonly { entity: { urn: string } | null }[];
}

const entitiesOf = (related: Related | null) => (related?.relationships ?? []).flatMap(({ entity }) => (entity ? [entity] : []));

/** The directly assigned roles of a user. */
export const rolesOf = (user: Pick<User, "roles">): Role[] =>
  entitiesOf(user.roles).map((role) => ({ urn: role.urn, name: ("roleName" in role && typeof role.roleName === "string" && role.roleName) || keyOf(role.urn) }));

/** The names of the groups of a user, and the number of further groups. */
export function groupsOf({ groups }: Pick<User, "groups">): { names: string[]; more: number } {
  const all = entitiesOf(groups);
  const names = all.map((group) => groupName(group)).toSorted((a, b) => a.localeCompare(b));
  return { names, more: Math.max(0, (groups?.total ?? 0) - all.length) };
}

/** The reasons why the current user may not perform actions on a user; null for allowed actions. */
export interface Hindrances {
  role: string | null;
  suspend: string | null;
  reset: string | null;
  signOut: string | null;
  remove: string | null;
}

const needs = (privilege: string) => `You need the privilege ${privilege}.`;

/** Determines the hindrances for a user from the privileges of the current user. */
export function hindrancesOf(user: Pick<User, "urn" | "isNativeUser">, me: string, may: Partial<Privileges>): Hindrances {
  const identities = may.manageIdentities ? null : needs("Manage Users & Groups");
  const myself = user.urn === me ? "This is you. Another administrator can do it." : null;
  return {
    role: may.managePolicies ? null : needs("Manage Policies"),
    suspend: identities ?? myself,
    reset: may.manageUserCredentials ? (user.isNativeUser === true ? null : "There is no password here: they sign in elsewhere.") : needs("Manage User Credentials"),
    signOut: may.manageUserCredentials || user.urn === me ? null : needs("Manage User Credentials"),
    remove: identities ?? myself,
  };
}
