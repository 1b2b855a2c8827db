/** An operator with its label and its number of values. */
export interface Operator {
  name: string;
  word: string;
  values: 0 | 1 | "many";
}

/** The supported operators. */
export const operators: readonly Operator[] = [
  { name: "exists", word: "exists", values: 0 },
  { name: "not_exists", word: "is missing", values: 0 },
  { name: "equals", word: "is", values: "many" },
  { name: "not_equals", word: "is not", values: "many" },
  { name: "contains", word: "contains", values: "many" },
  { name: "not_contains", word: "does not contain", values: "many" },
  { name: "starts_with", word: "starts with", values: "many" },
  { name: "ends_with", word: "ends with", values: "many" },
  { name: "regex", word: "matches", values: "many" },
  { name: "not_regex", word: "does not match", values: "many" },
  { name: "is_true", word: "is true", values: 0 },
  { name: "is_false", word: "is false", values: 0 },
  { name: "greater_than", word: "is more than", values: 1 },
  { name: "greater_than_or_equal", word: "is at least", values: 1 },
  { name: "less_than", word: "is less than", values: 1 },
  { name: "less_than_or_equal", word: "is at most", values: 1 },
  { name: "before", word: "is before", values: 1 },
  { name: "after", word: "is after", values: 1 },
];

/** The operator with a name in any common spelling; undefined if unknown. */
export const operatorOf = (name: string) => {
  const plain = name.toLowerCase().replaceAll(/[\s-]/g, "_");
  const known = plain === "in" ? "equals" : plain === "not_in" ? "not_equals" : plain;
  return operators.find((operator) => operator.name === known);
};

/** Entity types that tests commonly select. Other types can be typed. */
export const types: Record<string, string> = {
  dataset: "Datasets",
  dashboard: "Dashboards",
  chart: "Charts",
  dataFlow: "Pipelines",
  dataJob: "Pipeline tasks",
  container: "Containers",
  dataProduct: "Data products",
  domain: "Domains",
  glossaryTerm: "Glossary terms",
  tag: "Tags",
  mlModel: "ML models",
  mlModelGroup: "ML model groups",
  mlFeature: "ML features",
  mlFeatureTable: "ML feature tables",
};

/** Properties for suggestions. Other properties of the service can be typed. */
export const properties: readonly string[] = [
  "owners", "ownership.owners.owner", "ownership.owners.typeUrn", "hasOwners", "description", "editedDescription", "hasDescription", "tags", "hasTags", "glossaryTerms",
  "hasGlossaryTerms", "domains", "deprecated", "deprecation.note", "deprecation.replacement", "platform", "origin", "name", "urn", "entityType", "createdAt", "lastModifiedAt",
  "upstreamLineage.upstreams.dataset", "relationships.DownstreamOf.incoming", "datasetProperties.customProperties.", "structuredProperties.urn:li:structuredProperty:",
  "usageFeatures.queryCountPercentileLast30Days", "usageFeatures.queryCountLast30Days", "storageFeatures.rowCount", "timeseries.datasetProfile.rowCount.latest.30d",
];

/** A parameter of an action. */
export interface Parameter {
  name: string;
  word: string;
  many?: boolean;
  optional?: boolean;
}

const urns = (name: string, word: string): Parameter => ({ name, word, many: true });

/** The supported actions with labels and parameters. */
export const actions: Record<string, { word: string; takes: readonly Parameter[] }> = {
  ADD_TAGS: { word: "Add tags", takes: [urns("tags", "Tags")] },
  REMOVE_TAGS: { word: "Remove tags", takes: [urns("tags", "Tags")] },
  ADD_TERMS: { word: "Add terms", takes: [urns("terms", "Terms")] },
  REMOVE_TERMS: { word: "Remove terms", takes: [urns("terms", "Terms")] },
  ADD_OWNERS: { word: "Add owners", takes: [urns("owners", "Owners"), { name: "ownershipType", word: "Ownership type", optional: true }] },
  REMOVE_OWNERS: { word: "Remove owners", takes: [urns("owners", "Owners")] },
  SET_DOMAIN: { word: "Set the domain", takes: [{ name: "domain", word: "Domain" }] },
  UNSET_DOMAIN: { word: "Take the domain away", takes: [] },
  SET_DEPRECATION: { word: "Deprecate", takes: [{ name: "note", word: "Note", optional: true }, { name: "replacement", word: "Replacement", optional: true }] },
  UNSET_DEPRECATION: { word: "Take the deprecation back", takes: [] },
  SET_STRUCTURED_PROPERTY: { word: "Set a structured property", takes: [{ name: "property", word: "Property" }, { name: "values", word: "Values", many: true }] },
  UNSET_STRUCTURED_PROPERTY: { word: "Take a structured property away", takes: [{ name: "property", word: "Property" }] },
  ASSIGN_FORM: { word: "Assign a form", takes: [{ name: "formUrn", word: "Form" }] },
  UNASSIGN_FORM: { word: "Take a form away", takes: [{ name: "formUrn", word: "Form" }] },
  SET_FORM_PROMPT_INCOMPLETE: { word: "Ask a question of a form again", takes: [{ name: "formUrn", word: "Form" }, { name: "formPromptId", word: "Question" }] },
  WEBHOOK: { word: "Tell a webhook", takes: [{ name: "url", word: "Address" }] },
};
