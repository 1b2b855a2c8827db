import type { Privileges } from "../../shared/session/session";
import { numberIn, textIn } from "../../lib/answer";
import { entitiesIn, rowEntitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { keyOf } from "../../lib/text";
import type { ListedFragment, RoleNamesQuery, UsersQuery, UsersQueryVariables, UsersToResetQuery } from "./users.operations";

/** A user in the list. */
export interface User {
  urn: string;
  name: string;
  username: string;
  /** Empty for a user who was never suspended. */
  status: string;
  isNativeUser: boolean;
  /** The directly assigned roles. */
  roles: Role[];
  groups: { names: string[]; more: number };
  /** The URNs of the groups. A change of one of them refreshes the list. */
  related: string[];
}

export interface Role {
  urn: string;
  name: string;
}

/** A page of users. */
export interface Found {
  users: User[];
  total: number;
  /** The number of users by state, if the server reports it. */
  counts: Record<State, number> | null;
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

const named = (role: { urn: string; name?: string | null }): Role => ({ urn: role.urn, name: textIn(role.name) || keyOf(role.urn) });

/** The roles in a response. */
export const roleNamesIn = ({ listRoles }: RoleNamesQuery): Role[] => entitiesIn(listRoles?.roles).map(named);

/** The directly assigned roles of a user. */
export const rolesOf = ({ roles }: Partial<Pick<ListedFragment, "roles">>): Role[] => rowEntitiesIn(roles?.relationships).map(named);

/** The names of the groups of a user, and the number of further groups. */
export function groupsOf({ groups }: Partial<Pick<ListedFragment, "groups">>): User["groups"] {
  const all = rowEntitiesIn(groups?.relationships);
  const names = all.map((group) => nameIn(group)).toSorted((a, b) => a.localeCompare(b));
  return { names, more: Math.max(0, (numberIn(groups?.total) ?? 0) - all.length) };
}

const usersIn = (list: readonly (Partial<ListedFragment> | null)[] | null | undefined): User[] =>
  entitiesIn(list).map((user) => ({
    urn: user.urn,
    name: nameIn(user),
    username: textIn(user.username),
    status: textIn(user.status),
    isNativeUser: user.isNativeUser === true,
    roles: rolesOf(user),
    groups: groupsOf(user),
    related: rowEntitiesIn(user.groups?.relationships).map(({ urn }) => urn),
  }));

/** Reads the users that match a search, and the counts by state. */
export function foundIn({ page, all, suspended }: UsersQuery): Found {
  const every = numberIn(all?.total) ?? 0;
  const out = numberIn(suspended?.total) ?? 0;
  // Entities that the actor may not view have no user name.
  const users = rowEntitiesIn(page?.searchResults).filter(({ username }) => username !== undefined);
  return { users: usersIn(users), total: numberIn(page?.total) ?? 0, counts: { all: every, active: every - out, suspended: out } };
}

/** Reads the plain list of users. */
export const plainIn = ({ listUsers }: UsersToResetQuery): Found => ({ users: usersIn(listUsers?.users), total: numberIn(listUsers?.total) ?? 0, counts: null });

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
    reset: may.manageUserCredentials ? (user.isNativeUser ? null : "There is no password here: they sign in elsewhere.") : needs("Manage User Credentials"),
    signOut: may.manageUserCredentials || user.urn === me ? null : needs("Manage User Credentials"),
    remove: identities ?? myself,
  };
}
