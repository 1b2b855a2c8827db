// Written by scripts/codegen.mjs from govern.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddOwnerInput, AndFilterInput, DescriptionUpdateInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerEntityType, OwnershipType, RemoveOwnerInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateNameInput } from "../../lib/schema";

export type { AddOwnerInput, AndFilterInput, DescriptionUpdateInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, OwnerEntityType, OwnershipType, RemoveOwnerInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, SubResourceType, UpdateNameInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

type Listed_CgRh3E8F5Fz3ktsuTvr64s9V3iig2i1pLo2AznXbqY_Fragment = { urn: string, type: EntityType };

type Listed_KeCwMmn1gM1kGEzuMsHuKyho50Yi2vtevJ6nzCug_Fragment = { urn: string, type: EntityType };

type Listed_Application_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, application: { name: string } | null };

type Listed_BusinessAttribute_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, attribute: { name: string } | null };

type Listed_Chart_Fragment = { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, chart: { name: string } | null };

type Listed_Container_Fragment = { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, container: { name: string } | null };

type Listed_Dashboard_Fragment = { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, dashboard: { name: string } | null };

type Listed_DataProduct_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, product: { name: string } | null };

type Listed_Dataset_Fragment = { name: string, urn: string, type: EntityType, facts: { name: string } | null, fields?: { fields: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, terms?: { terms: Array<{ term: { urn: string } }> | null } | null, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null };

type Listed_Domain_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, domain: { name: string } | null };

type Listed_GlossaryNode_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, node: { name: string } | null };

type Listed_GlossaryTerm_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, term: { name: string } | null };

type Listed_DataFlow_Fragment = { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, flow: { name: string } | null };

type Listed_DataJob_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, job: { name: string } | null, dataFlow: { platform: { key: string, shown: { displayName: string | null } | null } } | null };

type Listed_7XjYk6lPvHux1byg8agqr1HAif3MaGhUkZjL8ZrWbcc_Fragment = { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null };

type Listed_Tag_Fragment = { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, tag: { name: string } | null };

type Listed_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null };

type Listed_CorpUser_Fragment = { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null };

export type ListedFragment =
  | Listed_CgRh3E8F5Fz3ktsuTvr64s9V3iig2i1pLo2AznXbqY_Fragment
  | Listed_KeCwMmn1gM1kGEzuMsHuKyho50Yi2vtevJ6nzCug_Fragment
  | Listed_Application_Fragment
  | Listed_BusinessAttribute_Fragment
  | Listed_Chart_Fragment
  | Listed_Container_Fragment
  | Listed_Dashboard_Fragment
  | Listed_DataProduct_Fragment
  | Listed_Dataset_Fragment
  | Listed_Domain_Fragment
  | Listed_GlossaryNode_Fragment
  | Listed_GlossaryTerm_Fragment
  | Listed_DataFlow_Fragment
  | Listed_DataJob_Fragment
  | Listed_7XjYk6lPvHux1byg8agqr1HAif3MaGhUkZjL8ZrWbcc_Fragment
  | Listed_Tag_Fragment
  | Listed_CorpGroup_Fragment
  | Listed_CorpUser_Fragment
;

export type ShownFragment = { key: string, shown: { displayName: string | null } | null };

export type AssetsOfQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type AssetsOfQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, application: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, attribute: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, chart: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, container: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType, facts: { name: string } | null, fields?: { fields: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, terms?: { terms: Array<{ term: { urn: string } }> | null } | null, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, domain: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, node: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, term: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, flow: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, job: { name: string } | null, dataFlow: { platform: { key: string, shown: { displayName: string | null } | null } } | null }
        | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, tag: { name: string } | null }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null }
       }> } | null };

export type ProductAssetsOfQueryVariables = Exact<{
  urn: string;
  input: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type ProductAssetsOfQuery = { listDataProductAssets: { total: number, searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, application: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, attribute: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, chart: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, container: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType, facts: { name: string } | null, fields?: { fields: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, terms?: { terms: Array<{ term: { urn: string } }> | null } | null, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, domain: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, node: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, term: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, flow: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, job: { name: string } | null, dataFlow: { platform: { key: string, shown: { displayName: string | null } | null } } | null }
        | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, tag: { name: string } | null }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null }
       }> } | null };

export type LeafFragment = { urn: string, term: { name: string, description: string | null } | null };

export type AboveFragment = { nodes: Array<{ urn: string, properties: { name: string } | null }> };

export type TermQueryVariables = Exact<{
  urn: string;
  uses: SearchAcrossEntitiesInput;
  columns: boolean;
}>;

