// Written by scripts/codegen.mjs from people-picker.graphql and the schema; not to be edited.
import type { Operation } from "../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Paging and search text for a list of users. */
export type ListUsersInput = {
  /** Offset of the first user to return; default 0. */
  start?: number | null | undefined;
  /** Largest number of users to return; default 20. */
  count?: number | null | undefined;
  /** Search text that users must match; empty means all users. */
  query?: string | null | undefined;
};

export type PeopleToPickQueryVariables = Exact<{
  input: ListUsersInput;
}>;


export type PeopleToPickQuery = { listUsers: { total: number, users: Array<{ urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }> } | null };

export const PeopleToPick = "query PeopleToPick($input:ListUsersInput!){listUsers(input:$input){total users{urn username properties{displayName fullName}editableProperties{displayName}}}}" as unknown as Operation<PeopleToPickQuery, PeopleToPickQueryVariables>;
