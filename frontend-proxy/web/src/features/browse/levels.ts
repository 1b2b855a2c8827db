import { lineName } from "../../lib/line";
import { sortInput, type Filter } from "../search/filters";
import type { BrowseAssetsQueryVariables, BrowseQuery, BrowseQueryVariables } from "./browse.operations";

/** Where somebody stands: a platform, and the steps below it as the index names them. */
export interface Place {
  platform: string;
  path: readonly string[];
}

/** How many levels below the platform stand beside each other; those above them fold into a path. */
export const beside = 3;

// More than these are not told apart in one level.
const most = 1000;

// What lies in folders. Containers are folders themselves.
const types = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "MLMODEL", "MLMODEL_GROUP", "MLFEATURE_TABLE"] as const;

/** How many assets a page of the list has. */
export const size = 50;

const platformIs = (platform: string) => ({ field: "platform", values: [platform] });

/** The depths of the columns behind that of the platforms. */
export const depthsOf = ({ platform, path }: Place): number[] =>
  platform === "" ? [] : Array.from({ length: path.length + 1 }, (_, depth) => depth).slice(-beside);

/** What to ask for the columns. */
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

/** What a list of the assets at a place and below it is searched by. */
export const filtersOf = ({ platform, path }: Place): Filter[] => [
  { field: "platform", values: [platform], negated: false, condition: "EQUAL" },
  ...(path.length > 0 ? [{ field: "browsePathV2", values: [path.map((step) => separator + step).join("")], negated: false, condition: "EQUAL" }] : []),
];

/** What to ask for a page of the assets at a place and below it, those that most people use first. */
export const assetsAsked = (place: Place, find: string, start: number): BrowseAssetsQueryVariables => ({
  input: {
    types: [...types],
    query: find.trim() || "*",
    start,
    count: size,
    orFilters: [{ and: filtersOf(place).map(({ field, values }) => ({ field, values: [...values] })) }],
    searchFlags: { skipHighlighting: true },
    ...(find.trim() === "" ? { sortInput: sortInput("used") ?? null } : {}),
  },
});

/** A line of a column. */
export interface Step {
  /** What an address calls it: the URN of a platform, else the name of the step in the index. */
  key: string;
  name: string;
  count: number;
  /** The page of it, if it has one. */
  urn: string | undefined;
}

export interface Column {
  title: string;
  /** How many steps below the platform lead to what it lists; -1 for the platforms themselves. */
  depth: number;
  steps: readonly Step[];
  /** How many more there are than are listed. */
  more: number;
  /** The step that is open. */
  open: string | undefined;
}

type Level = NonNullable<BrowseQuery["first"]>;

// What the folders of a level are, if they say so alike: "Schema".
function titleOf(groups: Level["groups"]): string {
  const kinds = new Set(
    groups.map(({ entity }) => {
      const { subTypes } = (entity ?? {}) as { subTypes?: { typeNames?: readonly (string | null)[] | null } | null };
      return subTypes?.typeNames?.[0] ?? "";
    }),
  );
  const [only] = kinds;
  return kinds.size === 1 && only ? only : "Folder";
}

const byCount = (a: Step, b: Step) => b.count - a.count || a.name.localeCompare(b.name);

/** The columns of a place: the platforms, and the levels below the one that is open. */
export function columnsOf(answer: BrowseQuery, place: Place): Column[] {
  const platforms = (answer.platforms?.facets ?? []).find(({ field }) => field === "platform")?.aggregations ?? [];
  const levels = [answer.first, answer.second, answer.third];
  return [
    {
      title: "Platform",
      depth: -1,
      steps: platforms
        .filter(({ count }) => count > 0)
        .map(({ value, count, entity }) => ({ key: value, name: entity ? lineName(entity) : value, count, urn: entity?.urn }))
        .toSorted(byCount),
      more: 0,
      open: place.platform || undefined,
    },
    ...depthsOf(place).flatMap((depth, at) => {
      const level = levels[at];
      if (!level || level.groups.length === 0) {
        return []; // nothing lies deeper
      }
      return [
        {
          title: titleOf(level.groups),
          depth,
          steps: level.groups.map(({ name, count, entity }) => ({ key: name, name: entity ? lineName(entity) : name, count, urn: entity?.urn })).toSorted((a, b) => a.name.localeCompare(b.name)),
          more: Math.max(0, level.total - level.groups.length),
          open: place.path[depth],
        },
      ];
    }),
  ];
}
