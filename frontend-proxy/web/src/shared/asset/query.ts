import { checksInput, mostFailing } from "../failing/inputs";
import { Asset, type AssetQuery, type FacetFilterInput } from "./head.operations";

/** A member of an asset in the response of the header query. */
export type Part = keyof NonNullable<AssetQuery["entity"]>;

type TypeName = Parameters<typeof Asset.of>[0];

// The types in the GraphQL schema, by their names in URNs. For other types the page reads raw aspects.
const typeNames: Readonly<Record<string, TypeName>> = {
  application: "Application",
  assertion: "Assertion",
  businessAttribute: "BusinessAttribute",
  chart: "Chart",
  container: "Container",
  corpGroup: "CorpGroup",
  corpuser: "CorpUser",
  dashboard: "Dashboard",
  dataFlow: "DataFlow",
  dataJob: "DataJob",
  dataPlatform: "DataPlatform",
  dataPlatformInstance: "DataPlatformInstance",
  dataProcessInstance: "DataProcessInstance",
  dataProduct: "DataProduct",
  dataset: "Dataset",
  document: "Document",
  domain: "Domain",
  erModelRelationship: "ERModelRelationship",
  glossaryNode: "GlossaryNode",
  glossaryTerm: "GlossaryTerm",
  incident: "Incident",
  metric: "Metric",
  mlFeature: "MLFeature",
  mlFeatureTable: "MLFeatureTable",
  mlModel: "MLModel",
  mlModelGroup: "MLModelGroup",
  mlPrimaryKey: "MLPrimaryKey",
  notebook: "Notebook",
  query: "QueryEntity",
  role: "Role",
  schemaField: "SchemaFieldEntity",
  semanticModel: "SemanticModel",
  structuredProperty: "StructuredPropertyEntity",
  tag: "Tag",
  test: "Test",
};

const typeNameOf = (type: string): TypeName | undefined => (Object.hasOwn(typeNames, type) ? typeNames[type] : undefined);

/** The names in URNs of the types in the GraphQL schema. */
export const shapedTypes: readonly string[] = Object.keys(typeNames);

/** Reports whether the GraphQL schema has a type. */
export const isShaped = (type: string) => typeNameOf(type) !== undefined;

/** The members of an asset that the header query reads for a type. It is empty for types without a GraphQL type. */
export function partsOf(type: string): ReadonlySet<Part> {
  const name = typeNameOf(type);
  return new Set(name ? (Asset.members(name) as Part[]) : []);
}

const typesWith = (part: Part) => shapedTypes.filter((type) => partsOf(type).has(part));

/** The types that can have lineage. */
export const withLineage = typesWith("upstream");

/** The types that accept forms. */
export const governed = typesWith("forms");

/**
 * Reports whether the GraphQL type has the member exists. The service sets it only for actors who may view the
 * entity.
 */
export const tellsExistence = (type: string) => partsOf(type).has("exists");

/** Reports whether a type can have checks and incidents. */
export const hasHealth = (type: string) => partsOf(type).has("health");

const described: ReadonlySet<string> = new Set([
  "application",
  "businessAttribute",
  "chart",
  "container",
  "corpGroup",
  "dashboard",
  "dataFlow",
  "dataJob",
  "dataProduct",
  "dataset",
  "document",
  "domain",
  "glossaryNode",
  "glossaryTerm",
  "mlFeature",
  "mlFeatureTable",
  "mlModel",
  "mlModelGroup",
  "mlPrimaryKey",
  "notebook",
  "tag",
]);

/** Reports whether the description of a type can be edited in the UI. */
export const isDescribable = (type: string) => described.has(type);

// The index fields that find the contents of an entity, by entity type.
const held: Readonly<Record<string, readonly string[]>> = {
  application: ["applications", "parentApplication"],
  container: ["container"],
  corpGroup: ["owners"],
  corpuser: ["owners"],
  dataPlatform: ["platform"],
  dataPlatformInstance: ["platformInstance"],
  dataProduct: ["dataProduct"],
  domain: ["domains"],
  glossaryTerm: ["glossaryTerms", "fieldGlossaryTerms", "editedFieldGlossaryTerms"],
  tag: ["tags", "fieldTags", "editedFieldTags"],
};

/** The filters of a search for the contents of an entity; empty for types without such contents. */
export const filtersOf = (type: string, urn: string) => (Object.hasOwn(held, type) ? (held[type] ?? []) : []).map((field) => ({ and: [{ field, values: [urn] }] }));

// The types with a summary of their assets.
const summarized: ReadonlySet<string> = new Set(["application", "dataProduct", "domain"]);

const exists = (field: string): FacetFilterInput => ({ field, condition: "EXISTS", values: [] });

// The searches that count contained assets with an owner, with a description and with an open incident, and a page of
// failing checks of the whole catalog.
function summaryOf(type: string, filters: ReturnType<typeof filtersOf>) {
  const all = { query: "*", start: 0, count: 0, searchFlags: { skipAggregates: true } };
  const some = (...more: FacetFilterInput[]) => ({ ...all, orFilters: filters.flatMap(({ and }) => more.map((criterion) => ({ and: [...and, criterion] }))) });
  return {
    owned: some(exists("owners")),
    described: some(exists("description"), exists("editedDescription")),
    troubled: some({ field: "hasActiveIncidents", values: ["true"] }),
    ...(type === "domain" ? { offered: { ...all, types: ["DATA_PRODUCT" as const], orFilters: filters } } : {}),
    failing: checksInput("failing", 0, mostFailing),
  };
}

// The relationships to the contents of an entity: direction and relationship types, by entity type.
const related: Readonly<Record<string, { types: readonly string[]; direction: "INCOMING" | "OUTGOING" }>> = {
  dashboard: { types: ["Contains", "DashboardContainsDashboard"], direction: "OUTGOING" },
  dataFlow: { types: ["IsPartOf"], direction: "INCOMING" },
  glossaryNode: { types: ["IsPartOf"], direction: "INCOMING" },
  mlFeatureTable: { types: ["Contains"], direction: "OUTGOING" },
  mlModelGroup: { types: ["MemberOf"], direction: "INCOMING" },
};

/** The relationships to the contents of an entity; undefined for types without such contents. */
export const relationshipsOf = (type: string) => (Object.hasOwn(related, type) ? related[type] : undefined);

/** The header query of an asset and its variables. It throws for types that are missing from the GraphQL schema. */
export function queryOf(type: string, urn: string) {
  const name = typeNameOf(type);
  if (!name) {
    throw new Error(`there is no query for the type ${type}`);
  }
  const filters = filtersOf(type, urn);
  const variables = {
    urn,
    ...(filters.length > 0 ? { held: { query: "*", start: 0, count: 0, orFilters: filters } } : {}),
    ...(summarized.has(type) ? summaryOf(type, filters) : {}),
  };
  return { operation: Asset.of(name), variables };
}
