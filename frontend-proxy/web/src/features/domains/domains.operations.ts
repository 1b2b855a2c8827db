// Written by scripts/codegen.mjs from domains.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AggregateAcrossEntitiesInput, AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ListDomainsInput, MoveDomainInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder } from "../../lib/schema";

export type { AggregateAcrossEntitiesInput, AndFilterInput, EntityType, FacetFilterInput, FilterOperator, GroupingCriterion, GroupingSpec, ListDomainsInput, MoveDomainInput, SearchAcrossEntitiesInput, SearchFlags, SearchSortInput, SortCriterion, SortOrder };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type ListedDomainFragment = { urn: string, properties: { name: string, description: string | null } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, parentDomains: { domains: Array<
      | { urn: string }
      | { urn: string }
      | { urn: string }
      | { urn: string, properties: { name: string } | null }
    > } | null, below: { total: number | null } | null, assets: { total: number } | null, owned: { total: number } | null, described: { total: number } | null, troubled: { total: number } | null };

export type DomainsOfQueryVariables = Exact<{
  input: ListDomainsInput;
}>;

export type DomainsOfQuery = { listDomains: { total: number, domains: Array<{ urn: string, properties: { name: string, description: string | null } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
            | { urn: string, name: string, group: { displayName: string | null } | null }
          , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, parentDomains: { domains: Array<
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { urn: string, properties: { name: string } | null }
        > } | null, below: { total: number | null } | null, assets: { total: number } | null, owned: { total: number } | null, described: { total: number } | null, troubled: { total: number } | null }> } | null };

export type DomainOverviewQueryVariables = Exact<{
  urn: string;
  below: ListDomainsInput;
  products: SearchAcrossEntitiesInput;
  assets: AggregateAcrossEntitiesInput;
}>;

