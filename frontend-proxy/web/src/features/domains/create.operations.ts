// Written by scripts/codegen.mjs from create.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateDomainInput, OwnerEntityType, OwnerInput, OwnershipType } from "../../lib/schema";

export type { CreateDomainInput, OwnerEntityType, OwnerInput, OwnershipType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreateDomainMutationVariables = Exact<{
  input: CreateDomainInput;
}>;

export type CreateDomainMutation = { createDomain: string | null };

export const CreateDomain = "mutation CreateDomain($input:CreateDomainInput!){createDomain(input:$input)}" as unknown as Operation<CreateDomainMutation, CreateDomainMutationVariables>;
