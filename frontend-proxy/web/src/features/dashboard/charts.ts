import { nameIn } from "../../shared/entities/entities";
import { lineName, stateIn, type State } from "../../lib/line";
import { typeOf } from "../../lib/asset";
import { listIn, numberIn, textIn } from "../../lib/answer";
import type { DashboardChartsQuery } from "./charts.operations";
import type { SourceFragment } from "./sources.operations";

/** What a chart reads from. */
export interface Source {
  urn: string;
  type: string;
  name: string;
  state: State | undefined;
  /** It may not be viewed, and has no name. */
  restricted: boolean;
}

/** A chart of a dashboard, or a dashboard within it. */
export interface Chart {
  urn: string;
  name: string;
  kind: string;
  described: boolean;
  /** The paths of the columns that it shows. */
  shows: readonly string[];
  sources: readonly Source[];
  /** How many sources it has, of which those that are read are the first. */
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

// A kind that this build does not know is shown as the server spells it.
const kindOfChart = (type: string) => (Object.hasOwn(kinds, type) ? (kinds[type] ?? type) : type);

type Item = NonNullable<NonNullable<NonNullable<NonNullable<NonNullable<DashboardChartsQuery["entity"]>["relationships"]>["relationships"]>[number]>["entity"]>;
type Identified<Entity> = Entity & { urn: string };

const has = <Entity extends { urn: string | null }>(value: Entity | null): value is Identified<Entity> => textIn(value?.urn) !== "";

/** What a source is called that may not be viewed. */
export const restrictedName = "Restricted asset";

const sourceIn = (entity: Identified<SourceFragment>): Source => {
  const restricted = textIn(entity.type) === "RESTRICTED";
  return {
    urn: entity.urn,
    type: typeOf(entity.urn),
    name: restricted ? restrictedName : lineName(entity),
    state: stateIn(listIn(entity.health)),
    restricted,
  };
};

/** What something reads from, of which those that are told are the first. */
export const sourcesIn = (entity: { sources?: { relationships: readonly ({ entity: SourceFragment | null } | null)[] | null } | null } | null | undefined): Source[] =>
  listIn(entity?.sources?.relationships)
    .map((each) => each.entity)
    .filter(has)
    .map(sourceIn);

function chartIn(entity: Identified<Item>): Chart {
  const type = typeOf(entity.urn);
  const sources = sourcesIn(entity);
  return {
    urn: entity.urn,
    name: nameIn(entity),
    kind: type === "dashboard" ? "Dashboard" : kindOfChart(textIn(entity.chart?.type)),
    described: [entity.editableProperties?.description, entity.chart?.description, entity.dashboard?.description].some((each) => textIn(each).trim() !== ""),
    shows: [...new Set(listIn(entity.inputFields?.fields).map((each) => textIn(each.schemaField?.fieldPath)).filter(Boolean))],
    sources,
    sourceCount: Math.max(numberIn(entity.sources?.total) ?? 0, sources.length),
    views: numberIn(entity.stats?.viewCountLast30Days),
  };
}

/** Reads what a dashboard is made of, each thing once and the most viewed first. */
export function chartsIn(answer: DashboardChartsQuery | null): Charts {
  const related = answer?.entity?.relationships;
  const found = listIn(related?.relationships)
    .map((each) => each.entity)
    .filter(has)
    .map(chartIn);
  const charts = [...new Map(found.map((chart) => [chart.urn, chart])).values()].toSorted((a, b) => (b.views ?? 0) - (a.views ?? 0));
  return { total: Math.max(numberIn(related?.total) ?? 0, charts.length), charts };
}

/** Whether a source is not well. */
export const isBad = ({ state }: Source) => state !== undefined && state.tone !== "ok";

/** Whether a source of a chart is not well. */
export const isDoubtful = ({ sources }: Chart) => sources.some(isBad);

/** The sources that are not well, each once. */
export const doubtfulSources = (charts: readonly Chart[]): Source[] => [...new Map(charts.flatMap(({ sources }) => sources.filter(isBad)).map((source) => [source.urn, source])).values()];
