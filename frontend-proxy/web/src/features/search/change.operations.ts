// Written by scripts/codegen.mjs from change.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { BatchAddOwnersInput, BatchAddTagsInput, BatchAddTermsInput, BatchSetDomainInput, BatchUpdateDeprecationInput, OwnerEntityType, OwnerInput, OwnershipType, ResourceRefInput, SubResourceType } from "../../lib/schema";

export type { BatchAddOwnersInput, BatchAddTagsInput, BatchAddTermsInput, BatchSetDomainInput, BatchUpdateDeprecationInput, OwnerEntityType, OwnerInput, OwnershipType, ResourceRefInput, SubResourceType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type AddTagsMutationVariables = Exact<{
  input: BatchAddTagsInput;
}>;

export type AddTagsMutation = { batchAddTags: boolean | null };

export type AddTermsMutationVariables = Exact<{
  input: BatchAddTermsInput;
}>;

export type AddTermsMutation = { batchAddTerms: boolean | null };

export type AddOwnersMutationVariables = Exact<{
  input: BatchAddOwnersInput;
}>;

export type AddOwnersMutation = { batchAddOwners: boolean | null };

export type SetDomainMutationVariables = Exact<{
  input: BatchSetDomainInput;
}>;

export type SetDomainMutation = { batchSetDomain: boolean | null };

export type SetDeprecationMutationVariables = Exact<{
  input: BatchUpdateDeprecationInput;
}>;

export type SetDeprecationMutation = { batchUpdateDeprecation: boolean | null };

export const AddTags = "mutation AddTags($input:BatchAddTagsInput!){batchAddTags(input:$input)}" as unknown as Operation<AddTagsMutation, AddTagsMutationVariables>;

export const AddTerms = "mutation AddTerms($input:BatchAddTermsInput!){batchAddTerms(input:$input)}" as unknown as Operation<AddTermsMutation, AddTermsMutationVariables>;

export const AddOwners = "mutation AddOwners($input:BatchAddOwnersInput!){batchAddOwners(input:$input)}" as unknown as Operation<AddOwnersMutation, AddOwnersMutationVariables>;

export const SetDomain = "mutation SetDomain($input:BatchSetDomainInput!){batchSetDomain(input:$input)}" as unknown as Operation<SetDomainMutation, SetDomainMutationVariables>;

export const SetDeprecation = "mutation SetDeprecation($input:BatchUpdateDeprecationInput!){batchUpdateDeprecation(input:$input)}" as unknown as Operation<SetDeprecationMutation, SetDeprecationMutationVariables>;
