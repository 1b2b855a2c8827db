// Written by scripts/codegen.mjs from govern.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddOwnerInput, AndFilterInput, DescriptionUpdateInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerEntityType, OwnershipType, RemoveOwnerInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateNameInput } from "../../lib/schema";

export type { AddOwnerInput, AndFilterInput, DescriptionUpdateInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerEntityType, OwnershipType, RemoveOwnerInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateNameInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ListedFragment = { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, fields?: { fields: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, terms?: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null, dataFlow?: { platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null };

export type TermUrnsFragment = { terms: Array<{ term: { urn: string | null } | null } | null> | null };

export type AssetsOfQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type AssetsOfQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, fields?: { fields: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, terms?: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null, dataFlow?: { platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null } | null } | null> | null } | null };

export type ProductAssetsOfQueryVariables = Exact<{
  urn: string;
  input: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type ProductAssetsOfQuery = { listDataProductAssets: { total: number | null, searchResults: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, fields?: { fields: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, terms?: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null, dataFlow?: { platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null } | null } | null> | null } | null };

export type OwnersOfQueryVariables = Exact<{
  urn: string;
}>;

export type OwnersOfQuery = { entity: { urn: string | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null } | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string | null, info: { name: string | null } | null } | null> | null } | null };

export type AddAnOwnerMutationVariables = Exact<{
  input: AddOwnerInput;
}>;

export type AddAnOwnerMutation = { addOwner: boolean | null };

export type RemoveAnOwnerMutationVariables = Exact<{
  input: RemoveOwnerInput;
}>;

export type RemoveAnOwnerMutation = { removeOwner: boolean | null };

export type RenameMutationVariables = Exact<{
  input: UpdateNameInput;
}>;

export type RenameMutation = { updateName: boolean | null };

export type DescribeMutationVariables = Exact<{
  input: DescriptionUpdateInput;
}>;

export type DescribeMutation = { updateDescription: boolean | null };

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };

export type PlatformNameFragment = { urn: string | null, name: string | null, properties: { displayName: string | null } | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export const AssetsOf = "query AssetsOf($input:SearchAcrossEntitiesInput!$columns:Boolean!){searchAcrossEntities(input:$input){total searchResults{entity{...Listed}}}}fragment Listed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}ownership{...Owners}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{...TermUrns}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{...TermUrns}}}terms:glossaryTerms@include(if:$columns){...TermUrns}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on Dashboard{properties{name}platform{...PlatformName}ownership{...Owners}}...on Chart{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataFlow{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataJob{properties{name}ownership{...Owners}dataFlow{platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataProduct{properties{name}ownership{...Owners}}...on Application{properties{name}ownership{...Owners}}...on Domain{properties{name}ownership{...Owners}}...on GlossaryTerm{properties{name}ownership{...Owners}}...on GlossaryNode{properties{name}ownership{...Owners}}...on Tag{properties{name}ownership{...Owners}}...on BusinessAttribute{properties{name}ownership{...Owners}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}}fragment TermUrns on GlossaryTerms{terms{term{urn}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<AssetsOfQuery, AssetsOfQueryVariables>;

export const ProductAssetsOf = "query ProductAssetsOf($urn:String!$input:SearchAcrossEntitiesInput!$columns:Boolean!){listDataProductAssets(urn:$urn input:$input){total searchResults{entity{...Listed}}}}fragment Listed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}ownership{...Owners}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{...TermUrns}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{...TermUrns}}}terms:glossaryTerms@include(if:$columns){...TermUrns}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on Dashboard{properties{name}platform{...PlatformName}ownership{...Owners}}...on Chart{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataFlow{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataJob{properties{name}ownership{...Owners}dataFlow{platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataProduct{properties{name}ownership{...Owners}}...on Application{properties{name}ownership{...Owners}}...on Domain{properties{name}ownership{...Owners}}...on GlossaryTerm{properties{name}ownership{...Owners}}...on GlossaryNode{properties{name}ownership{...Owners}}...on Tag{properties{name}ownership{...Owners}}...on BusinessAttribute{properties{name}ownership{...Owners}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}}fragment TermUrns on GlossaryTerms{terms{term{urn}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}" as unknown as Operation<ProductAssetsOfQuery, ProductAssetsOfQueryVariables>;

export const OwnersOf = "query OwnersOf($urn:String!){entity(urn:$urn){urn ...on Tag{ownership{...Owners}}...on GlossaryTerm{ownership{...Owners}}...on GlossaryNode{ownership{...Owners}}...on Domain{ownership{...Owners}}...on DataProduct{ownership{...Owners}}...on Application{ownership{...Owners}}}listOwnershipTypes(input:{start:0 count:100}){ownershipTypes{urn info{name}}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<OwnersOfQuery, OwnersOfQueryVariables>;

export const AddAnOwner = "mutation AddAnOwner($input:AddOwnerInput!){addOwner(input:$input)}" as unknown as Operation<AddAnOwnerMutation, AddAnOwnerMutationVariables>;

export const RemoveAnOwner = "mutation RemoveAnOwner($input:RemoveOwnerInput!){removeOwner(input:$input)}" as unknown as Operation<RemoveAnOwnerMutation, RemoveAnOwnerMutationVariables>;

export const Rename = "mutation Rename($input:UpdateNameInput!){updateName(input:$input)}" as unknown as Operation<RenameMutation, RenameMutationVariables>;

export const Describe = "mutation Describe($input:DescriptionUpdateInput!){updateDescription(input:$input)}" as unknown as Operation<DescribeMutation, DescribeMutationVariables>;
