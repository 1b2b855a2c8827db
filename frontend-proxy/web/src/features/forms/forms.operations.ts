// Written by scripts/codegen.mjs from forms.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AggregateAcrossEntitiesInput, AndFilterInput, BatchAssignFormInput, BatchRemoveFormInput, CreateDynamicFormAssignmentInput, CreateFormInput, CreatePromptInput, DeleteFormInput, EntityType, FacetFilterInput, FilterOperator, FormActorAssignmentInput, FormActorAssignmentUpdateInput, FormPromptType, FormType, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, StructuredPropertyParamsInput, UpdateFormInput } from "../../lib/schema";

export type { AggregateAcrossEntitiesInput, AndFilterInput, BatchAssignFormInput, BatchRemoveFormInput, CreateDynamicFormAssignmentInput, CreateFormInput, CreatePromptInput, DeleteFormInput, EntityType, FacetFilterInput, FilterOperator, FormActorAssignmentInput, FormActorAssignmentUpdateInput, FormPromptType, FormType, GroupingCriterion, GroupingSpec, PropertyCardinality, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder, StructuredPropertyParamsInput, UpdateFormInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type FormsQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type FormsQuery = { searchAcrossEntities: { total: number | null, searchResults: Array<{ entity: { urn: string | null, info?: { name: string | null, description: string | null, type: FormType | null, actors: { owners: boolean | null, isAssignedToMe: boolean | null, users: Array<{ urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null> | null, groups: Array<{ urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null> | null } | null, prompts: Array<{ id: string | null, title: string | null, description: string | null, type: FormPromptType | null, required: boolean | null, structuredPropertyParams: { structuredProperty: { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null } | null } | null } | null> | null } | null } | null } | null> | null } | null };

export type FormsProgressQueryVariables = Exact<{
  input: AggregateAcrossEntitiesInput;
}>;

export type FormsProgressQuery = { aggregateAcrossEntities: { facets: Array<{ field: string | null, aggregations: Array<{ value: string | null, count: number | null } | null> | null } | null> | null } | null };

export type OneFormQueryVariables = Exact<{
  urn: string;
  progress: AggregateAcrossEntitiesInput;
}>;

export type OneFormQuery = { form: { urn: string | null, info: { name: string | null, description: string | null, type: FormType | null, actors: { owners: boolean | null, isAssignedToMe: boolean | null, users: Array<{ urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null> | null, groups: Array<{ urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null> | null } | null, prompts: Array<{ id: string | null, title: string | null, description: string | null, type: FormPromptType | null, required: boolean | null, structuredPropertyParams: { structuredProperty: { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null } | null } | null } | null> | null } | null } | null, aggregateAcrossEntities: { facets: Array<{ field: string | null, aggregations: Array<{ value: string | null, count: number | null } | null> | null } | null> | null } | null };

export type CountedFragment = { facets: Array<{ field: string | null, aggregations: Array<{ value: string | null, count: number | null } | null> | null } | null> | null };

export type RuleHoldsQueryVariables = Exact<{
  all: SearchAcrossEntitiesInput;
  without: SearchAcrossEntitiesInput;
}>;

export type RuleHoldsQuery = { all: { total: number | null } | null, without: { total: number | null } | null };

export type CreateFormMutationVariables = Exact<{
  input: CreateFormInput;
}>;

export type CreateFormMutation = { createForm: { urn: string | null } | null };

export type UpdateFormMutationVariables = Exact<{
  input: UpdateFormInput;
}>;

export type UpdateFormMutation = { updateForm: { urn: string | null } | null };

export type DeleteFormMutationVariables = Exact<{
  input: DeleteFormInput;
}>;

export type DeleteFormMutation = { deleteForm: boolean | null };

export type AssignFormMutationVariables = Exact<{
  input: BatchAssignFormInput;
}>;

export type AssignFormMutation = { batchAssignForm: boolean | null };

export type TakeFormOffMutationVariables = Exact<{
  input: BatchRemoveFormInput;
}>;

export type TakeFormOffMutation = { batchRemoveForm: boolean | null };

export type AssignByRuleMutationVariables = Exact<{
  input: CreateDynamicFormAssignmentInput;
}>;

export type AssignByRuleMutation = { createDynamicFormAssignment: boolean | null };

export type PersonNameFragment = { username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null };

export type GroupNameFragment = { name: string | null, properties: { displayName: string | null } | null };

export type FormAskedFragment = { urn: string | null, info: { name: string | null, description: string | null, type: FormType | null, actors: { owners: boolean | null, isAssignedToMe: boolean | null, users: Array<{ urn: string | null, username: string | null, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null } | null> | null, groups: Array<{ urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null> | null } | null, prompts: Array<{ id: string | null, title: string | null, description: string | null, type: FormPromptType | null, required: boolean | null, structuredPropertyParams: { structuredProperty: { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null } | null } | null } | null> | null } | null };

export type PropertyDefinedFragment = { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null };

export const Forms = "query Forms($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{urn ...on Form{...FormAsked}}}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}fragment FormAsked on Form{urn info{name description type actors{owners isAssignedToMe users{urn ...PersonName}groups{urn ...GroupName}}prompts{id title description type required structuredPropertyParams{structuredProperty{...PropertyDefined}}}}}fragment PropertyDefined on StructuredPropertyEntity{urn definition{displayName qualifiedName description cardinality immutable valueType{urn}typeQualifier{allowedTypes{info{type}}}allowedPlatforms{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}}" as unknown as Operation<FormsQuery, FormsQueryVariables>;

export const FormsProgress = "query FormsProgress($input:AggregateAcrossEntitiesInput!){aggregateAcrossEntities(input:$input){...Counted}}fragment Counted on AggregateResults{facets{field aggregations{value count}}}" as unknown as Operation<FormsProgressQuery, FormsProgressQueryVariables>;

export const OneForm = "query OneForm($urn:String!$progress:AggregateAcrossEntitiesInput!){form(urn:$urn){...FormAsked}aggregateAcrossEntities(input:$progress){...Counted}}fragment Counted on AggregateResults{facets{field aggregations{value count}}}fragment PersonName on CorpUser{username properties{displayName fullName}editableProperties{displayName}}fragment GroupName on CorpGroup{name properties{displayName}}fragment FormAsked on Form{urn info{name description type actors{owners isAssignedToMe users{urn ...PersonName}groups{urn ...GroupName}}prompts{id title description type required structuredPropertyParams{structuredProperty{...PropertyDefined}}}}}fragment PropertyDefined on StructuredPropertyEntity{urn definition{displayName qualifiedName description cardinality immutable valueType{urn}typeQualifier{allowedTypes{info{type}}}allowedPlatforms{urn}allowedValues{value{...on StringValue{stringValue}...on NumberValue{numberValue}}description}}}" as unknown as Operation<OneFormQuery, OneFormQueryVariables>;

export const RuleHolds = "query RuleHolds($all:SearchAcrossEntitiesInput!$without:SearchAcrossEntitiesInput!){all:searchAcrossEntities(input:$all){total}without:searchAcrossEntities(input:$without){total}}" as unknown as Operation<RuleHoldsQuery, RuleHoldsQueryVariables>;

export const CreateForm = "mutation CreateForm($input:CreateFormInput!){createForm(input:$input){urn}}" as unknown as Operation<CreateFormMutation, CreateFormMutationVariables>;

export const UpdateForm = "mutation UpdateForm($input:UpdateFormInput!){updateForm(input:$input){urn}}" as unknown as Operation<UpdateFormMutation, UpdateFormMutationVariables>;

export const DeleteForm = "mutation DeleteForm($input:DeleteFormInput!){deleteForm(input:$input)}" as unknown as Operation<DeleteFormMutation, DeleteFormMutationVariables>;

export const AssignForm = "mutation AssignForm($input:BatchAssignFormInput!){batchAssignForm(input:$input)}" as unknown as Operation<AssignFormMutation, AssignFormMutationVariables>;

export const TakeFormOff = "mutation TakeFormOff($input:BatchRemoveFormInput!){batchRemoveForm(input:$input)}" as unknown as Operation<TakeFormOffMutation, TakeFormOffMutationVariables>;

export const AssignByRule = "mutation AssignByRule($input:CreateDynamicFormAssignmentInput!){createDynamicFormAssignment(input:$input)}" as unknown as Operation<AssignByRuleMutation, AssignByRuleMutationVariables>;
