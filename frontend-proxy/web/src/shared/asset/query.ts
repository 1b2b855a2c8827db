import { checksInput, mostFailing } from "../failing/inputs";

// The query for the page header in one request. It is composed of the parts that the GraphQL schema has for the asset
// type. A test compares the table with the schema.

/** A part of the query that many types share. */
export type Part = keyof typeof parts;

const person = "urn type ... on CorpUser { username properties { displayName fullName } editableProperties { displayName } } ... on CorpGroup { name properties { displayName } }";
const owner = "... on CorpUser { urn username properties { displayName fullName } editableProperties { displayName } } ... on CorpGroup { urn name properties { displayName } }";
const named = `${person} ... on Domain { domain: properties { name } } ... on GlossaryTerm { term: properties { name } } ... on Tag { tag: properties { name } } ... on Dataset { name }`;
const attribution = "attribution { time actor { urn } source { urn } }";

/** The selections of the parts, by the name of the selected member. */
export const parts = {
  platform: "platform { urn name properties { displayName } }",
  dataPlatformInstance: "dataPlatformInstance { urn instanceId }",
  subTypes: "subTypes { typeNames }",
  parentContainers: "parentContainers { containers { urn properties { name } } }",
  parentNodes: "parentNodes { nodes { urn properties { name } } }",
  parentDomains: "parentDomains { domains { urn ... on Domain { properties { name } } } }",
  parentApplications: "parentApplications { applications { urn properties { name } } }",
  deprecation: `deprecation { deprecated decommissionTime note actorEntity { ${person} } replacement { urn } }`,
  health: "health { type status message activeIncidentHealthDetails { count } latestAssertionStatusByType { statusCount } }",
  ownership: `ownership { owners { owner { ${owner} } ownershipType { urn info { name } } ${attribution} } }`,
  tags: `tags { tags { tag { urn properties { name colorHex } } ${attribution} } }`,
  glossaryTerms: `glossaryTerms { terms { term { urn name properties { name } } ${attribution} } }`,
  domain: "domain { domain { urn properties { name } } }",
  applications: "applications { application { urn properties { name } } }",
  structuredProperties:
    `structuredProperties { properties { structuredProperty { urn definition { displayName qualifiedName description cardinality immutable valueType { urn } typeQualifier { allowedTypes { info { type } } } allowedValues { value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } description } } settings { isHidden showInAssetSummary } } values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { ${named} } } }`,
  institutionalMemory: "institutionalMemory { elements { url label created { time actor } } }",
  status: "status { removed }",
  lastIngested: "lastIngested",
  exists: "exists",
  privileges:
    "privileges { canManageEntity canEditProperties canEditTags canEditGlossaryTerms canEditDescription canEditLinks canEditDomains canEditDataProducts canEditOwners canEditQueries canEditIncidents canEditDeprecation canEditSchemaFieldTags canEditSchemaFieldGlossaryTerms canEditSchemaFieldDescription }",
} as const;

interface Shape {
  /** The type in GraphQL. */
  on: string;
  /** The selection of name, description and other type-specific header data. */
  own: string;
  parts: readonly Part[];
  /** Whether the type can belong to data products. */
  product?: boolean;
}

// The header needs only the list lengths, so each selection contains one of the shortest members.
const columns = "columns: schemaMetadata { fields { nullable } }";
const pairs = "customProperties { key value }";
const stamps = "created { time actor } lastModified { time actor }";
const edited = "edited: editableProperties { description }";
const user = "urn username properties { displayName fullName } editableProperties { displayName }";
const belonging = 'types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"]';
const viewed = "stats: statsSummary { uniqueUserCountLast30Days }";
const ran = "runs(start: 0, count: 1) { total runs { urn properties { name created { time } } state(limit: 20) { status attempt timestampMillis durationMillis result { resultType nativeResultType } } } }";
const told = `name description externalUrl ${pairs}`;

const kept: readonly Part[] = ["ownership", "tags", "glossaryTerms", "domain", "structuredProperties", "institutionalMemory", "deprecation", "status", "exists", "privileges"];
const asset: readonly Part[] = [...kept, "platform", "dataPlatformInstance", "applications", "lastIngested"];
const built: readonly Part[] = [...asset, "subTypes", "parentContainers", "health"];
const learned: readonly Part[] = [...kept, "dataPlatformInstance", "applications", "lastIngested"];

