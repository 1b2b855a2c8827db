// Written by scripts/codegen.mjs from secrets.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateSecretInput, ListSecretsInput, UpdateSecretInput } from "../../lib/schema";

export type { CreateSecretInput, ListSecretsInput, UpdateSecretInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type SecretsQueryVariables = Exact<{
  input: ListSecretsInput;
}>;

export type SecretsQuery = { listSecrets: { total: number | null, secrets: Array<{ urn: string | null, name: string | null, description: string | null } | null> | null } | null };

export type CreateSecretMutationVariables = Exact<{
  input: CreateSecretInput;
}>;

export type CreateSecretMutation = { createSecret: string | null };

export type UpdateSecretMutationVariables = Exact<{
  input: UpdateSecretInput;
}>;

export type UpdateSecretMutation = { updateSecret: string | null };

export type DeleteSecretMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteSecretMutation = { deleteSecret: string | null };

export const Secrets = "query Secrets($input:ListSecretsInput!){listSecrets(input:$input){total secrets{urn name description}}}" as unknown as Operation<SecretsQuery, SecretsQueryVariables>;

export const CreateSecret = "mutation CreateSecret($input:CreateSecretInput!){createSecret(input:$input)}" as unknown as Operation<CreateSecretMutation, CreateSecretMutationVariables>;

export const UpdateSecret = "mutation UpdateSecret($input:UpdateSecretInput!){updateSecret(input:$input)}" as unknown as Operation<UpdateSecretMutation, UpdateSecretMutationVariables>;

export const DeleteSecret = "mutation DeleteSecret($urn:String!){deleteSecret(urn:$urn)}" as unknown as Operation<DeleteSecretMutation, DeleteSecretMutationVariables>;
