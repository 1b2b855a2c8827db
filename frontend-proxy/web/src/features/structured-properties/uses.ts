import { numberIn } from "../../lib/answer";
import { typeInGraphQL } from "../../lib/asset";
import { run, type Operation } from "../../lib/request";
import { addressOf } from "../../shared/search/filters";
import type { Definition } from "../../shared/properties/definition";
import type { EntityType, SearchAcrossEntitiesInput } from "../../lib/schema";

const fieldOf = ({ qualifiedName }: Definition) => `structuredProperties.${qualifiedName}`;

/** The asset types that can have properties, as in URNs; also the options of this page. */
export const carriers = [
  "dataset",
  "schemaField",
  "chart",
  "dashboard",
  "dataFlow",
  "dataJob",
  "container",
  "dataProduct",
  "domain",
  "glossaryTerm",
  "glossaryNode",
  "mlModel",
  "mlModelGroup",
  "mlFeature",
  "mlFeatureTable",
  "application",
  "corpuser",
  "corpGroup",
];

const inputOf = (property: Definition): SearchAcrossEntitiesInput => ({
  // An unknown type may be missing in GraphQL. The search then uses its default types.
  ...(property.carriers.every((type) => carriers.includes(type)) ? { types: property.carriers.map(typeInGraphQL) as EntityType[] } : {}),
  query: "*",
  start: 0,
  count: 0,
  orFilters: [{ and: [{ field: fieldOf(property), condition: "EXISTS" }] }],
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

type Totals = Readonly<Record<string, { total: number | null } | null>>;

/**
 * A query that counts the uses of several properties. Its text depends on their number, so it is not a fixed
 * document.
 */
export const countingText = (properties: number) => {
  const all = Array.from({ length: properties }, (_, at) => at);
  return `query PropertyUses(${all.map((at) => `$i${at}:SearchAcrossEntitiesInput!`).join(" ")}){${all.map((at) => `u${at}:searchAcrossEntities(input:$i${at}){total}`).join(" ")}}`;
};

/** The numbers of assets and columns with a value of each property, by URN. Properties without a count are omitted. */
export async function readUses(properties: readonly Definition[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const named = properties.filter(({ qualifiedName }) => qualifiedName !== "");
  if (named.length === 0) {
    return new Map();
  }
  const operation = countingText(named.length) as unknown as Operation<Totals, Record<string, SearchAcrossEntitiesInput>>;
  const { data } = await run(operation, Object.fromEntries(named.map((property, at) => [`i${at}`, inputOf(property)])), signal);
  return new Map(
    named.flatMap(({ urn }, at): [string, number][] => {
      const total = numberIn(data[`u${at}`]?.total);
      return total === undefined ? [] : [[urn, total]];
    }),
  );
}

/**
 * The address of the search for assets with a value of a property; null for properties of columns only, which the
 * search does not list.
 */
export const usesAddress = (property: Definition) =>
  property.carriers.every((type) => type === "schemaField")
    ? null
    : `/search?${addressOf({ query: "*", filters: [{ field: fieldOf(property), values: [], negated: false, condition: "EXISTS" }], any: false, view: "", sort: "best", page: 1 }).toString()}`;
