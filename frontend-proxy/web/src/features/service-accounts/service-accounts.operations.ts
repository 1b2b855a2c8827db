// Written by scripts/codegen.mjs from service-accounts.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Details of a service account to be created. */
export type CreateServiceAccountInput = {
  /** Name shown to users; may be absent. */
  displayName?: string | null | undefined;
  /** What the service account is for. */
  description?: string | null | undefined;
};

/** Page and query for listing service accounts. */
export type ListServiceAccountsInput = {
  /** Number of accounts to skip; 0 by default. */
  start?: number | null | undefined;
  /** Page size; 10 by default. */
  count?: number | null | undefined;
  /** Search text; absent or empty lists all. */
  query?: string | null | undefined;
};

export type ServiceAccountsQueryVariables = Exact<{
  input: ListServiceAccountsInput;
}>;


export type ServiceAccountsQuery = { listServiceAccounts: { total: number, serviceAccounts: Array<{ urn: string, name: string, displayName: string | null, description: string | null, createdBy: string | null, createdAt: number | null }> } };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type CreateServiceAccountMutation = { createServiceAccount: { urn: string } };

export type DeleteServiceAccountMutationVariables = Exact<{
  urn: string;
}>;


export type DeleteServiceAccountMutation = { deleteServiceAccount: boolean };

export const ServiceAccounts = "query ServiceAccounts($input:ListServiceAccountsInput!){listServiceAccounts(input:$input){total serviceAccounts{urn name displayName description createdBy createdAt}}}" as unknown as Operation<ServiceAccountsQuery, ServiceAccountsQueryVariables>;

export const CreateServiceAccount = "mutation CreateServiceAccount($input:CreateServiceAccountInput!){createServiceAccount(input:$input){urn}}" as unknown as Operation<CreateServiceAccountMutation, CreateServiceAccountMutationVariables>;

export const DeleteServiceAccount = "mutation DeleteServiceAccount($urn:String!){deleteServiceAccount(urn:$urn)}" as unknown as Operation<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables>;
