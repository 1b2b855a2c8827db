import { aggregationsIn } from "../../lib/found";
import { lineName } from "../../lib/line";
import { at as inside, listIn, numberIn, textIn } from "../../lib/loose";
import { sortInput, sorts, type Filter } from "../../shared/search/filters";
import type { BrowseAssetsQuery, BrowseAssetsQueryVariables, BrowseQuery, BrowseQueryVariables } from "./browse.operations";

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

const nested = "_entityType␞typeNames";

/** What narrows a list to a kind: a type, or a type and what its platform calls it, as in DATASET␞View. */
export const kindFilter = (kind: string): Filter[] => (kind === "" ? [] : [{ field: kind.includes("␞") ? nested : "_entityType", values: [kind], negated: false, condition: "EQUAL" }]);

/** The list of the assets at a place and below it: what is sought, of which kind, in which order. */
export interface List {
  find: string;
  kind: string;
  /** The usual one if it is empty: the best match of what is sought, else those that most people use first. */
  sort: string;
  start: number;
}

/** The orders of a list; nothing sought has no best match. */
export const sortsOf = (find: string) => sorts.filter(({ value }) => value !== "best" || find.trim() !== "");

/** The order of a list. One that it cannot have is as if none were asked for. */
export const sortOf = ({ find, sort }: Pick<List, "find" | "sort">) => sortsOf(find).find(({ value }) => value === sort) ?? sortsOf(find)[0] ?? sorts[0];

const and = (filters: readonly Filter[]) => [{ and: filters.map(({ field, values }) => ({ field, values: [...values] })) }];

/** What to ask for a page of the list. */
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
    // The kinds keep their counts whichever of them is chosen.
    kinds: { types: [...types], query, facets: ["_entityType", nested], orFilters: and(filtersOf(place)) },
  };
}

/** The kinds of what is listed, most first: what its platform calls it, or its type where no platform says more. */
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

const groupsOf = (level: Level | null | undefined) => listIn(inside(level, "groups")).filter((group) => textIn(inside(group, "name")) !== "") as Level["groups"];

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
  const platforms = aggregationsIn(answer.platforms, "platform");
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
      const groups = groupsOf(level);
      if (groups.length === 0) {
        return []; // nothing lies deeper
      }
      return [
        {
          title: titleOf(groups),
          depth,
          steps: groups.map(({ name, count, entity }) => ({ key: name, name: entity ? lineName(entity) : name, count, urn: entity?.urn })).toSorted((a, b) => a.name.localeCompare(b.name)),
          more: Math.max(0, (numberIn(inside(level, "total")) ?? 0) - groups.length),
          open: place.path[depth],
        },
      ];
    }),
  ];
}
