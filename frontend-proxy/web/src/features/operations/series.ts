// The time series of the model, by their names in lower case, which indices are called by. The name that the model spells
// stands with what it holds in words.
const known: Readonly<Record<string, readonly [name: string, words: string]>> = {
  assertionrunevent: ["assertionRunEvent", "Results of checks"],
  chartusagestatistics: ["chartUsageStatistics", "Use of charts"],
  dashboardusagestatistics: ["dashboardUsageStatistics", "Use of dashboards"],
  datahubingestioncheckpoint: ["datahubIngestionCheckpoint", "Checkpoints of ingestion"],
  datahubingestionrunsummary: ["datahubIngestionRunSummary", "Summaries of ingestion"],
  dataprocessinstancerunevent: ["dataProcessInstanceRunEvent", "Runs of tasks"],
  datasetprofile: ["datasetProfile", "Profiles of datasets"],
  datasetusagestatistics: ["datasetUsageStatistics", "Use of datasets"],
  documentusagestatistics: ["documentUsageStatistics", "Use of documents"],
  operation: ["operation", "Writes to datasets"],
  queryusagestatistics: ["queryUsageStatistics", "Use of queries"],
  testrunevent: ["testRunEvent", "Results of test runs"],
};

const of = (aspect: string) => {
  const key = aspect.toLowerCase();
  return Object.hasOwn(known, key) ? known[key] : undefined;
};

/** An aspect of a time series as the model spells it; as it came where it is not known here. */
export const seriesName = (aspect: string) => of(aspect)?.[0] ?? aspect;

/** What a time series holds, in words; its name where it is not known here. */
export const seriesWords = (aspect: string) => of(aspect)?.[1] ?? aspect;
