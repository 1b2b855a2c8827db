// Written by scripts/codegen.mjs from service-accounts.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateServiceAccountInput, ListServiceAccountsInput } from "../../lib/schema";

export type { CreateServiceAccountInput, ListServiceAccountsInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ServiceAccountsQueryVariables = Exact<{
  input: ListServiceAccountsInput;
}>;

export type ServiceAccountsQuery = { listServiceAccounts: { total: number | null, serviceAccounts: Array<{ urn: string | null, name: string | null, displayName: string | null, description: string | null, createdBy: string | null, createdAt: number | null } | null> | null } | null };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;

export type CreateServiceAccountMutation = { createServiceAccount: { urn: string | null } | null };

export type DeleteServiceAccountMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteServiceAccountMutation = { deleteServiceAccount: boolean | null };

export const ServiceAccounts = "query ServiceAccounts($input:ListServiceAccountsInput!){listServiceAccounts(input:$input){total serviceAccounts{urn name displayName description createdBy createdAt}}}" as unknown as Operation<ServiceAccountsQuery, ServiceAccountsQueryVariables>;

export const CreateServiceAccount = "mutation CreateServiceAccount($input:CreateServiceAccountInput!){createServiceAccount(input:$input){urn}}" as unknown as Operation<CreateServiceAccountMutation, CreateServiceAccountMutationVariables>;

export const DeleteServiceAccount = "mutation DeleteServiceAccount($urn:String!){deleteServiceAccount(urn:$urn)}" as unknown as Operation<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables>;
