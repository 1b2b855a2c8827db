// Written by scripts/codegen.mjs from tags.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, CreateTagInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerUpdate, OwnershipType, OwnershipUpdate, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, TagUpdateInput } from "../../lib/schema";

export type { AndFilterInput, CreateTagInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerUpdate, OwnershipType, OwnershipUpdate, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, TagUpdateInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ListedTagFragment = { urn: string | null, properties: { name: string | null, description: string | null, colorHex: string | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, uses: { total: number | null } | null };

export type TagsQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
  made: Array<string> | string;
}>;

export type TagsQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, properties?: { name: string | null, description: string | null, colorHex: string | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, uses?: { total: number | null } | null } | null } | null> | null } | null, entities: Array<{ urn?: string | null, properties?: { name: string | null, description: string | null, colorHex: string | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, uses?: { total: number | null } | null } | null> | null };

export type CreateTagMutationVariables = Exact<{
  input: CreateTagInput;
}>;

export type CreateTagMutation = { createTag: string | null };

export type UpdateTagMutationVariables = Exact<{
  urn: string;
  input: TagUpdateInput;
}>;

export type UpdateTagMutation = { updateTag: { urn: string | null } | null };

export type ColourTagMutationVariables = Exact<{
  urn: string;
  colour: string;
}>;

export type ColourTagMutation = { setTagColor: boolean | null };

export type DeleteTagMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteTagMutation = { deleteTag: boolean | null };

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };

export const Tags = "query Tags($input:SearchAcrossEntitiesInput!$made:[String!]!){searchAcrossEntities(input:$input){total searchResults{entity{...ListedTag}}}entities(urns:$made checkForExistence:true){...ListedTag}}fragment ListedTag on Tag{urn properties{name description colorHex}ownership{...Owners}uses:relationships(input:{types:[\"TaggedWith\" \"SchemaFieldTaggedWith\" \"EditableSchemaFieldTaggedWith\"]direction:INCOMING count:1}){total}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<TagsQuery, TagsQueryVariables>;

export const CreateTag = "mutation CreateTag($input:CreateTagInput!){createTag(input:$input)}" as unknown as Operation<CreateTagMutation, CreateTagMutationVariables>;

export const UpdateTag = "mutation UpdateTag($urn:String!$input:TagUpdateInput!){updateTag(urn:$urn input:$input){urn}}" as unknown as Operation<UpdateTagMutation, UpdateTagMutationVariables>;

export const ColourTag = "mutation ColourTag($urn:String!$colour:String!){setTagColor(urn:$urn colorHex:$colour)}" as unknown as Operation<ColourTagMutation, ColourTagMutationVariables>;

export const DeleteTag = "mutation DeleteTag($urn:String!){deleteTag(urn:$urn)}" as unknown as Operation<DeleteTagMutation, DeleteTagMutationVariables>;
