// Written by scripts/codegen.mjs from asset.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AddLinkInput, AddOwnersInput, AddTagsInput, AddTermsInput, BatchRemoveTagsInput, BatchRemoveTermsInput, BatchSetApplicationInput, BatchSetDataProductInput, BatchUnsetApplicationInput, BatchUpdateSoftDeletedInput, ChartEditablePropertiesUpdate, ChartUpdateInput, CreateTagInput, DashboardEditablePropertiesUpdate, DashboardUpdateInput, DataFlowEditablePropertiesUpdate, DataFlowUpdateInput, DataJobEditablePropertiesUpdate, DataJobUpdateInput, DescriptionUpdateInput, FacetFilterInput, FilterOperator, GlobalTagsUpdate, LinkSettingsInput, ListOwnershipTypesInput, OwnerEntityType, OwnerInput, OwnerUpdate, OwnershipType, OwnershipUpdate, PropertyValueInput, RemoveLinkInput, RemoveOwnerInput, RemoveStructuredPropertiesInput, ResourceRefInput, StructuredPropertyInputParams, SubResourceType, TagAssociationUpdate, TagUpdateInput, UpdateDeprecationInput, UpdateNameInput, UpsertStructuredPropertiesInput } from "../../lib/schema";

export type { AddLinkInput, AddOwnersInput, AddTagsInput, AddTermsInput, BatchRemoveTagsInput, BatchRemoveTermsInput, BatchSetApplicationInput, BatchSetDataProductInput, BatchUnsetApplicationInput, BatchUpdateSoftDeletedInput, ChartEditablePropertiesUpdate, ChartUpdateInput, CreateTagInput, DashboardEditablePropertiesUpdate, DashboardUpdateInput, DataFlowEditablePropertiesUpdate, DataFlowUpdateInput, DataJobEditablePropertiesUpdate, DataJobUpdateInput, DescriptionUpdateInput, FacetFilterInput, FilterOperator, GlobalTagsUpdate, LinkSettingsInput, ListOwnershipTypesInput, OwnerEntityType, OwnerInput, OwnerUpdate, OwnershipType, OwnershipUpdate, PropertyValueInput, RemoveLinkInput, RemoveOwnerInput, RemoveStructuredPropertiesInput, ResourceRefInput, StructuredPropertyInputParams, SubResourceType, TagAssociationUpdate, TagUpdateInput, UpdateDeprecationInput, UpdateNameInput, UpsertStructuredPropertiesInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type SetRemovedMutationVariables = Exact<{
  input: BatchUpdateSoftDeletedInput;
}>;

export type SetRemovedMutation = { batchUpdateSoftDeleted: boolean | null };

export type AddTagsMutationVariables = Exact<{
  input: AddTagsInput;
}>;

export type AddTagsMutation = { addTags: boolean | null };

export type RemoveTagsMutationVariables = Exact<{
  input: BatchRemoveTagsInput;
}>;

export type RemoveTagsMutation = { batchRemoveTags: boolean | null };

export type AddTermsMutationVariables = Exact<{
  input: AddTermsInput;
}>;

export type AddTermsMutation = { addTerms: boolean | null };

export type RemoveTermsMutationVariables = Exact<{
  input: BatchRemoveTermsInput;
}>;

export type RemoveTermsMutation = { batchRemoveTerms: boolean | null };

export type CreateTagMutationVariables = Exact<{
  input: CreateTagInput;
}>;

export type CreateTagMutation = { createTag: string | null };

export type AddOwnersMutationVariables = Exact<{
  input: AddOwnersInput;
}>;

export type AddOwnersMutation = { addOwners: boolean | null };

export type RemoveOwnerMutationVariables = Exact<{
  input: RemoveOwnerInput;
}>;

export type RemoveOwnerMutation = { removeOwner: boolean | null };

export type OwnershipTypesQueryVariables = Exact<{
  input: ListOwnershipTypesInput;
}>;

export type OwnershipTypesQuery = { listOwnershipTypes: { ownershipTypes: Array<{ urn: string, info: { name: string } | null }> } };

export type SetDomainMutationVariables = Exact<{
  urn: string;
  domain: string;
}>;

export type SetDomainMutation = { setDomain: boolean | null };

export type UnsetDomainMutationVariables = Exact<{
  urn: string;
}>;

export type UnsetDomainMutation = { unsetDomain: boolean | null };

export type SetProductMutationVariables = Exact<{
  input: BatchSetDataProductInput;
}>;

export type SetProductMutation = { batchSetDataProduct: boolean | null };

export type DescribeMutationVariables = Exact<{
  input: DescriptionUpdateInput;
}>;

export type DescribeMutation = { updateDescription: boolean | null };

export type DescribeChartMutationVariables = Exact<{
  urn: string;
  input: ChartUpdateInput;
}>;

export type DescribeChartMutation = { updateChart: { urn: string } | null };

export type DescribeDashboardMutationVariables = Exact<{
  urn: string;
  input: DashboardUpdateInput;
}>;

export type DescribeDashboardMutation = { updateDashboard: { urn: string } | null };

export type DescribeFlowMutationVariables = Exact<{
  urn: string;
  input: DataFlowUpdateInput;
}>;

export type DescribeFlowMutation = { updateDataFlow: { urn: string } | null };

export type DescribeJobMutationVariables = Exact<{
  urn: string;
  input: DataJobUpdateInput;
}>;

export type DescribeJobMutation = { updateDataJob: { urn: string } | null };

export type AddLinkMutationVariables = Exact<{
  input: AddLinkInput;
}>;

export type AddLinkMutation = { addLink: boolean | null };

export type RemoveLinkMutationVariables = Exact<{
  input: RemoveLinkInput;
}>;

export type RemoveLinkMutation = { removeLink: boolean | null };

export type AddApplicationMutationVariables = Exact<{
  input: BatchSetApplicationInput;
}>;

export type AddApplicationMutation = { batchSetApplication: boolean | null };

export type RemoveApplicationMutationVariables = Exact<{
  input: BatchUnsetApplicationInput;
}>;

export type RemoveApplicationMutation = { batchUnsetApplication: boolean | null };

export type SetParentApplicationMutationVariables = Exact<{
  urn: string;
  parent: string;
}>;

export type SetParentApplicationMutation = { updateApplication: { urn: string } | null };

export type RenameAssetMutationVariables = Exact<{
  input: UpdateNameInput;
}>;

export type RenameAssetMutation = { updateName: boolean | null };

export type DeprecateMutationVariables = Exact<{
  input: UpdateDeprecationInput;
}>;

export type DeprecateMutation = { updateDeprecation: boolean | null };

export type SetPropertiesMutationVariables = Exact<{
  input: UpsertStructuredPropertiesInput;
}>;

export type SetPropertiesMutation = { upsertStructuredProperties: { properties: Array<{ associatedUrn: string }> | null } };

export type RemovePropertiesMutationVariables = Exact<{
  input: RemoveStructuredPropertiesInput;
}>;

export type RemovePropertiesMutation = { removeStructuredProperties: { properties: Array<{ associatedUrn: string }> | null } };

export const SetRemoved = "mutation SetRemoved($input:BatchUpdateSoftDeletedInput!){batchUpdateSoftDeleted(input:$input)}" as unknown as Operation<SetRemovedMutation, SetRemovedMutationVariables>;

export const AddTags = "mutation AddTags($input:AddTagsInput!){addTags(input:$input)}" as unknown as Operation<AddTagsMutation, AddTagsMutationVariables>;

export const RemoveTags = "mutation RemoveTags($input:BatchRemoveTagsInput!){batchRemoveTags(input:$input)}" as unknown as Operation<RemoveTagsMutation, RemoveTagsMutationVariables>;

export const AddTerms = "mutation AddTerms($input:AddTermsInput!){addTerms(input:$input)}" as unknown as Operation<AddTermsMutation, AddTermsMutationVariables>;

export const RemoveTerms = "mutation RemoveTerms($input:BatchRemoveTermsInput!){batchRemoveTerms(input:$input)}" as unknown as Operation<RemoveTermsMutation, RemoveTermsMutationVariables>;

export const CreateTag = "mutation CreateTag($input:CreateTagInput!){createTag(input:$input)}" as unknown as Operation<CreateTagMutation, CreateTagMutationVariables>;

export const AddOwners = "mutation AddOwners($input:AddOwnersInput!){addOwners(input:$input)}" as unknown as Operation<AddOwnersMutation, AddOwnersMutationVariables>;

export const RemoveOwner = "mutation RemoveOwner($input:RemoveOwnerInput!){removeOwner(input:$input)}" as unknown as Operation<RemoveOwnerMutation, RemoveOwnerMutationVariables>;

export const OwnershipTypes = "query OwnershipTypes($input:ListOwnershipTypesInput!){listOwnershipTypes(input:$input){ownershipTypes{urn info{name}}}}" as unknown as Operation<OwnershipTypesQuery, OwnershipTypesQueryVariables>;

export const SetDomain = "mutation SetDomain($urn:String!$domain:String!){setDomain(entityUrn:$urn domainUrn:$domain)}" as unknown as Operation<SetDomainMutation, SetDomainMutationVariables>;

export const UnsetDomain = "mutation UnsetDomain($urn:String!){unsetDomain(entityUrn:$urn)}" as unknown as Operation<UnsetDomainMutation, UnsetDomainMutationVariables>;

export const SetProduct = "mutation SetProduct($input:BatchSetDataProductInput!){batchSetDataProduct(input:$input)}" as unknown as Operation<SetProductMutation, SetProductMutationVariables>;

export const Describe = "mutation Describe($input:DescriptionUpdateInput!){updateDescription(input:$input)}" as unknown as Operation<DescribeMutation, DescribeMutationVariables>;

export const DescribeChart = "mutation DescribeChart($urn:String!$input:ChartUpdateInput!){updateChart(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeChartMutation, DescribeChartMutationVariables>;

export const DescribeDashboard = "mutation DescribeDashboard($urn:String!$input:DashboardUpdateInput!){updateDashboard(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeDashboardMutation, DescribeDashboardMutationVariables>;

export const DescribeFlow = "mutation DescribeFlow($urn:String!$input:DataFlowUpdateInput!){updateDataFlow(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeFlowMutation, DescribeFlowMutationVariables>;

export const DescribeJob = "mutation DescribeJob($urn:String!$input:DataJobUpdateInput!){updateDataJob(urn:$urn input:$input){urn}}" as unknown as Operation<DescribeJobMutation, DescribeJobMutationVariables>;

export const AddLink = "mutation AddLink($input:AddLinkInput!){addLink(input:$input)}" as unknown as Operation<AddLinkMutation, AddLinkMutationVariables>;

export const RemoveLink = "mutation RemoveLink($input:RemoveLinkInput!){removeLink(input:$input)}" as unknown as Operation<RemoveLinkMutation, RemoveLinkMutationVariables>;

export const AddApplication = "mutation AddApplication($input:BatchSetApplicationInput!){batchSetApplication(input:$input)}" as unknown as Operation<AddApplicationMutation, AddApplicationMutationVariables>;

export const RemoveApplication = "mutation RemoveApplication($input:BatchUnsetApplicationInput!){batchUnsetApplication(input:$input)}" as unknown as Operation<RemoveApplicationMutation, RemoveApplicationMutationVariables>;

export const SetParentApplication = "mutation SetParentApplication($urn:String!$parent:String!){updateApplication(urn:$urn input:{parentApplication:$parent}){urn}}" as unknown as Operation<SetParentApplicationMutation, SetParentApplicationMutationVariables>;

export const RenameAsset = "mutation RenameAsset($input:UpdateNameInput!){updateName(input:$input)}" as unknown as Operation<RenameAssetMutation, RenameAssetMutationVariables>;

export const Deprecate = "mutation Deprecate($input:UpdateDeprecationInput!){updateDeprecation(input:$input)}" as unknown as Operation<DeprecateMutation, DeprecateMutationVariables>;

export const SetProperties = "mutation SetProperties($input:UpsertStructuredPropertiesInput!){upsertStructuredProperties(input:$input){properties{associatedUrn}}}" as unknown as Operation<SetPropertiesMutation, SetPropertiesMutationVariables>;

export const RemoveProperties = "mutation RemoveProperties($input:RemoveStructuredPropertiesInput!){removeStructuredProperties(input:$input){properties{associatedUrn}}}" as unknown as Operation<RemovePropertiesMutation, RemovePropertiesMutationVariables>;
