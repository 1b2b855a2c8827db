// Written by scripts/codegen.mjs from people-picker.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { ListUsersInput } from "../../lib/schema";

export type { ListUsersInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type PeopleToPickQueryVariables = Exact<{
  input: ListUsersInput;
}>;

export type PeopleToPickQuery = { listUsers: { total: number | null, users: Array<{ urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null> | null } | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export const PeopleToPick = "query PeopleToPick($input:ListUsersInput!){listUsers(input:$input){total users{urn ...PersonName}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}" as unknown as Operation<PeopleToPickQuery, PeopleToPickQueryVariables>;
