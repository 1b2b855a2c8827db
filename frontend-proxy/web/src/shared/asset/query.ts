import { checksInput, mostFailing } from "../failing/inputs";

// The head of a page in one request, composed of the parts that GraphQL has for the type of the asset. A test holds the
// table against the schema.

/** A part of an asset that many types have. */
export type Part = keyof typeof parts;

const person = "urn type ... on CorpUser { username properties { displayName fullName } editableProperties { displayName } } ... on CorpGroup { name properties { displayName } }";
const owner = "... on CorpUser { urn username properties { displayName fullName } editableProperties { displayName } } ... on CorpGroup { urn name properties { displayName } }";
const named = `${person} ... on Domain { domain: properties { name } } ... on GlossaryTerm { term: properties { name } } ... on Tag { tag: properties { name } } ... on Dataset { name }`;
const attribution = "attribution { time actor { urn } source { urn } }";

/** The selections of the parts, by the member of the type that holds each. */
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
  /** Its type in GraphQL. */
  on: string;
  /** What it is called, described by, and what else is in its head. */
  own: string;
  parts: readonly Part[];
  /** Whether it may belong to data products. */
  product?: boolean;
}

// One of the shortest members of each: how many there are is all that the head tells.
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

/** The types that GraphQL tells of, by their names in URNs. Of the others the page reads the aspects as they are. */
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

// By which field of the index what is in a thing is found.
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

/** The filters of a search for what is in a thing; none for types that hold nothing in this way. */
export const filtersOf = (type: string, urn: string) => (Object.hasOwn(held, type) ? (held[type] ?? []) : []).map((field) => ({ and: [{ field, values: [urn] }] }));

// The types that hold assets which people keep well or not, and where an asset says that it is in one.
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

// What of that which is in a thing has an owner, has a description, and is in trouble, and the checks that fail anywhere.
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

// By which relationships other things hold theirs: the name, whether they point here, and the types.
const related: Readonly<Record<string, { types: readonly string[]; direction: "INCOMING" | "OUTGOING" }>> = {
  dashboard: { types: ["Contains", "DashboardContainsDashboard"], direction: "OUTGOING" },
  dataFlow: { types: ["IsPartOf"], direction: "INCOMING" },
  glossaryNode: { types: ["IsPartOf"], direction: "INCOMING" },
  mlFeatureTable: { types: ["Contains"], direction: "OUTGOING" },
  mlModelGroup: { types: ["MemberOf"], direction: "INCOMING" },
};

/** The relationships to what is in a thing, undefined for types that hold nothing in this way. */
export const relationshipsOf = (type: string) => (Object.hasOwn(related, type) ? related[type] : undefined);

/** The types whose assets can be made from others, or others from them. */
export const withLineage: readonly string[] = ["dataset", "dataJob", "dataFlow", "chart", "dashboard", "mlModel", "mlModelGroup", "mlFeature", "mlFeatureTable", "mlPrimaryKey", "dataProcessInstance"];

/** The types that forms can be assigned to. */
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

/** Whether the text about things of a type can be changed here. */
export const isDescribable = (type: string) => described.has(type);

// As the graph draws it, which shows siblings as assets of their own.
const lineage = "upstream: lineage(input: { direction: UPSTREAM, start: 0, count: 0, separateSiblings: true }) { total } downstream: lineage(input: { direction: DOWNSTREAM, start: 0, count: 0, separateSiblings: true }) { total }";
const forms = "forms { incompleteForms { form { urn } } completedForms { form { urn } } }";

const products = 'products: relationships(input: { types: ["DataProductContains"], direction: INCOMING, start: 0, count: 20, includeSoftDelete: false }) { relationships { entity { urn ... on DataProduct { properties { name } } } } }';

/** Whether GraphQL tells of a type. */
export const isShaped = (type: string) => Object.hasOwn(shapes, type);

/** Whether GraphQL says of an entity of a type that it exists, which it does only to those who may view it. */
export const tellsExistence = (type: string) => shapes[type]?.parts.includes("exists") === true;

/** Whether checks and incidents can be about things of a type. */
export const hasHealth = (type: string) => Object.hasOwn(shapes, type) && shapes[type]?.parts.includes("health") === true;

/** The query of the head of an asset, and its variables. It is for types that GraphQL tells of. */
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
