// Written by scripts/codegen.mjs from entry-tabs.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { RelatedTermsInput, RemoveLinkInput, TermRelationshipType } from "../../lib/schema";

export type { RelatedTermsInput, RemoveLinkInput, TermRelationshipType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type HistoryOfQueryVariables = Exact<{
  urn: string;
}>;

export type HistoryOfQuery = { getTimeline: { changeTransactions: Array<{ timestampMillis: number | null, actor: string | null, changes: Array<{ description: string | null } | null> | null } | null> | null } | null };

export type RelateMutationVariables = Exact<{
  input: RelatedTermsInput;
}>;

export type RelateMutation = { addRelatedTerms: boolean | null };

export type UnrelateMutationVariables = Exact<{
  input: RelatedTermsInput;
}>;

export type UnrelateMutation = { removeRelatedTerms: boolean | null };

export type RemoveALinkMutationVariables = Exact<{
  input: RemoveLinkInput;
}>;

export type RemoveALinkMutation = { removeLink: boolean | null };

export const HistoryOf = "query HistoryOf($urn:String!){getTimeline(input:{urn:$urn}){changeTransactions{timestampMillis actor changes{description}}}}" as unknown as Operation<HistoryOfQuery, HistoryOfQueryVariables>;

export const Relate = "mutation Relate($input:RelatedTermsInput!){addRelatedTerms(input:$input)}" as unknown as Operation<RelateMutation, RelateMutationVariables>;

export const Unrelate = "mutation Unrelate($input:RelatedTermsInput!){removeRelatedTerms(input:$input)}" as unknown as Operation<UnrelateMutation, UnrelateMutationVariables>;

export const RemoveALink = "mutation RemoveALink($input:RemoveLinkInput!){removeLink(input:$input)}" as unknown as Operation<RemoveALinkMutation, RemoveALinkMutationVariables>;