export type DomainOverviewQuery = { domain: { urn: string, properties: { name: string, description: string | null } | null, ownership: { owners: Array<{ owner:
          | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
          | { urn: string, name: string, group: { displayName: string | null } | null }
        , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, parentDomains: { domains: Array<
        | { urn: string }
        | { urn: string }
        | { urn: string }
        | { urn: string, properties: { name: string } | null }
      > } | null, below: { total: number | null } | null, assets: { total: number } | null, owned: { total: number } | null, described: { total: number } | null, troubled: { total: number } | null } | null, below: { total: number, domains: Array<{ urn: string, properties: { name: string, description: string | null } | null, ownership: { owners: Array<{ owner:
            | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
            | { urn: string, name: string, group: { displayName: string | null } | null }
          , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, parentDomains: { domains: Array<
          | { urn: string }
          | { urn: string }
          | { urn: string }
          | { urn: string, properties: { name: string } | null }
        > } | null, below: { total: number | null } | null, assets: { total: number } | null, owned: { total: number } | null, described: { total: number } | null, troubled: { total: number } | null }> } | null, products: { total: number, searchResults: Array<{ entity: { urn: string, product: { name: string, description: string | null, numAssets: number | null } | null, domain: { domain: { urn: string, properties: { name: string } | null } } | null, ownership: { owners: Array<{ owner:
              | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
              | { urn: string, name: string, group: { displayName: string | null } | null }
            , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null } }> } | null, types: { facets: Array<{ field: string, aggregations: Array<{ value: string, count: number }> }> | null } | null };

export type FindDomainsQueryVariables = Exact<{
  input: SearchAcrossEntitiesInput;
}>;

export type FindDomainsQuery = { searchAcrossEntities: { total: number, searchResults: Array<{ entity: { urn: string, properties: { name: string, description: string | null } | null, ownership: { owners: Array<{ owner:
              | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
              | { urn: string, name: string, group: { displayName: string | null } | null }
            , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null, parentDomains: { domains: Array<
            | { urn: string }
            | { urn: string }
            | { urn: string }
            | { urn: string, properties: { name: string } | null }
          > } | null, below: { total: number | null } | null, assets: { total: number } | null, owned: { total: number } | null, described: { total: number } | null, troubled: { total: number } | null } }> } | null };

export type MoveDomainMutationVariables = Exact<{
  input: MoveDomainInput;
}>;

export type MoveDomainMutation = { moveDomain: boolean | null };

export type DeleteDomainMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteDomainMutation = { deleteDomain: boolean | null };

export type ListedProductFragment = { urn: string, product: { name: string, description: string | null, numAssets: number | null } | null, domain: { domain: { urn: string, properties: { name: string } | null } } | null, ownership: { owners: Array<{ owner:
        | { urn: string, username: string, person: { displayName: string | null, fullName: string | null } | null, edited: { displayName: string | null } | null }
        | { urn: string, name: string, group: { displayName: string | null } | null }
      , ownershipType: { urn: string, info: { name: string } | null } | null }> | null } | null };

export const DomainsOf = "query DomainsOf($input:ListDomainsInput!){listDomains(input:$input){total domains{...ListedDomain}}}fragment ListedDomain on Domain{urn properties{name description}ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}parentDomains{domains{urn ...on Domain{properties{name}}}}below:relationships(input:{types:[\"IsPartOf\"]direction:INCOMING count:1 relatedEntityTypes:[\"DOMAIN\"]}){total}assets:entities(input:{count:0}){total}owned:entities(input:{count:0 filters:[{field:\"owners\" condition:EXISTS}]}){total}described:entities(input:{count:0 filters:[{field:\"description\" condition:EXISTS}]}){total}troubled:entities(input:{count:0 filters:[{field:\"hasActiveIncidents\" values:[\"true\"]}]}){total}}" as unknown as Operation<DomainsOfQuery, DomainsOfQueryVariables>;

export const DomainOverview = "query DomainOverview($urn:String!$below:ListDomainsInput!$products:SearchAcrossEntitiesInput!$assets:AggregateAcrossEntitiesInput!){domain(urn:$urn){...ListedDomain}below:listDomains(input:$below){total domains{...ListedDomain}}products:searchAcrossEntities(input:$products){total searchResults{entity{...ListedProduct}}}types:aggregateAcrossEntities(input:$assets){facets{field aggregations{value count}}}}fragment ListedDomain on Domain{urn properties{name description}ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}parentDomains{domains{urn ...on Domain{properties{name}}}}below:relationships(input:{types:[\"IsPartOf\"]direction:INCOMING count:1 relatedEntityTypes:[\"DOMAIN\"]}){total}assets:entities(input:{count:0}){total}owned:entities(input:{count:0 filters:[{field:\"owners\" condition:EXISTS}]}){total}described:entities(input:{count:0 filters:[{field:\"description\" condition:EXISTS}]}){total}troubled:entities(input:{count:0 filters:[{field:\"hasActiveIncidents\" values:[\"true\"]}]}){total}}fragment ListedProduct on DataProduct{urn product:properties{name description numAssets}domain{domain{urn properties{name}}}ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}}" as unknown as Operation<DomainOverviewQuery, DomainOverviewQueryVariables>;

export const FindDomains = "query FindDomains($input:SearchAcrossEntitiesInput!){searchAcrossEntities(input:$input){total searchResults{entity{...ListedDomain}}}}fragment ListedDomain on Domain{urn properties{name description}ownership{owners{owner{...on CorpUser{urn username person:properties{displayName fullName}edited:editableProperties{displayName}}...on CorpGroup{urn name group:properties{displayName}}}ownershipType{urn info{name}}}}parentDomains{domains{urn ...on Domain{properties{name}}}}below:relationships(input:{types:[\"IsPartOf\"]direction:INCOMING count:1 relatedEntityTypes:[\"DOMAIN\"]}){total}assets:entities(input:{count:0}){total}owned:entities(input:{count:0 filters:[{field:\"owners\" condition:EXISTS}]}){total}described:entities(input:{count:0 filters:[{field:\"description\" condition:EXISTS}]}){total}troubled:entities(input:{count:0 filters:[{field:\"hasActiveIncidents\" values:[\"true\"]}]}){total}}" as unknown as Operation<FindDomainsQuery, FindDomainsQueryVariables>;

export const MoveDomain = "mutation MoveDomain($input:MoveDomainInput!){moveDomain(input:$input)}" as unknown as Operation<MoveDomainMutation, MoveDomainMutationVariables>;

export const DeleteDomain = "mutation DeleteDomain($urn:String!){deleteDomain(urn:$urn)}" as unknown as Operation<DeleteDomainMutation, DeleteDomainMutationVariables>;
