// Written by scripts/codegen.mjs from glossary.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, BatchAddTermsInput, BatchRemoveTermsInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ResourceRefInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateParentNodeInput } from "../../lib/schema";

export type { AndFilterInput, BatchAddTermsInput, BatchRemoveTermsInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ResourceRefInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateParentNodeInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type LeafFragment = { urn: string | null, properties: { name: string | null, description: string | null } | null };

export type BranchFragment = { urn: string | null, properties: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null };

export type AboveFragment = { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null };

export type InDomainFragment = { domain: { urn: string | null, properties: { name: string | null } | null } | null };

export type LinksFragment = { elements: Array<{ url: string | null, label: string | null } | null> | null };

export type RelatedFragment = { relationships: Array<{ type: string | null, entity: { urn: string | null, properties?: { name: string | null, description: string | null } | null } | null } | null> | null };

export type LevelsQueryVariables = Exact<{
  root: boolean;
  urns: Array<string> | string;
  children: ScrollAcrossEntitiesInput;
  most: number;
}>;

export type LevelsQuery = { getRootGlossaryNodes?: { total: number | null, nodes: Array<{ urn: string | null, properties: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null } | null> | null } | null, getRootGlossaryTerms?: { total: number | null, terms: Array<{ urn: string | null, properties: { name: string | null, description: string | null } | null } | null> | null } | null, terms?: { total: number | null } | null, entities: Array<{ urn: string | null, glossaryChildrenSearch?: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, properties?: { name: string | null, description: string | null } | null, childrenCount?: { termsCount: number | null, nodesCount: number | null } | null } | null } | null> | null } | null } | null> | null };

export type FindEntriesQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type FindEntriesQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn?: string | null, properties?: { name: string | null, description: string | null } | null, childrenCount?: { termsCount: number | null, nodesCount: number | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, domain?: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, parentNodes?: { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null } | null } | null> | null } | null };

export type GroupQueryVariables = Exact<{
  urn: string;
}>;