export type TermQuery = { glossaryTerm: { urn: string, exists: boolean | null, source: { termSource: string, sourceRef: string | null, sourceUrl: string | null } | null, ownership: { owners: Array<{ owner:
          | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
          | { urn: string, name: string, group: { displayName: string | null } | null }
        , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, domain: { domain: { urn: string, properties: { name: string } | null } } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null, privileges: { canManageEntity: boolean | null } | null, deprecation: { deprecated: boolean, note: string | null } | null, institutionalMemory: { elements: Array<{ url: string, label: string }> } | null, outgoing: { relationships: Array<{ type: string, entity:
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { urn: string, term: { name: string, description: string | null } | null }
         | null }> } | null, incoming: { relationships: Array<{ type: string, entity:
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { urn: string, term: { name: string, description: string | null } | null }
         | null }> } | null, term: { name: string, description: string | null } | null } | null, uses: { total: number, searchResults: Array<{ entity:
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, application: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, attribute: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, chart: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, container: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, dashboard: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, product: { name: string } | null }
        | { name: string, urn: string, type: EntityType, facts: { name: string } | null, fields?: { fields: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, edits?: { editableSchemaFieldInfo: Array<{ fieldPath: string, glossaryTerms: { terms: Array<{ term: { urn: string } }> | null } | null }> } | null, terms?: { terms: Array<{ term: { urn: string } }> | null } | null, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, domain: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, node: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, term: { name: string } | null }
        | { urn: string, type: EntityType, platform: { key: string, shown: { displayName: string | null } | null }, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, flow: { name: string } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, job: { name: string } | null, dataFlow: { platform: { key: string, shown: { displayName: string | null } | null } } | null }
        | { name: string, urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
        | { urn: string, type: EntityType, ownership: { owners: Array<{ owner:
                | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
                | { urn: string, name: string, group: { displayName: string | null } | null }
              , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, tag: { name: string } | null }
        | { name: string, urn: string, type: EntityType, group: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, person: { displayName: string | null, fullName: string | null } | null }
       }> } | null };

export type OwnersOfQueryVariables = Exact<{
  urn: string;
}>;

export type OwnersOfQuery = { entity:
    | { urn: string }
    | { urn: string }
    | { urn: string }
    | { urn: string, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
            | { urn: string, name: string, group: { displayName: string | null } | null }
          , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null }
   | null, listOwnershipTypes: { ownershipTypes: Array<{ urn: string, info: { name: string } | null }> } };

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

export type OwnersFragment = { owners: Array<{ owner:
      | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
      | { urn: string, name: string, group: { displayName: string | null } | null }
    , ownershipType: { urn: string, info: { name: string } | null } | null }> | null };

export const AssetsOf = "query AssetsOf($input:SearchAcrossEntitiesInput!$columns:Boolean!){searchAcrossEntities(input:$input){total searchResults{entity{...Listed}}}}fragment Listed on Entity{urn type ...on Dataset{name facts:properties{name}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{terms{term{urn}}}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{terms{term{urn}}}}}terms:glossaryTerms@include(if:$columns){terms{term{urn}}}platform{...Shown}ownership{...Owners}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on CorpGroup{name group:properties{displayName}}...on Dashboard{platform{...Shown}ownership{...Owners}dashboard:properties{name}}...on Chart{platform{...Shown}ownership{...Owners}chart:properties{name}}...on DataFlow{platform{...Shown}ownership{...Owners}flow:properties{name}}...on Container{platform{...Shown}ownership{...Owners}container:properties{name}}...on DataJob{ownership{...Owners}job:properties{name}dataFlow{platform{...Shown}}}...on DataProduct{ownership{...Owners}product:properties{name}}...on Application{ownership{...Owners}application:properties{name}}...on Domain{ownership{...Owners}domain:properties{name}}...on GlossaryTerm{ownership{...Owners}term:properties{name}}...on GlossaryNode{ownership{...Owners}node:properties{name}}...on Tag{ownership{...Owners}tag:properties{name}}...on BusinessAttribute{ownership{...Owners}attribute:properties{name}}...on CorpUser{username person:properties{displayName fullName}}}fragment Shown on DataPlatform{key:name shown:properties{displayName}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<AssetsOfQuery, AssetsOfQueryVariables>;

export const ProductAssetsOf = "query ProductAssetsOf($urn:String!$input:SearchAcrossEntitiesInput!$columns:Boolean!){listDataProductAssets(urn:$urn input:$input){total searchResults{entity{...Listed}}}}fragment Listed on Entity{urn type ...on Dataset{name facts:properties{name}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{terms{term{urn}}}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{terms{term{urn}}}}}terms:glossaryTerms@include(if:$columns){terms{term{urn}}}platform{...Shown}ownership{...Owners}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on CorpGroup{name group:properties{displayName}}...on Dashboard{platform{...Shown}ownership{...Owners}dashboard:properties{name}}...on Chart{platform{...Shown}ownership{...Owners}chart:properties{name}}...on DataFlow{platform{...Shown}ownership{...Owners}flow:properties{name}}...on Container{platform{...Shown}ownership{...Owners}container:properties{name}}...on DataJob{ownership{...Owners}job:properties{name}dataFlow{platform{...Shown}}}...on DataProduct{ownership{...Owners}product:properties{name}}...on Application{ownership{...Owners}application:properties{name}}...on Domain{ownership{...Owners}domain:properties{name}}...on GlossaryTerm{ownership{...Owners}term:properties{name}}...on GlossaryNode{ownership{...Owners}node:properties{name}}...on Tag{ownership{...Owners}tag:properties{name}}...on BusinessAttribute{ownership{...Owners}attribute:properties{name}}...on CorpUser{username person:properties{displayName fullName}}}fragment Shown on DataPlatform{key:name shown:properties{displayName}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<ProductAssetsOfQuery, ProductAssetsOfQueryVariables>;

export const Term = "query Term($urn:String!$uses:SearchAcrossEntitiesInput!$columns:Boolean!){glossaryTerm(urn:$urn){urn exists ...Leaf source:properties{termSource sourceRef sourceUrl}ownership{...Owners}domain{domain{urn properties{name}}}parentNodes{...Above}privileges{canManageEntity}deprecation{deprecated note}institutionalMemory{elements{url label}}outgoing:relationships(input:{types:[\"IsA\" \"HasA\" \"HasValue\" \"IsRelatedTo\"]direction:OUTGOING start:0 count:200}){relationships{type entity{urn ...Leaf}}}incoming:relationships(input:{types:[\"IsA\" \"HasA\" \"IsRelatedTo\"]direction:INCOMING start:0 count:200}){relationships{type entity{urn ...Leaf}}}}uses:searchAcrossEntities(input:$uses){total searchResults{entity{...Listed}}}}fragment Listed on Entity{urn type ...on Dataset{name facts:properties{name}fields:schemaMetadata@include(if:$columns){fields{fieldPath glossaryTerms{terms{term{urn}}}}}edits:editableSchemaMetadata@include(if:$columns){editableSchemaFieldInfo{fieldPath glossaryTerms{terms{term{urn}}}}}terms:glossaryTerms@include(if:$columns){terms{term{urn}}}platform{...Shown}ownership{...Owners}}...on MLModel{name ownership{...Owners}}...on MLModelGroup{name ownership{...Owners}}...on MLFeature{name ownership{...Owners}}...on MLFeatureTable{name ownership{...Owners}}...on MLPrimaryKey{name ownership{...Owners}}...on CorpGroup{name group:properties{displayName}}...on Dashboard{platform{...Shown}ownership{...Owners}dashboard:properties{name}}...on Chart{platform{...Shown}ownership{...Owners}chart:properties{name}}...on DataFlow{platform{...Shown}ownership{...Owners}flow:properties{name}}...on Container{platform{...Shown}ownership{...Owners}container:properties{name}}...on DataJob{ownership{...Owners}job:properties{name}dataFlow{platform{...Shown}}}...on DataProduct{ownership{...Owners}product:properties{name}}...on Application{ownership{...Owners}application:properties{name}}...on Domain{ownership{...Owners}domain:properties{name}}...on GlossaryTerm{ownership{...Owners}term:properties{name}}...on GlossaryNode{ownership{...Owners}node:properties{name}}...on Tag{ownership{...Owners}tag:properties{name}}...on BusinessAttribute{ownership{...Owners}attribute:properties{name}}...on CorpUser{username person:properties{displayName fullName}}}fragment Shown on DataPlatform{key:name shown:properties{displayName}}fragment Leaf on GlossaryTerm{urn term:properties{name description}}fragment Above on ParentNodesResult{nodes{urn properties{name}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<TermQuery, TermQueryVariables>;

export const OwnersOf = "query OwnersOf($urn:String!){entity(urn:$urn){urn ...on Tag{ownership{...Owners}}...on GlossaryTerm{ownership{...Owners}}...on GlossaryNode{ownership{...Owners}}...on Domain{ownership{...Owners}}...on DataProduct{ownership{...Owners}}...on Application{ownership{...Owners}}}listOwnershipTypes(input:{start:0 count:100}){ownershipTypes{urn info{name}}}}fragment Owners on Ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}" as unknown as Operation<OwnersOfQuery, OwnersOfQueryVariables>;

export const AddAnOwner = "mutation AddAnOwner($input:AddOwnerInput!){addOwner(input:$input)}" as unknown as Operation<AddAnOwnerMutation, AddAnOwnerMutationVariables>;

export const RemoveAnOwner = "mutation RemoveAnOwner($input:RemoveOwnerInput!){removeOwner(input:$input)}" as unknown as Operation<RemoveAnOwnerMutation, RemoveAnOwnerMutationVariables>;

export const Rename = "mutation Rename($input:UpdateNameInput!){updateName(input:$input)}" as unknown as Operation<RenameMutation, RenameMutationVariables>;

export const Describe = "mutation Describe($input:DescriptionUpdateInput!){updateDescription(input:$input)}" as unknown as Operation<DescribeMutation, DescribeMutationVariables>;
