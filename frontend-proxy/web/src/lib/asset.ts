/** Families of assets, which share the colour of their glyph. */
export type Family = "data" | "flow" | "report" | "govern" | "people" | "other";

interface Kind {
  /** What one is called in running text. */
  one: string;
  many: string;
  family: Family;
  /** The first part of its address, where other clients have kept another one than the name of its type. */
  path?: string;
  /** Its type in GraphQL, where that is not the name in capitals with underscores. */
  type?: string;
}

// The kinds that people speak of in other words than the model does, or that have a colour or an address of their own.
const kinds: Readonly<Record<string, Kind>> = {
  // Below /api the proxy answers itself.
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

/** The type of an asset as its URN names it: dataset of urn:li:dataset:(...). It is empty for what is no URN. */
export const typeOf = (urn: string) => /^urn:li:([A-Za-z]\w*):./u.exec(urn)?.[1] ?? "";

/** What a kind of assets is called and which family it belongs to, by its type in a URN or in GraphQL. Other types keep their own name. */
export function kindOf(type: string): Kind {
  const name = byType.get(type) ?? type;
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return known ?? { one: words(type) || "asset", many: type === "" ? "assets" : `${words(type)}s`.replace(/([^aeiou])ys$/u, "$1ies"), family: "other" };
}

/** A type in GraphQL by the one in a URN: DATASET for dataset. */
export const typeInGraphQL = (name: string) => kinds[name]?.type ?? capitals(name);

/** The type in a URN by the one of an address: dataFlow for pipelines. */
export const typeOfPath = (path: string) => byPath.get(path) ?? path;

/** What people call a kind of assets above a number: "Datasets", and "Dataset" if there is one. */
export function typeName(type: string, count: number): string {
  const { one, many } = kindOf(type);
  const text = count === 1 ? one : many;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The address of the page of an asset, which other clients have kept in the same shape. */
export function assetPath(urn: string, tab?: string): string {
  const type = typeOf(urn);
  const path = `/${kinds[type]?.path ?? (type || "asset")}/${encodeURIComponent(urn)}`;
  return tab ? `${path}/${encodeURIComponent(tab)}` : path;
}

/** Two letters that stand for a platform: Sn for snowflake, BQ for BigQuery. */
export function monogram(platform: string): string {
  const name = platform.replace(/^urn:li:dataPlatform:/u, "").trim();
  const capital = /^[A-Z]\w*?([A-Z])/u.exec(name);
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const second = capital?.[1] ?? parts[1]?.charAt(0).toUpperCase() ?? parts[0]?.charAt(1).toLowerCase() ?? "";
  return (parts[0]?.charAt(0).toUpperCase() ?? "?") + second;
}