export type GroupQuery = { glossaryNode: { urn: string | null, exists: boolean | null, properties: { name: string | null, description: string | null } | null, childrenCount: { termsCount: number | null, nodesCount: number | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, domain: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, parentNodes: { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null, privileges: { canManageEntity: boolean | null, canManageChildren: boolean | null } | null, institutionalMemory: { elements: Array<{ url: string | null, label: string | null } | null> | null } | null } | null };

export type TermQueryVariables = Exact<{
  urn: string;
  uses: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type TermQuery = { glossaryTerm: { urn: string | null, exists: boolean | null, properties: { name: string | null, description: string | null, sourceRef: string | null, sourceUrl: string | null } | null, ownership: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, domain: { domain: { urn: string | null, properties: { name: string | null } | null } | null } | null, parentNodes: { nodes: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null, privileges: { canManageEntity: boolean | null } | null, deprecation: { deprecated: boolean | null, note: string | null } | null, institutionalMemory: { elements: Array<{ url: string | null, label: string | null } | null> | null } | null, outgoing: { relationships: Array<{ type: string | null, entity: { urn: string | null, properties?: { name: string | null, description: string | null } | null } | null } | null> | null } | null, incoming: { relationships: Array<{ type: string | null, entity: { urn: string | null, properties?: { name: string | null, description: string | null } | null } | null } | null> | null } | null } | null, uses: { total: number | null, searchResults: Array<{ entity: { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, fields?: { fields: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, terms?: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null, dataFlow?: { platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null } | null } | null> | null } | null };

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

export type PlatformNameFragment = { urn: string | null, name: string | null, properties: { displayName: string | null } | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export type ListedFragment = { urn: string | null, type: EntityType | null, name?: string | null, properties?: { name: string | null, displayName: string | null, fullName: string | null } | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null } | null, fields?: { fields: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string | null, glossaryTerms: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null } | null> | null } | null, terms?: { terms: Array<{ term: { urn: string | null } | null } | null> | null } | null, dataFlow?: { platform: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null } | null, username?: string | null, editableProperties?: { displayName: string | null } | null };

export type TermUrnsFragment = { terms: Array<{ term: { urn: string | null } | null } | null> | null };

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };

export const Levels = "query Levels($root:Boolean!$urns:[String!]!$children:ScrollAcrossEntitiesInput!$most:Int!){getRootGlossaryNodes(input:{start:0 count:$most})@include(if:$root){total nodes{...Branch}}getRootGlossaryTerms(input:{start:0 count:$most})@include(if:$root){total terms{...Leaf}}terms:searchAcrossEntities(input:{types:[GLOSSARY_TERM]query:\"*\" start:0 count:0 searchFlags:{skipAggregates:true}})@include(if:$root){total}entities(urns:$urns){urn ...on GlossaryNode{glossaryChildrenSearch(input:$children){total searchResults{entity{...Leaf ...Branch}}}}}}fragment Leaf on GlossaryTerm{urn properties{name description}}fragment Branch on GlossaryNode{urn properties{name description}childrenCount{termsCount nodesCount}}" as unknown as Operation<LevelsQuery, LevelsQueryVariables>;

export const FindEntries = "query FindEntries($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...Branch ...on GlossaryTerm{...Leaf ownership{...Owners}domain{...InDomain}parentNodes{...Above}}}}}}fragment Leaf on GlossaryTerm{urn properties{name description}}fragment Branch on GlossaryNode{urn properties{name description}childrenCount{termsCount nodesCount}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment InDomain on DomainAssociation{domain{urn properties{name}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<FindEntriesQuery, FindEntriesQueryVariables>;

export const Group = "query Group($urn:String!){glossaryNode(urn:$urn){urn exists ...Branch ownership{...Owners}domain{...InDomain}parentNodes{...Above}privileges{canManageEntity canManageChildren}institutionalMemory{...Links}}}fragment Branch on GlossaryNode{urn properties{name description}childrenCount{termsCount nodesCount}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment InDomain on DomainAssociation{domain{urn properties{name}}}fragment Links on InstitutionalMemory{elements{url label}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<GroupQuery, GroupQueryVariables>;

export const Term = "query Term($urn:String!$uses:SearchAcrossEntitiesInput!$columns:Boolean!){glossaryTerm(urn:$urn){urn exists ...Leaf properties{sourceRef sourceUrl}ownership{...Owners}domain{...InDomain}parentNodes{...Above}privileges{canManageEntity}deprecation{deprecated note}institutionalMemory{...Links}outgoing:relationships(input:{types:[\"IsA\" \"HasA\" \"HasValue\" \"IsRelatedTo\"]direction:OUTGOING start:0 count:200}){...Related}incoming:relationships(input:{types:[\"IsA\" \"HasA\" \"IsRelatedTo\"]direction:INCOMING start:0 count:200}){...Related}}uses:searchAcrossEntities(input:$uses){total searchResults{entity{...Listed}}}}fragment Leaf on GlossaryTerm{urn properties{name description}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment InDomain on DomainAssociation{domain{urn properties{name}}}fragment Links on InstitutionalMemory{elements{url label}}fragment Related on EntityRelationshipsResult{relationships{type entity{urn ...Leaf}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}fragment Listed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}ownership{...Owners}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{...TermUrns}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{...TermUrns}}}terms:glossaryTerms@include(if:$columns){...TermUrns}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on Dashboard{properties{name}platform{...PlatformName}ownership{...Owners}}...on Chart{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataFlow{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataJob{properties{name}ownership{...Owners}dataFlow{platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}ownership{...Owners}}...on DataProduct{properties{name}ownership{...Owners}}...on Application{properties{name}ownership{...Owners}}...on Domain{properties{name}ownership{...Owners}}...on GlossaryTerm{properties{name}ownership{...Owners}}...on GlossaryNode{properties{name}ownership{...Owners}}...on Tag{properties{name}ownership{...Owners}}...on BusinessAttribute{properties{name}ownership{...Owners}}...on CorpUser{...PersonName}...on CorpGroup{...GroupName}}fragment TermUrns on GlossaryTerms{terms{term{urn}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username properties{displayName fullName}editableProperties{displayName}}...on CorpGroup{urn name properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<TermQuery, TermQueryVariables>;

export const MoveEntry = "mutation MoveEntry($input:UpdateParentNodeInput!){updateParentNode(input:$input)}" as unknown as Operation<MoveEntryMutation, MoveEntryMutationVariables>;

export const DeleteEntry = "mutation DeleteEntry($urn:String!){deleteGlossaryEntity(urn:$urn)}" as unknown as Operation<DeleteEntryMutation, DeleteEntryMutationVariables>;

export const PutOn = "mutation PutOn($input:BatchAddTermsInput!){batchAddTerms(input:$input)}" as unknown as Operation<PutOnMutation, PutOnMutationVariables>;

export const TakeOff = "mutation TakeOff($input:BatchRemoveTermsInput!){batchRemoveTerms(input:$input)}" as unknown as Operation<TakeOffMutation, TakeOffMutationVariables>;

export const PutInDomain = "mutation PutInDomain($urn:String!$domain:String!){setDomain(entityUrn:$urn domainUrn:$domain)}" as unknown as Operation<PutInDomainMutation, PutInDomainMutationVariables>;

export const TakeOutOfDomain = "mutation TakeOutOfDomain($urn:String!){unsetDomain(entityUrn:$urn)}" as unknown as Operation<TakeOutOfDomainMutation, TakeOutOfDomainMutationVariables>;
