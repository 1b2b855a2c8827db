// Written by scripts/codegen.mjs from products.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, UpdateApplicationInput, UpdateDataProductInput } from "../../lib/schema";

export type { AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, UpdateApplicationInput, UpdateDataProductInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CollectionsQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type CollectionsQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, product?: { name: string | null, description: string | null, numAssets: number | null } | null, domain?: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, application?: { name: string | null, description: string | null, numAssets: number | null } | null } | null } | null> | null } | null };

export type UpdateProductMutationVariables = Exact<{
  urn: string;
  input: UpdateDataProductInput;
}>;

export type UpdateProductMutation = { updateDataProduct: { urn: string | null } | null };

export type DeleteProductMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteProductMutation = { deleteDataProduct: boolean | null };

export type UpdateApplicationMutationVariables = Exact<{
  urn: string;
  input: UpdateApplicationInput;
}>;

export type UpdateApplicationMutation = { updateApplication: { urn: string | null } | null };

export type DeleteApplicationMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteApplicationMutation = { deleteApplication: boolean | null };

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };

export type ListedProductFragment = { urn: string | null, product: { name: string | null, description: string | null, numAssets: number | null } | null, domain: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null };

export type ListedApplicationFragment = { urn: string | null, application: { name: string | null, description: string | null, numAssets: number | null } | null, domain: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null };

export const Collections = "query Collections($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...ListedProduct ...ListedApplication}}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}fragment ListedProduct on DataProduct{urn product:properties{name description numAssets}domain{domain{urn properties{name}}}ownership{...Owners}}fragment ListedApplication on Application{urn application:properties{name description numAssets}domain{domain{urn properties{name}}}ownership{...Owners}}" as unknown as Operation<CollectionsQuery, CollectionsQueryVariables>;

export const UpdateProduct = "mutation UpdateProduct($urn:String!$input:UpdateDataProductInput!){updateDataProduct(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateProductMutation, UpdateProductMutationVariables>;

export const DeleteProduct = "mutation DeleteProduct($urn:String!){deleteDataProduct(urn:$urn)}" as unknown as Operation<DeleteProductMutation, DeleteProductMutationVariables>;

export const UpdateApplication = "mutation UpdateApplication($urn:String!$input:UpdateApplicationInput!){updateApplication(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateApplicationMutation, UpdateApplicationMutationVariables>;

export const DeleteApplication = "mutation DeleteApplication($urn:String!){deleteApplication(urn:$urn)}" as unknown as Operation<DeleteApplicationMutation, DeleteApplicationMutationVariables>;