/** The types in the GraphQL schema, by their names in URNs. For other types the page reads raw aspects. */
export const shapes: Readonly<Record<string, Shape>> = {
  application: { on: "Application", own: `props: properties { ${told} }`, parts: ["parentApplications", ...kept.filter((part) => part !== "deprecation")] },
  assertion: { on: "Assertion", own: `props: info { type description externalUrl ${pairs} }`, parts: ["platform", "dataPlatformInstance", "ownership", "tags", "status"] },
  businessAttribute: { on: "BusinessAttribute", own: `props: properties { name description ${pairs} ${stamps} }`, parts: ["ownership", "institutionalMemory", "status", "privileges"] },
  chart: { on: "Chart", own: `props: properties { ${told} ${stamps} lastRefreshed } ${edited} ${viewed} columns: inputFields { fields { schemaFieldUrn } }`, parts: built, product: true },
  container: { on: "Container", own: `props: properties { ${told} qualifiedName } ${edited}`, parts: built.filter((part) => part !== "health"), product: true },
  corpGroup: {
    on: "CorpGroup",
    own: `name props: properties { displayName description email slack } edited: editableProperties { description email slack } members: relationships(input: { ${belonging}, direction: INCOMING, start: 0, count: 0 }) { total }`,
    parts: ["ownership", "structuredProperties", "exists", "privileges"],
  },
  corpuser: {
    on: "CorpUser",
    own: `username state: status props: properties { displayName fullName title email departmentName manager { ${user} } ${pairs} } edited: editableProperties { displayName title description: aboutMe email slack phone skills } teams: relationships(input: { ${belonging}, direction: OUTGOING, start: 0, count: 20 }) { total relationships { entity { ... on CorpGroup { urn name properties { displayName } } } } }`,
    parts: ["tags", "structuredProperties", "exists", "privileges"],
  },
  dashboard: { on: "Dashboard", own: `props: properties { ${told} ${stamps} lastRefreshed } ${edited} ${viewed}`, parts: built, product: true },
  dataFlow: { on: "DataFlow", own: `props: properties { ${told} } ${edited} ${ran}`, parts: built, product: true },
  dataJob: { on: "DataJob", own: `props: properties { ${told} } ${edited} flow: dataFlow { urn properties { name } } ${ran}`, parts: built, product: true },
  dataPlatform: { on: "DataPlatform", own: "name props: properties { displayName }", parts: ["lastIngested"] },
  dataPlatformInstance: { on: "DataPlatformInstance", own: `instanceId props: properties { ${told} }`, parts: ["platform", "ownership", "tags", "institutionalMemory", "deprecation", "status"] },
  dataProcessInstance: {
    on: "DataProcessInstance",
    own: `props: properties { name externalUrl ${pairs} created { time actor } }`,
    parts: ["platform", "dataPlatformInstance", "subTypes", "parentContainers", "status", "exists"],
  },
  dataProduct: { on: "DataProduct", own: `props: properties { ${told} }`, parts: [...kept.filter((part) => part !== "status"), "applications"] },
  dataset: {
    on: "Dataset",
    own: `name props: properties { ${told} qualifiedName created lastModified { time actor } } edited: editableProperties { name description } stats: statsSummary { uniqueUserCountLast30Days queryCountLast30Days } profile: datasetProfiles(limit: 1) { timestampMillis rowCount columnCount } operations(limit: 1) { lastUpdatedTimestamp } checks: assertions(start: 0, count: 0) { total } runs(start: 0, count: 0, direction: INCOMING) { total } ${columns} tests: testResults { passing { test { urn } } failing { test { urn } } }`,
    parts: built,
    product: true,
  },
  document: {
    on: "Document",
    own: `props: info { name: title ${pairs} } subType`,
    parts: ["platform", "dataPlatformInstance", "ownership", "tags", "glossaryTerms", "domain", "structuredProperties", "institutionalMemory", "lastIngested", "exists", "privileges"],
  },
  domain: {
    on: "Domain",
    own: `props: properties { name description ${pairs} } below: relationships(input: { types: ["IsPartOf"], direction: INCOMING, start: 0, count: 0, relatedEntityTypes: ["DOMAIN"], includeSoftDelete: false }) { total }`,
    parts: ["parentDomains", "ownership", "structuredProperties", "institutionalMemory", "deprecation", "privileges"],
  },
  erModelRelationship: {
    on: "ERModelRelationship",
    own: "props: properties { name cardinality } edited: editableProperties { name description }",
    parts: ["ownership", "tags", "glossaryTerms", "institutionalMemory", "status", "privileges"],
  },
  glossaryNode: {
    on: "GlossaryNode",
    own: `props: properties { name description ${pairs} }`,
    parts: ["parentNodes", "ownership", "tags", "domain", "structuredProperties", "institutionalMemory", "applications", "exists", "privileges"],
  },
  glossaryTerm: {
    on: "GlossaryTerm",
    own: `name props: properties { name description termSource sourceUrl ${pairs} }`,
    parts: ["parentNodes", "ownership", "tags", "domain", "structuredProperties", "institutionalMemory", "applications", "deprecation", "status", "exists", "privileges"],
  },
  incident: { on: "Incident", own: "title description state: incidentStatus { state message }", parts: ["tags"] },
  metric: {
    on: "Metric",
    own: "props: info { name description externalUrl }",
    parts: [...kept, "platform", "dataPlatformInstance", "subTypes", "lastIngested"],
  },
  mlFeature: { on: "MLFeature", own: `name description props: properties { description dataType ${pairs} } ${edited}`, parts: learned, product: true },
  mlFeatureTable: { on: "MLFeatureTable", own: `name description props: properties { description ${pairs} } ${edited}`, parts: [...learned, "platform"], product: true },
  mlModel: { on: "MLModel", own: `name description props: properties { ${told} version type ${stamps} } ${edited}`, parts: [...learned, "platform"], product: true },
  mlModelGroup: { on: "MLModelGroup", own: `name description props: properties { ${told} ${stamps} } ${edited}`, parts: [...learned, "platform"], product: true },
  mlPrimaryKey: { on: "MLPrimaryKey", own: `name description props: properties { description dataType ${pairs} } ${edited}`, parts: learned, product: true },
  notebook: {
    on: "Notebook",
    own: `props: info { name: title description externalUrl ${pairs} } ${edited}`,
    parts: ["platform", "dataPlatformInstance", "subTypes", "ownership", "tags", "glossaryTerms", "domain", "institutionalMemory", "applications", "status", "exists"],
  },
  query: { on: "QueryEntity", own: `props: properties { name description ${pairs} }`, parts: ["platform"] },
  role: { on: "Role", own: "props: properties { name description externalUrl: requestUrl type }", parts: [] },
  schemaField: {
    on: "SchemaFieldEntity",
    own: `fieldPath parent { urn type ... on Dataset { name } } documentation { documentations { documentation } }`,
    parts: ["structuredProperties", "tags", "glossaryTerms", "deprecation", "status"],
  },
  semanticModel: {
    on: "SemanticModel",
    own: "props: info { name description externalUrl }",
    parts: [...kept, "platform", "dataPlatformInstance", "subTypes", "lastIngested"],
  },
  structuredProperty: { on: "StructuredPropertyEntity", own: "props: definition { displayName name: qualifiedName description cardinality }", parts: ["exists"] },
  tag: { on: "Tag", own: "props: properties { name description colorHex }", parts: ["ownership", "deprecation"] },
  test: { on: "Test", own: "name description category", parts: [] },
};

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

