// Written by scripts/codegen.mjs from sign-in.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type TakeRoleMutationVariables = Exact<{
  token: string;
}>;

export type TakeRoleMutation = { acceptRole: boolean | null };

export const TakeRole = "mutation TakeRole($token:String!){acceptRole(input:{inviteToken:$token})}" as unknown as Operation<TakeRoleMutation, TakeRoleMutationVariables>;
