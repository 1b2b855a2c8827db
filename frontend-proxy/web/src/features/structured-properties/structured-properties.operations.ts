// Written by scripts/codegen.mjs from structured-properties.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AllowedValueInput, CreateStructuredPropertyInput, PropertyCardinality, StructuredPropertySettingsInput, TypeQualifierInput, UpdateStructuredPropertyInput, UpdateTypeQualifierInput } from "../../lib/schema";

export type { AllowedValueInput, CreateStructuredPropertyInput, PropertyCardinality, StructuredPropertySettingsInput, TypeQualifierInput, UpdateStructuredPropertyInput, UpdateTypeQualifierInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreatePropertyMutationVariables = Exact<{
  input: CreateStructuredPropertyInput;
}>;

export type CreatePropertyMutation = { createStructuredProperty: { urn: string } };

export type UpdatePropertyMutationVariables = Exact<{
  input: UpdateStructuredPropertyInput;
}>;

export type UpdatePropertyMutation = { updateStructuredProperty: { urn: string } };

export type DeletePropertyMutationVariables = Exact<{
  urn: string;
}>;

export type DeletePropertyMutation = { batchUpdateSoftDeleted: boolean | null, deleteStructuredProperty: boolean };

export const CreateProperty = "mutation CreateProperty($input:CreateStructuredPropertyInput!){createStructuredProperty(input:$input){urn}}" as unknown as Operation<CreatePropertyMutation, CreatePropertyMutationVariables>;

export const UpdateProperty = "mutation UpdateProperty($input:UpdateStructuredPropertyInput!){updateStructuredProperty(input:$input){urn}}" as unknown as Operation<UpdatePropertyMutation, UpdatePropertyMutationVariables>;

export const DeleteProperty = "mutation DeleteProperty($urn:String!){batchUpdateSoftDeleted(input:{urns:[$urn]deleted:true})deleteStructuredProperty(input:{urn:$urn})}" as unknown as Operation<DeletePropertyMutation, DeletePropertyMutationVariables>;