// The types with a summary of their assets, and the selection that finds the membership of an asset in them.
const keeping: Readonly<Record<string, string>> = {
  application: "applications { application { urn } }",
  dataProduct: 'products: relationships(input: { types: ["DataProductContains"], direction: INCOMING, start: 0, count: 20, includeSoftDelete: false }) { relationships { entity { urn } } }',
  domain: "domain { domain { urn } }",
};

interface Criterion {
  field: string;
  values: readonly string[];
  condition?: string;
}

const exists = (field: string): Criterion => ({ field, condition: "EXISTS", values: [] });

// The searches that count contained assets with an owner, with a description and with an open incident, and a page of
// failing checks of the whole catalog.
function keepingOf(type: string, filters: ReturnType<typeof filtersOf>): { declared: string; asked: string; variables: Record<string, unknown> } {
  const membership = Object.hasOwn(keeping, type) ? keeping[type] : undefined;
  if (!membership) {
    return { declared: "", asked: "", variables: {} };
  }
  const all = { query: "*", start: 0, count: 0, searchFlags: { skipAggregates: true } };
  const some = (...more: Criterion[]) => ({ ...all, orFilters: filters.flatMap(({ and }) => more.map((criterion) => ({ and: [...and, criterion] }))) });
  const counts = {
    owned: some(exists("owners")),
    described: some(exists("description"), exists("editedDescription")),
    troubled: some({ field: "hasActiveIncidents", values: ["true"] }),
    ...(type === "domain" ? { offered: { ...all, types: ["DATA_PRODUCT"], orFilters: filters } } : {}),
  };
  const names = Object.keys(counts);
  return {
    declared: [...names, "failing"].map((name) => `, $${name}: SearchAcrossEntitiesInput!`).join(""),
    asked: `${names.map((name) => ` ${name}: searchAcrossEntities(input: $${name}) { total }`).join("")} failing: searchAcrossEntities(input: $failing) { total searchResults { entity { ... on Assertion { dataset { urn ${membership} } } } } }`,
    variables: { ...counts, failing: checksInput("failing", 0, mostFailing) },
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

/** The types that can have lineage. */
export const withLineage: readonly string[] = ["dataset", "dataJob", "dataFlow", "chart", "dashboard", "mlModel", "mlModelGroup", "mlFeature", "mlFeatureTable", "mlPrimaryKey", "dataProcessInstance"];

/** The types that accept forms. */
export const governed: readonly string[] = [
  "application",
  "chart",
  "container",
  "corpGroup",
  "corpuser",
  "dashboard",
  "dataFlow",
  "dataJob",
  "dataProduct",
  "dataset",
  "domain",
  "glossaryNode",
  "glossaryTerm",
  "mlFeature",
  "mlFeatureTable",
  "mlModel",
  "mlModelGroup",
  "mlPrimaryKey",
];

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

// Siblings count as separate assets, as in the lineage graph.
const lineage = "upstream: lineage(input: { direction: UPSTREAM, start: 0, count: 0, separateSiblings: true }) { total } downstream: lineage(input: { direction: DOWNSTREAM, start: 0, count: 0, separateSiblings: true }) { total }";
const forms = "forms { incompleteForms { form { urn } } completedForms { form { urn } } }";

const products = 'products: relationships(input: { types: ["DataProductContains"], direction: INCOMING, start: 0, count: 20, includeSoftDelete: false }) { relationships { entity { urn ... on DataProduct { properties { name } } } } }';

/** Reports whether the GraphQL schema has a type. */
export const isShaped = (type: string) => Object.hasOwn(shapes, type);

/**
 * Reports whether the GraphQL type has the member exists. The service sets it only for actors who may view the
 * entity.
 */
export const tellsExistence = (type: string) => shapes[type]?.parts.includes("exists") === true;

/** Reports whether a type can have checks and incidents. */
export const hasHealth = (type: string) => Object.hasOwn(shapes, type) && shapes[type]?.parts.includes("health") === true;

/** The header query of an asset and its variables. It throws for types that are missing from the GraphQL schema. */
export function queryOf(type: string, urn: string): { query: string; variables: Record<string, unknown> } {
  const shape = shapes[type];
  if (!shape) {
    throw new Error(`there is no query for the type ${type}`);
  }
  const filters = filtersOf(type, urn);
  const edges = relationshipsOf(type);
  const count = edges
    ? `held: relationships(input: { types: ${JSON.stringify(edges.types)}, direction: ${edges.direction}, start: 0, count: 0, includeSoftDelete: false }) { total }`
    : "";
  const inside = [shape.own, ...shape.parts.map((part) => parts[part]), shape.product ? products : "", withLineage.includes(type) ? lineage : "", governed.includes(type) ? forms : "", count].filter(Boolean).join(" ");
  const queries = type === "dataset" ? " queries: listQueries(input: { start: 0, count: 0, datasetUrn: $urn }) { total } reports: searchAcrossLineage(input: { urn: $urn, direction: DOWNSTREAM, types: [DASHBOARD], query: \"*\", start: 0, count: 0, searchFlags: { skipAggregates: true } }) { total isPartial }" : "";
  const search = filters.length > 0 ? " held: searchAcrossEntities(input: $held) { total }" : "";
  const keep = keepingOf(type, filters);
  return {
    query: `query Asset($urn: String!${search ? ", $held: SearchAcrossEntitiesInput!" : ""}${keep.declared}) { entityExists(urn: $urn) entity(urn: $urn) { __typename urn type ... on ${shape.on} { ${inside} } }${search}${keep.asked}${queries} }`,
    variables: { urn, ...(search ? { held: { query: "*", start: 0, count: 0, orFilters: filters } } : {}), ...keep.variables },
  };
}
