/** Families of asset types. Types of a family share an icon colour. */
export type Family = "data" | "flow" | "report" | "govern" | "people" | "other";

interface Kind {
  /** The singular in running text. */
  one: string;
  many: string;
  family: Family;
  /** The first segment of the address, if it differs from the type name; links of other clients rely on it. */
  path?: string;
  /** The type in GraphQL, if it is not the type name in upper case with underscores. */
  type?: string;
}

// Types whose display name differs from the model, or that have a colour or an address of their own.
const kinds: Readonly<Record<string, Kind>> = {
  // The proxy handles all paths below /api itself.
  api: { one: "API", many: "APIs", family: "flow", path: "apis" },
  application: { one: "application", many: "applications", family: "govern" },
  assertion: { one: "check", many: "checks", family: "govern" },
  businessAttribute: { one: "business attribute", many: "business attributes", family: "govern" },
  chart: { one: "chart", many: "charts", family: "report" },
  container: { one: "container", many: "containers", family: "people" },
  corpGroup: { one: "group", many: "groups", family: "people", path: "group" },
  corpuser: { one: "person", many: "people", family: "people", path: "user", type: "CORP_USER" },
  dashboard: { one: "dashboard", many: "dashboards", family: "report" },
  dataContract: { one: "data contract", many: "data contracts", family: "govern" },
  dataFlow: { one: "pipeline", many: "pipelines", family: "flow", path: "pipelines" },
  dataJob: { one: "task", many: "tasks", family: "flow", path: "tasks" },
  dataPlatform: { one: "platform", many: "platforms", family: "other", path: "platform" },
  dataPlatformInstance: { one: "platform instance", many: "platform instances", family: "other" },
  dataProcessInstance: { one: "run", many: "runs", family: "flow" },
  dataProduct: { one: "data product", many: "data products", family: "govern" },
  dataset: { one: "dataset", many: "datasets", family: "data" },
  document: { one: "document", many: "documents", family: "govern" },
  domain: { one: "domain", many: "domains", family: "govern" },
  form: { one: "form", many: "forms", family: "govern" },
  glossaryNode: { one: "term group", many: "term groups", family: "govern" },
  glossaryTerm: { one: "term", many: "terms", family: "govern" },
  incident: { one: "incident", many: "incidents", family: "govern" },
  metric: { one: "metric", many: "metrics", family: "report" },
  mlFeature: { one: "feature", many: "features", family: "data", path: "features", type: "MLFEATURE" },
  mlFeatureTable: { one: "feature table", many: "feature tables", family: "data", path: "featureTables", type: "MLFEATURE_TABLE" },
  mlModel: { one: "model", many: "models", family: "report", path: "mlModels", type: "MLMODEL" },
  mlModelGroup: { one: "model group", many: "model groups", family: "report", type: "MLMODEL_GROUP" },
  mlPrimaryKey: { one: "primary key", many: "primary keys", family: "data", path: "mlPrimaryKeys", type: "MLPRIMARY_KEY" },
  notebook: { one: "notebook", many: "notebooks", family: "report" },
  query: { one: "query", many: "queries", family: "data" },
  role: { one: "access role", many: "access roles", family: "people" },
  schemaField: { one: "column", many: "columns", family: "data" },
  semanticModel: { one: "semantic model", many: "semantic models", family: "data" },
  structuredProperty: { one: "structured property", many: "structured properties", family: "govern" },
  tag: { one: "tag", many: "tags", family: "govern" },
  test: { one: "test", many: "tests", family: "govern" },
};

const capitals = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").toUpperCase();

const words = (name: string) => (name === name.toUpperCase() ? name.toLowerCase().replaceAll("_", " ") : name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2").toLowerCase());

const byType: ReadonlyMap<string, string> = new Map(Object.entries(kinds).map(([name, { type }]) => [type ?? capitals(name), name]));

const byPath: ReadonlyMap<string, string> = new Map(Object.entries(kinds).flatMap(([name, { path }]) => (path ? [[path, name] as const] : [])));

/** The asset type in a URN: dataset for urn:li:dataset:(...). Empty if the text is not a URN. */
export const typeOf = (urn: string) => /^urn:li:([A-Za-z]\w*):./u.exec(urn)?.[1] ?? "";

/** The display names and the family of an asset type, given as in a URN or as in GraphQL. Unlisted types keep their own name. */
export function kindOf(type: string): Kind {
  const name = byType.get(type) ?? type;
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return known ?? { one: words(type) || "asset", many: type === "" ? "assets" : `${words(type)}s`.replace(/([^aeiou])ys$/u, "$1ies"), family: "other" };
}

/** Converts a type in a URN to the type in GraphQL: dataset to DATASET. */
export const typeInGraphQL = (name: string) => kinds[name]?.type ?? capitals(name);

/** Converts the first segment of an address to the type in a URN: pipelines to dataFlow. */
export const typeOfPath = (path: string) => byPath.get(path) ?? path;

/** The display name of an asset type for a count: "Datasets", or "Dataset" for 1. */
export function typeName(type: string, count: number): string {
  const { one, many } = kindOf(type);
  const text = count === 1 ? one : many;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The address of an asset page. The format is compatible with links of other clients. */
export function assetPath(urn: string, tab?: string): string {
  const type = typeOf(urn);
  const path = `/${kinds[type]?.path ?? (type || "asset")}/${encodeURIComponent(urn)}`;
  return tab ? `${path}/${encodeURIComponent(tab)}` : path;
}

/** A two-letter abbreviation of a platform: Sn for snowflake, BQ for BigQuery. */
export function monogram(platform: string): string {
  const name = platform.replace(/^urn:li:dataPlatform:/u, "").trim();
  const capital = /^[A-Z]\w*?([A-Z])/u.exec(name);
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const second = capital?.[1] ?? parts[1]?.charAt(0).toUpperCase() ?? parts[0]?.charAt(1).toLowerCase() ?? "";
  return (parts[0]?.charAt(0).toUpperCase() ?? "?") + second;
}
