import { listIn, numberIn, textIn } from "../../lib/answer";
import { aggregationsIn } from "../../lib/found";
import { nameIn, type Named } from "../../lib/name";
import { sortInput, sorts, type Filter } from "../../shared/search/filters";
import type { BrowseAssetsQuery, BrowseAssetsQueryVariables, BrowseQuery, BrowseQueryVariables, LevelFragment } from "./browse.operations";

/** A place in the tree: a platform, and the path below it in names of the index. */
export interface Place {
  platform: string;
  path: readonly string[];
}

/** The maximum number of levels in columns below the platform. Levels above are shown as a path. */
export const beside = 3;

// The maximum number of folders per level.
const most = 1000;

// The asset types in folders. Containers are folders themselves.
const types = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "MLMODEL", "MLMODEL_GROUP", "MLFEATURE_TABLE"] as const;

/** The page size of the list. */
export const size = 50;

const platformIs = (platform: string) => ({ field: "platform", values: [platform] });

/** The depths of the columns after the platform column. */
export const depthsOf = ({ platform, path }: Place): number[] =>
  platform === "" ? [] : Array.from({ length: path.length + 1 }, (_, depth) => depth).slice(-beside);

/** The query variables for the columns. */
export function columnsAsked(place: Place): BrowseQueryVariables {
  const level = (depth: number | undefined) => ({
    types: [...types],
    path: place.path.slice(0, depth ?? 0),
    start: 0,
    count: most,
    query: "*",
    orFilters: [{ and: [platformIs(place.platform)] }],
  });
  const [first, second, third] = depthsOf(place);
  return {
    platforms: { types: [...types], query: "*", facets: ["platform"] },
    ...(first === undefined ? {} : { first: level(first), withFirst: true }),
    ...(second === undefined ? {} : { second: level(second), withSecond: true }),
    ...(third === undefined ? {} : { third: level(third), withThird: true }),
  };
}

const separator = "␟";

/** The filters for assets at or below a place. */
export const filtersOf = ({ platform, path }: Place): Filter[] => [
  { field: "platform", values: [platform], negated: false, condition: "EQUAL" },
  ...(path.length > 0 ? [{ field: "browsePathV2", values: [path.map((step) => separator + step).join("")], negated: false, condition: "EQUAL" }] : []),
];

const nested = "_entityType␞typeNames";

/** The filter for a kind: a type, or a type and a subtype, as in DATASET␞View. */
export const kindFilter = (kind: string): Filter[] => (kind === "" ? [] : [{ field: kind.includes("␞") ? nested : "_entityType", values: [kind], negated: false, condition: "EQUAL" }]);

/** The list of the assets at or below a place: search text, kind and order. */
export interface List {
  find: string;
  kind: string;
  /** If empty, the default applies: best match with a search text, else most used first. */
  sort: string;
  start: number;
}

/** The sort orders of a list. Best match requires a search text. */
export const sortsOf = (find: string) => sorts.filter(({ value }) => value !== "best" || find.trim() !== "");

/** The sort order of a list. An unsupported order falls back to the default. */
export const sortOf = ({ find, sort }: Pick<List, "find" | "sort">) => sortsOf(find).find(({ value }) => value === sort) ?? sortsOf(find)[0] ?? sorts[0];

const and = (filters: readonly Filter[]) => [{ and: filters.map(({ field, values }) => ({ field, values: [...values] })) }];

/** The query variables for a page of the list. */
export function assetsAsked(place: Place, list: List): BrowseAssetsQueryVariables {
  const query = list.find.trim() || "*";
  const order = sortInput(sortOf(list)?.value ?? "best");
  return {
    input: {
      types: [...types],
      query,
      start: list.start,
      count: size,
      orFilters: and([...filtersOf(place), ...kindFilter(list.kind)]),
      searchFlags: { skipHighlighting: true, skipAggregates: true },
      ...(order ? { sortInput: order } : {}),
    },
    // The counts of kinds ignore the selected kind.
    kinds: { types: [...types], query, facets: ["_entityType", nested], orFilters: and(filtersOf(place)) },
  };
}

/** The kinds of listed assets by count: the subtype, or the type for assets without a subtype. */
export function kindsOf(answer: BrowseAssetsQuery | undefined): { kind: string; count: number }[] {
  const subTypes = aggregationsIn(answer?.kinds, nested).filter(({ value }) => value.includes("␞"));
  const plain = aggregationsIn(answer?.kinds, "_entityType").filter(({ value }) => !subTypes.some((each) => each.value.startsWith(`${value}␞`)));
  return [...subTypes, ...plain]
    .filter(({ count }) => count > 0)
    .map(({ value, count }) => ({ kind: value, count }))
    .toSorted((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
}

/** A line of a column. */
export interface Step {
  /** The key in the address: the URN of a platform, or the index name of a folder. */
  key: string;
  name: string;
  count: number;
  /** The URN of its page, if it has one. */
  urn: string | undefined;
}

export interface Column {
  title: string;
  /** The depth of the listed level below the platform; -1 for the column of platforms. */
  depth: number;
  steps: readonly Step[];
  /** The number of steps that are not listed. */
  more: number;
  /** The open step. */
  open: string | undefined;
}

type Groups = NonNullable<NonNullable<LevelFragment["groups"]>[number]>[];

// The common subtype of the folders of a level, as in "Schema"; only if all of them share it.
function titleOf(groups: Groups): string {
  const kinds = new Set(groups.map(({ entity }) => textIn(listIn(entity?.subTypes?.typeNames)[0])));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : "Folder";
}

const stepOf = (key: string, count: number | null, entity: (Named & { urn: string | null }) | null): Step => ({ key, name: (entity && nameIn(entity)) || key, count: numberIn(count) ?? 0, urn: textIn(entity?.urn) || undefined });

const byCount = (a: Step, b: Step) => b.count - a.count || a.name.localeCompare(b.name);

/** The columns of a place: the platforms, and the visible levels of the path. */
export function columnsOf(answer: BrowseQuery, place: Place): Column[] {
  const platforms = aggregationsIn(answer.platforms, "platform");
  const levels = [answer.first, answer.second, answer.third];
  return [
    {
      title: "Platform",
      depth: -1,
      steps: platforms
        .filter(({ count }) => count > 0)
        .map(({ value, count, entity }) => stepOf(value, count, entity))
        .toSorted(byCount),
      more: 0,
      open: place.platform || undefined,
    },
    ...depthsOf(place).flatMap((depth, at) => {
      const level = levels[at];
      const groups = listIn(level?.groups).filter(({ name }) => textIn(name) !== "");
      if (groups.length === 0) {
        return []; // a leaf level has no column
      }
      return [
        {
          title: titleOf(groups),
          depth,
          steps: groups.map(({ name, count, entity }) => stepOf(textIn(name), count, entity)).toSorted((a, b) => a.name.localeCompare(b.name)),
          more: Math.max(0, (numberIn(level?.total) ?? 0) - groups.length),
          open: place.path[depth],
        },
      ];
    }),
  ];
}
