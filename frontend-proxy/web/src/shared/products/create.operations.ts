// Written by scripts/codegen.mjs from create.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreateApplicationInput, CreateApplicationPropertiesInput, CreateDataProductInput, CreateDataProductPropertiesInput } from "../../lib/schema";

export type { CreateApplicationInput, CreateApplicationPropertiesInput, CreateDataProductInput, CreateDataProductPropertiesInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreateProductMutationVariables = Exact<{
  input: CreateDataProductInput;
}>;

export type CreateProductMutation = { createDataProduct: { urn: string } | null };

export type CreateApplicationMutationVariables = Exact<{
  input: CreateApplicationInput;
}>;

export type CreateApplicationMutation = { createApplication: { urn: string } | null };

export const CreateProduct = "mutation CreateProduct($input:CreateDataProductInput!){createDataProduct(input:$input){urn}}" as unknown as Operation<CreateProductMutation, CreateProductMutationVariables>;

export const CreateApplication = "mutation CreateApplication($input:CreateApplicationInput!){createApplication(input:$input){urn}}" as unknown as Operation<CreateApplicationMutation, CreateApplicationMutationVariables>;
