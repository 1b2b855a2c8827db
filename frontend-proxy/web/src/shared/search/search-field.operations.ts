// Written by scripts/codegen.mjs from search-field.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator } from "../../lib/schema";

export type { AndFilterInput, AutoCompleteMultipleInput, EntityType, FacetFilterInput, FilterOperator };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CompleteQueryVariables = Exact<{
  input: AutoCompleteMultipleInput;
}>;

export type CompleteQuery = { autoCompleteForMultiple: { suggestions: Array<{ type: EntityType, entities: Array<
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType }
        | { urn: string, type: EntityType, properties: { name: string } | null }
        | { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { name: string, urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, editableProperties: { name: string | null } | null }
        | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null }
        | { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
              | { urn: string }
              | { urn: string }
              | { urn: string }
              | { urn: string, properties: { name: string } | null }
            > } | null }
        | { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null }
        | { urn: string, type: EntityType, properties: { name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null }
        | { name: string, featureNamespace: string, urn: string, type: EntityType }
        | { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } }
        | { fieldPath: string, urn: string, type: EntityType, parent:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           }
        | { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, info: { name: string } | null }
        | { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } }
        | { name: string, urn: string, type: EntityType, properties: { name: string } | null }
        | { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null }
        | { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null }
      > }> } | null };

type Placed_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment = { urn: string, type: EntityType };

type Placed_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment = { urn: string, type: EntityType };

type Placed_Application_BusinessAttribute_DataProduct_Fragment = { urn: string, type: EntityType, properties: { name: string } | null };

type Placed_VKyobuEfuSn5pkLbFaKugW2DwfXimpLzRLwKSpwc_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_Dataset_Fragment = { name: string, urn: string, type: EntityType, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, editableProperties: { name: string | null } | null };

type Placed_Document_Notebook_Fragment = { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, info: { title: string | null } | null };

type Placed_Domain_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentDomains: { domains: Array<
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, properties: { name: string } | null }
    > } | null };

type Placed_GlossaryNode_GlossaryTerm_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, parentNodes: { nodes: Array<{ urn: string, properties: { name: string } | null }> } | null };

type Placed_DataJob_Fragment = { urn: string, type: EntityType, properties: { name: string } | null, subTypes: { typeNames: Array<string> | null } | null, parentContainers: { containers: Array<{ urn: string, properties: { name: string } | null }> } | null, dataFlow: { urn: string, properties: { name: string } | null, platform: { urn: string, name: string, properties: { displayName: string | null } | null } } | null };

type Placed_MlFeature_MlPrimaryKey_Fragment = { name: string, featureNamespace: string, urn: string, type: EntityType };

type Placed_MlFeatureTable_MlModel_MlModelGroup_Fragment = { name: string, urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null } };

type Placed_SchemaFieldEntity_Fragment = { fieldPath: string, urn: string, type: EntityType, parent:
    | { urn: string }
    | { urn: string }
    | { urn: string }
   };

type Placed_Metric_SemanticModel_Fragment = { urn: string, type: EntityType, platform: { urn: string, name: string, properties: { displayName: string | null } | null }, subTypes: { typeNames: Array<string> | null } | null, info: { name: string } | null };

type Placed_StructuredPropertyEntity_Fragment = { urn: string, type: EntityType, definition: { displayName: string | null, qualifiedName: string } };

type Placed_Tag_Fragment = { name: string, urn: string, type: EntityType, properties: { name: string } | null };

type Placed_CorpGroup_Fragment = { name: string, urn: string, type: EntityType, properties: { displayName: string | null } | null };

type Placed_CorpUser_Fragment = { username: string, urn: string, type: EntityType, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type PlacedFragment =
  | Placed_CKpoiqmCrFvqLwGxst55FjulDnwC8KbhHoQVjIVfI_Fragment
  | Placed_XfqhjEwRaiQhT2I8SWlALaIh32ZsiyjIunyBy79T7h8_Fragment
  | Placed_Application_BusinessAttribute_DataProduct_Fragment
  | Placed_VKyobuEfuSn5pkLbFaKugW2DwfXimpLzRLwKSpwc_Fragment
  | Placed_Dataset_Fragment
  | Placed_Document_Notebook_Fragment
  | Placed_Domain_Fragment
  | Placed_GlossaryNode_GlossaryTerm_Fragment
  | Placed_DataJob_Fragment
  | Placed_MlFeature_MlPrimaryKey_Fragment
  | Placed_MlFeatureTable_MlModel_MlModelGroup_Fragment
  | Placed_SchemaFieldEntity_Fragment
  | Placed_Metric_SemanticModel_Fragment
  | Placed_StructuredPropertyEntity_Fragment
  | Placed_Tag_Fragment
  | Placed_CorpGroup_Fragment
  | Placed_CorpUser_Fragment
;

export type PlatformNameFragment = { urn: string, name: string, properties: { displayName: string | null } | null };

export type ContainersFragment = { containers: Array<{ urn: string, properties: { name: string } | null }> };

export const Complete = "query Complete($input:AutoCompleteMultipleInput!){autoCompleteForMultiple(input:$input){suggestions{type entities{...Placed}}}}fragment Placed on Entity{urn type ...on Dataset{name properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}editableProperties{name}}...on MLModel{name platform{...PlatformName}}...on MLModelGroup{name platform{...PlatformName}}...on MLFeatureTable{name platform{...PlatformName}}...on MLFeature{name featureNamespace}...on MLPrimaryKey{name featureNamespace}...on Tag{name properties{name}}...on CorpGroup{name properties{displayName}}...on Dashboard{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on Chart{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataFlow{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on DataJob{properties{name}subTypes{typeNames}parentContainers{...Containers}dataFlow{urn properties{name}platform{...PlatformName}}}...on Container{properties{name}platform{...PlatformName}subTypes{typeNames}parentContainers{...Containers}}...on GlossaryTerm{properties{name}parentNodes{nodes{urn properties{name}}}}...on GlossaryNode{properties{name}parentNodes{nodes{urn properties{name}}}}...on Domain{properties{name}parentDomains{domains{urn ...on Domain{properties{name}}}}}...on DataProduct{properties{name}}...on Application{properties{name}}...on BusinessAttribute{properties{name}}...on Notebook{platform{...PlatformName}info{title}}...on Document{platform{...PlatformName}info{title}}...on Metric{platform{...PlatformName}subTypes{typeNames}info{name}}...on SemanticModel{platform{...PlatformName}subTypes{typeNames}info{name}}...on StructuredPropertyEntity{definition{displayName qualifiedName}}...on SchemaFieldEntity{fieldPath parent{urn}}...on CorpUser{username properties{displayName fullName}editableProperties{displayName}}}fragment PlatformName on DataPlatform{urn name properties{displayName}}fragment Containers on ParentContainersResult{containers{urn properties{name}}}" as unknown as Operation<CompleteQuery, CompleteQueryVariables>;
