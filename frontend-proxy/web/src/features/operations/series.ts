// The time series of the model by lower-case name, as used in index names, with the model name and a description.
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

/** The model name of a time-series aspect; unchanged if unknown. */
export const seriesName = (aspect: string) => of(aspect)?.[0] ?? aspect;

/** The description of a time series; its name if unknown. */
export const seriesWords = (aspect: string) => of(aspect)?.[1] ?? aspect;
