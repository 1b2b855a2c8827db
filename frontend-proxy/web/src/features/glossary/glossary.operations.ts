// Written by scripts/codegen.mjs from glossary.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, BatchAddTermsInput, BatchRemoveTermsInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ResourceRefInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateParentNodeInput } from "../../lib/schema";

export type { AndFilterInput, BatchAddTermsInput, BatchRemoveTermsInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ResourceRefInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateParentNodeInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type LeafFragment = { urn: string | null, term: { name: string | null, description: string | null } | null };

export type BranchFragment = { urn: string | null, node: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null };

export type AboveFragment = { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null };

export type LevelsQueryVariables = Exact<{
  root: boolean;
  urns: Array<string> | string;
  children: ScrollAcrossEntitiesInput;
  most: number;
}>;

export type LevelsQuery = { getRootGlossaryNodes?: { total: number | null, nodes: Array<{ urn: string | null, node: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null } | null> | null } | null, getRootGlossaryTerms?: { total: number | null, terms: Array<{ urn: string | null, term: { name: string | null, description: string | null } | null } | null> | null } | null, terms?: { total: number | null } | null, entities: Array<{ urn: string | null, glossaryChildrenSearch?: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, term?: { name: string | null, description: string | null } | null, node?: { name: string | null, description: string | null } | null, childrenCount?: { termsCount: number | null, nodesCount: number | null } | null } | null } | null> | null } | null } | null> | null };

export type FindEntriesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type FindEntriesQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, node?: { name: string | null, description: string | null } | null, childrenCount?: { termsCount: number | null, nodesCount: number | null } | null, term?: { name: string | null, description: string | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, person?: { displayName: string | null, fullName: string | null } | null, edited?: { displayName: string | null } | null, name?: string | null, group?: { displayName: string | null } | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, domain?: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, parentNodes?: { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null } | null } | null> | null } | null };

export type GroupQueryVariables = Exact<{
  urn: string;
}>;

export type GroupQuery = { glossaryNode: { urn: string | null, exists: boolean | null, node: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, person?: { displayName: string | null, fullName: string | null } | null, edited?: { displayName: string | null } | null, name?: string | null, group?: { displayName: string | null } | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, domain: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, parentNodes: { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null, privileges: { canManageEntity: boolean | null, canManageChildren: boolean | null } | null, institutionalMemory: { elements: Array<{ url: string | null, label: string | null } | null> | null } | null } | null };

export type MoveEntryMutationVariables = Exact<{
  input: UpdateParentNodeInput;
}>;

export type MoveEntryMutation = { updateParentNode: boolean | null };

export type DeleteEntryMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteEntryMutation = { deleteGlossaryEntity: boolean | null };

export type PutOnMutationVariables = Exact<{
  input: BatchAddTermsInput;
}>;

export type PutOnMutation = { batchAddTerms: boolean | null };

export type TakeOffMutationVariables = Exact<{
  input: BatchRemoveTermsInput;
}>;

export type TakeOffMutation = { batchRemoveTerms: boolean | null };

export type PutInDomainMutationVariables = Exact<{
  urn: string;
  domain: string;
}>;

export type PutInDomainMutation = { setDomain: boolean | null };

export type TakeOutOfDomainMutationVariables = Exact<{
  urn: string;
}>;

export type TakeOutOfDomainMutation = { unsetDomain: boolean | null };

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, person?: { displayName: string | null, fullName: string | null } | null, edited?: { displayName: string | null } | null, name?: string | null, group?: { displayName: string | null } | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };

export const Levels = "query Levels($root:Boolean!$urns:[String!]!$children:ScrollAcrossEntitiesInput!$most:Int!){getRootGlossaryNodes(input:{start:0 count:$most})@include(if:$root){total nodes{...Branch}}getRootGlossaryTerms(input:{start:0 count:$most})@include(if:$root){total terms{...Leaf}}terms:searchAcrossEntities(input:{types:[GLOSSARY_TERM]query:\"*\" start:0 count:0 searchFlags:{skipAggregates:true}})@include(if:$root){total}entities(urns:$urns){urn ...on GlossaryNode{glossaryChildrenSearch(input:$children){total searchResults{entity{...Leaf ...Branch}}}}}}fragment Leaf on GlossaryTerm{urn term:properties{name description}}fragment Branch on GlossaryNode{urn node:properties{name description}childrenCount{termsCount nodesCount}}" as unknown as Operation<LevelsQuery, LevelsQueryVariables>;

export const FindEntries = "query FindEntries($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...Branch ...on GlossaryTerm{...Leaf ownership{...Owners}domain{domain{urn properties{name}}}parentNodes{...Above}}}}}}fragment Leaf on GlossaryTerm{urn term:properties{name description}}fragment Branch on GlossaryNode{urn node:properties{name description}childrenCount{termsCount nodesCount}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<FindEntriesQuery, FindEntriesQueryVariables>;

export const Group = "query Group($urn:String!){glossaryNode(urn:$urn){urn exists ...Branch ownership{...Owners}domain{domain{urn properties{name}}}parentNodes{...Above}privileges{canManageEntity canManageChildren}institutionalMemory{elements{url label}}}}fragment Branch on GlossaryNode{urn node:properties{name description}childrenCount{termsCount nodesCount}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<GroupQuery, GroupQueryVariables>;

export const MoveEntry = "mutation MoveEntry($input:UpdateParentNodeInput!){updateParentNode(input:$input)}" as unknown as Operation<MoveEntryMutation, MoveEntryMutationVariables>;

export const DeleteEntry = "mutation DeleteEntry($urn:String!){deleteGlossaryEntity(urn:$urn)}" as unknown as Operation<DeleteEntryMutation, DeleteEntryMutationVariables>;

export const PutOn = "mutation PutOn($input:BatchAddTermsInput!){batchAddTerms(input:$input)}" as unknown as Operation<PutOnMutation, PutOnMutationVariables>;

export const TakeOff = "mutation TakeOff($input:BatchRemoveTermsInput!){batchRemoveTerms(input:$input)}" as unknown as Operation<TakeOffMutation, TakeOffMutationVariables>;

export const PutInDomain = "mutation PutInDomain($urn:String!$domain:String!){setDomain(entityUrn:$urn domainUrn:$domain)}" as unknown as Operation<PutInDomainMutation, PutInDomainMutationVariables>;

export const TakeOutOfDomain = "mutation TakeOutOfDomain($urn:String!){unsetDomain(entityUrn:$urn)}" as unknown as Operation<TakeOutOfDomainMutation, TakeOutOfDomainMutationVariables>;
