// Written by scripts/codegen.mjs from create.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateGlossaryEntityInput } from "../../lib/schema";

export type { CreateGlossaryEntityInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreateTermMutationVariables = Exact<{
  input: CreateGlossaryEntityInput;
}>;

export type CreateTermMutation = { createGlossaryTerm: string | null };

export type CreateGroupOfTermsMutationVariables = Exact<{
  input: CreateGlossaryEntityInput;
}>;

export type CreateGroupOfTermsMutation = { createGlossaryNode: string | null };

export const CreateTerm = "mutation CreateTerm($input:CreateGlossaryEntityInput!){createGlossaryTerm(input:$input)}" as unknown as Operation<CreateTermMutation, CreateTermMutationVariables>;

export const CreateGroupOfTerms = "mutation CreateGroupOfTerms($input:CreateGlossaryEntityInput!){createGlossaryNode(input:$input)}" as unknown as Operation<CreateGroupOfTermsMutation, CreateGroupOfTermsMutationVariables>;
