// Written by scripts/codegen.mjs from move.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type MayMoveQueryVariables = Exact<{
  urns: Array<string> | string;
}>;

export type MayMoveQuery = { entities: Array<{ urn: string | null, privileges?: { canManageEntity: boolean | null, canManageChildren: boolean | null } | null } | null> | null };

export const MayMove = "query MayMove($urns:[String!]!){entities(urns:$urns){urn ...on GlossaryTerm{privileges{canManageEntity}}...on GlossaryNode{privileges{canManageEntity canManageChildren}}}}" as unknown as Operation<MayMoveQuery, MayMoveQueryVariables>;
