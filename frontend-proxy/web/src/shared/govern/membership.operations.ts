// Written by scripts/codegen.mjs from membership.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { BatchAddTagsInput, BatchRemoveTagsInput, BatchSetApplicationInput, BatchSetDataProductInput, BatchSetDomainInput, BatchUnsetApplicationInput, ResourceRefInput, SubResourceType } from "../../lib/schema";

export type { BatchAddTagsInput, BatchRemoveTagsInput, BatchSetApplicationInput, BatchSetDataProductInput, BatchSetDomainInput, BatchUnsetApplicationInput, ResourceRefInput, SubResourceType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type PutIntoDomainMutationVariables = Exact<{
  input: BatchSetDomainInput;
}>;

export type PutIntoDomainMutation = { batchSetDomain: boolean | null };

export type PutIntoProductMutationVariables = Exact<{
  input: BatchSetDataProductInput;
}>;

export type PutIntoProductMutation = { batchSetDataProduct: boolean | null };

export type PutIntoApplicationMutationVariables = Exact<{
  input: BatchSetApplicationInput;
}>;

export type PutIntoApplicationMutation = { batchSetApplication: boolean | null };

export type TakeOutOfApplicationMutationVariables = Exact<{
  input: BatchUnsetApplicationInput;
}>;

export type TakeOutOfApplicationMutation = { batchUnsetApplication: boolean | null };

export type PutTagOnMutationVariables = Exact<{
  input: BatchAddTagsInput;
}>;

export type PutTagOnMutation = { batchAddTags: boolean | null };

export type TakeTagOffMutationVariables = Exact<{
  input: BatchRemoveTagsInput;
}>;

export type TakeTagOffMutation = { batchRemoveTags: boolean | null };

export type MoveApplicationUpMutationVariables = Exact<{
  urn: string;
}>;

export type MoveApplicationUpMutation = { updateApplication: { urn: string } | null };

export const PutIntoDomain = "mutation PutIntoDomain($input:BatchSetDomainInput!){batchSetDomain(input:$input)}" as unknown as Operation<PutIntoDomainMutation, PutIntoDomainMutationVariables>;

export const PutIntoProduct = "mutation PutIntoProduct($input:BatchSetDataProductInput!){batchSetDataProduct(input:$input)}" as unknown as Operation<PutIntoProductMutation, PutIntoProductMutationVariables>;

export const PutIntoApplication = "mutation PutIntoApplication($input:BatchSetApplicationInput!){batchSetApplication(input:$input)}" as unknown as Operation<PutIntoApplicationMutation, PutIntoApplicationMutationVariables>;

export const TakeOutOfApplication = "mutation TakeOutOfApplication($input:BatchUnsetApplicationInput!){batchUnsetApplication(input:$input)}" as unknown as Operation<TakeOutOfApplicationMutation, TakeOutOfApplicationMutationVariables>;

export const PutTagOn = "mutation PutTagOn($input:BatchAddTagsInput!){batchAddTags(input:$input)}" as unknown as Operation<PutTagOnMutation, PutTagOnMutationVariables>;

export const TakeTagOff = "mutation TakeTagOff($input:BatchRemoveTagsInput!){batchRemoveTags(input:$input)}" as unknown as Operation<TakeTagOffMutation, TakeTagOffMutationVariables>;

export const MoveApplicationUp = "mutation MoveApplicationUp($urn:String!){updateApplication(urn:$urn input:{parentApplication:\"\"}){urn}}" as unknown as Operation<MoveApplicationUpMutation, MoveApplicationUpMutationVariables>;
