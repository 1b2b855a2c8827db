// Written by scripts/codegen.mjs from sign-out.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type EndSessionsMutationVariables = Exact<{
  urn: string;
}>;

export type EndSessionsMutation = { endSessions: boolean };

export const EndSessions = "mutation EndSessions($urn:String!){endSessions(userUrn:$urn)}" as unknown as Operation<EndSessionsMutation, EndSessionsMutationVariables>;
