import { nameIn } from "../../lib/name";
import { stateIn, type State } from "../../lib/line";
import { typeOf } from "../../lib/asset";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { entitiesIn, type Identified } from "../../lib/found";
import type { DashboardChartsQuery } from "./charts.operations";
import type { SourceFragment } from "./sources.operations";

/** A source of a chart. */
export interface Source {
  urn: string;
  type: string;
  name: string;
  state: State | undefined;
  /** The actor may not view it. It has no name. */
  restricted: boolean;
}

/** A chart of a dashboard, or a nested dashboard. */
export interface Chart {
  urn: string;
  name: string;
  kind: string;
  described: boolean;
  /** The paths of the visible columns. */
  shows: readonly string[];
  sources: readonly Source[];
  /** The number of sources; only the first ones are listed. */
  sourceCount: number;
  views: number | undefined;
}

export interface Charts {
  total: number;
  charts: readonly Chart[];
}

const kinds: Readonly<Record<string, string>> = {
  AREA: "Areas",
  BAR: "Bars",
  BOX_PLOT: "Boxes",
  COHORT: "Cohorts",
  HISTOGRAM: "Histogram",
  LINE: "Line",
  PIE: "Pie",
  SCATTER: "Points",
  TABLE: "Table",
  TEXT: "Text",
  WORD_CLOUD: "Words",
};

// An unknown chart type is shown as the server spells it.
const kindOfChart = (type: string) => (Object.hasOwn(kinds, type) ? (kinds[type] ?? type) : type);

type Item = NonNullable<NonNullable<NonNullable<NonNullable<NonNullable<DashboardChartsQuery["entity"]>["relationships"]>["relationships"]>[number]>["entity"]>;

/** The label of a source that the actor may not view. */
export const restrictedName = "Restricted asset";

const sourceIn = (entity: Identified<SourceFragment>): Source => {
  const restricted = textIn(entity.type) === "RESTRICTED";
  return {
    urn: entity.urn,
    type: typeOf(entity.urn),
    name: restricted ? restrictedName : nameIn(entity),
    state: stateIn(listIn(entity.health)),
    restricted,
  };
};

/** Reads the sources of a chart; only the first ones are listed. */
export const sourcesIn = (entity: { sources?: { relationships: readonly ({ entity: SourceFragment | null } | null)[] | null } | null } | null | undefined): Source[] =>
  entitiesIn(listIn(entity?.sources?.relationships).map((each) => each.entity)).map(sourceIn);

function chartIn(entity: Identified<Item>): Chart {
  const type = typeOf(entity.urn);
  const sources = sourcesIn(entity);
  return {
    urn: entity.urn,
    name: nameIn({ urn: entity.urn, properties: entity.chart ?? entity.dashboard }),
    kind: type === "dashboard" ? "Dashboard" : kindOfChart(textIn(entity.chart?.type)),
    described: [entity.editableProperties?.description, entity.chart?.description, entity.dashboard?.description].some((each) => textIn(each).trim() !== ""),
    shows: [...new Set(listIn(entity.inputFields?.fields).map((each) => textIn(each.schemaField?.fieldPath)).filter(Boolean))],
    sources,
    sourceCount: Math.max(numberIn(entity.sources?.total) ?? 0, sources.length),
    views: numberIn(entity.stats?.viewCountLast30Days),
  };
}

/** Reads the charts of a dashboard without duplicates, most viewed first. */
export function chartsIn(answer: DashboardChartsQuery | null): Charts {
  const related = answer?.entity?.relationships;
  const found = entitiesIn(listIn(related?.relationships).map((each) => each.entity)).map(chartIn);
  const charts = [...new Map(found.map((chart) => [chart.urn, chart])).values()].toSorted((a, b) => (b.views ?? 0) - (a.views ?? 0));
  return { total: Math.max(numberIn(related?.total) ?? 0, charts.length), charts };
}

/** Reports whether a source is unhealthy. */
export const isBad = ({ state }: Source) => state !== undefined && state.tone !== "ok";

/** Reports whether a chart has an unhealthy source. */
export const isDoubtful = ({ sources }: Chart) => sources.some(isBad);

/** The unhealthy sources of charts, without duplicates. */
export const doubtfulSources = (charts: readonly Chart[]): Source[] => [...new Map(charts.flatMap(({ sources }) => sources.filter(isBad)).map((source) => [source.urn, source])).values()];
