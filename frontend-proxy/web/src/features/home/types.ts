const irregular: Record<string, string> = { CORP_USER: "people", CORP_GROUP: "groups", DATA_FLOW: "pipelines", DATA_JOB: "tasks", GLOSSARY_TERM: "terms", GLOSSARY_NODE: "term groups", MLMODEL: "models", MLMODEL_GROUP: "model groups", MLFEATURE: "features", MLFEATURE_TABLE: "feature tables", MLPRIMARY_KEY: "primary keys" };

/** What people call a type of assets, as "Datasets" or "Dataset"; a type this page does not know by its own name. */
export function typeName(type: string, count: number): string {
  const known = irregular[type];
  const words = known ?? `${type.toLowerCase().replaceAll("_", " ")}s`;
  const text = count === 1 ? { people: "person" }[words] ?? words.replace(/s$/u, "") : words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
