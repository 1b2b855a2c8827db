// Written by scripts/codegen.mjs from removed.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ExistsQueryVariables = Exact<{
  urn: string;
}>;

export type ExistsQuery = { entityExists: boolean | null };

export const Exists = "query Exists($urn:String!){entityExists(urn:$urn)}" as unknown as Operation<ExistsQuery, ExistsQueryVariables>;
