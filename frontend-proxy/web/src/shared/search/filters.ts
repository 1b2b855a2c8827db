import { typeName } from "../../lib/asset";
import { aggregationsIn, type Aggregated, type FacetRow } from "../../lib/found";
import type { Named } from "../../lib/name";
import type { AggregateAcrossEntitiesInput, AndFilterInput, FacetFilterInput, SearchAcrossEntitiesInput, SearchSortInput } from "../../lib/schema";

/** A filter of search results: a field and its accepted values. */
export interface Filter {
  field: string;
  values: readonly string[];
  negated: boolean;
  condition: string;
}

/** The search state in an address. */
export interface Asked {
  query: string;
  filters: readonly Filter[];
  /** Combines the filters with OR instead of AND. */
  any: boolean;
  view: string;
  sort: Sort;
  page: number;
}

export type Sort = "best" | "used" | "changed" | "name";

export const sorts: readonly { value: Sort; label: string }[] = [
  { value: "best", label: "Best match" },
  { value: "used", label: "Most used" },
  { value: "changed", label: "Newest change" },
  { value: "name", label: "Name" },
];

/** The facets in page order. Their number must not exceed the number of placeholders in the search query. */
export const facets: readonly { field: string; title: string }[] = [
  { field: "_entityType", title: "Type" },
  { field: "platform", title: "Platform" },
  { field: "domains", title: "Domain" },
  { field: "owners", title: "Owner" },
  { field: "tags", title: "Tag" },
  { field: "glossaryTerms", title: "Term" },
  { field: "origin", title: "Environment" },
  { field: "typeNames", title: "Subtype" },
  { field: "hasActiveIncidents", title: "Health" },
];

const titles: ReadonlyMap<string, string> = new Map([
  ...facets.map(({ field, title }): [string, string] => [field, title]),
  ["browsePathV2", "Path"],
  ["_entityType␞typeNames", "Type"],
  ["container", "Container"],
  ["dataProduct", "Data product"],
  ["applications", "Application"],
  ["platformInstance", "Platform instance"],
  ["fieldTags", "Column tag"],
  ["fieldGlossaryTerms", "Column term"],
  ["fieldPaths", "Column"],
  ["hasDescription", "Has a description"],
  ["hasOwners", "Has an owner"],
  ["deprecated", "Deprecated"],
  ["removed", "Removed"],
  ["failingTests", "Failing test"],
  ["passingTests", "Passing test"],
]);

/** The display name of a filter field. An unknown field keeps its index name. */
export const titleOf = (field: string) => titles.get(field) ?? field;

const prefix = "filter_";
const gap = "___";
const conditions: Readonly<Record<string, string>> = {
  EQUAL: "is",
  IN: "is",
  IEQUAL: "is",
  CONTAIN: "contains",
  START_WITH: "starts with",
  END_WITH: "ends with",
  EXISTS: "exists",
  GREATER_THAN: "is above",
  GREATER_THAN_OR_EQUAL_TO: "is at least",
  LESS_THAN: "is below",
  LESS_THAN_OR_EQUAL_TO: "is at most",
  DESCENDANTS_INCL: "is within",
  ANCESTORS_INCL: "is or holds",
  RELATED_INCL: "is related to",
};

/** The text between field name and values. */
export const conditionText = ({ condition, negated }: Filter) => {
  const words = conditions[condition] ?? condition;
  if (!negated) {
    return words;
  }
  return words.startsWith("is") ? words.replace("is", "is not") : `not ${words}`;
};

// Older addresses use the field name entity for the type.
const named = (field: string) => (field === "entity" ? "_entityType" : field);

const mostFilters = 50;
const mostValues = 500;

function read(key: string, value: string): Filter | undefined {
  const [field = "", negated = "false", condition = "EQUAL"] = key.slice(prefix.length).split(gap);
  const values = value
    .split(",")
    .slice(0, mostValues)
    .map((each) => each.replaceAll("%2C", ","))
    .filter((each) => each !== "");
  const known = Object.hasOwn(conditions, condition);
  return field !== "" && known && (values.length > 0 || condition === "EXISTS") ? { field: named(field), values, negated: negated === "true", condition } : undefined;
}

const isView = (text: string) => /^urn:li:dataHubView:./u.test(text);

const isSort = (text: string): text is Sort => sorts.some(({ value }) => value === text);

// The value for no view. An address without a view selects the default view.
const noView = "none";

/** Reads a search from an address. Addresses of other clients are supported. */
export function askedIn(parameters: URLSearchParams, usualView = ""): Asked {
  const filters = [...parameters].filter(([key]) => key.startsWith(prefix)).slice(0, mostFilters).map(([key, value]) => read(key, value));
  const page = Number(parameters.get("page"));
  const sort = parameters.get("sort") ?? "";
  return {
    query: parameters.get("query") || "*",
    filters: filters.filter((each) => each !== undefined),
    any: parameters.get("unionType") === "1",
    view: isView(parameters.get("view") ?? usualView) ? (parameters.get("view") ?? usualView) : "",
    sort: isSort(sort) ? sort : "best",
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** Formats a search as an address in a format that other clients also use. */
export function addressOf({ query, filters, any, view, sort, page }: Asked, usualView = ""): URLSearchParams {
  const parameters = new URLSearchParams({ query });
  if (page > 1) {
    parameters.set("page", String(page));
  }
  for (const [at, { field, negated, condition, values }] of filters.entries()) {
    parameters.set([prefix + field, negated, condition, at].join(gap), values.map((value) => value.replaceAll(",", "%2C")).join(","));
  }
  if (any) {
    parameters.set("unionType", "1");
  }
  if (view || usualView) {
    parameters.set("view", view || noView);
  }
  if (sort !== "best") {
    parameters.set("sort", sort);
  }
  return parameters;
}

const isPlain = (field: string) => (filter: Filter) => filter.field === field && !filter.negated && (filter.condition === "EQUAL" || filter.condition === "IN");

/** The selected values of a facet. */
export const tickedIn = (filters: readonly Filter[], field: string): ReadonlySet<string> => new Set(filters.filter(isPlain(field)).flatMap(({ values }) => values));

/** The filters after a value of a facet was selected or deselected. */
export function toggled(filters: readonly Filter[], field: string, value: string): Filter[] {
  const ticked = tickedIn(filters, field);
  const values = ticked.has(value) ? [...ticked].filter((each) => each !== value) : [...ticked, value];
  const at = filters.findIndex(isPlain(field));
  const others = filters.filter((filter, index) => index < at || !isPlain(field)(filter));
  const mine = values.length > 0 ? [{ field, values, negated: false, condition: "EQUAL" }] : [];
  return at < 0 ? [...others, ...mine] : [...others.slice(0, at), ...mine, ...others.slice(at)];
}

const criterion = ({ field, values, negated, condition }: Filter): FacetFilterInput => ({ field, values: [...values], negated, condition: condition as NonNullable<FacetFilterInput["condition"]> });

/** Converts filters to the input of the service. */
export function orFilters(filters: readonly Filter[], any: boolean): AndFilterInput[] | undefined {
  if (filters.length === 0) {
    return undefined;
  }
  return any ? filters.map((filter) => ({ and: [criterion(filter)] })) : [{ and: filters.map(criterion) }];
}

const order: Readonly<Record<Sort, SearchSortInput | undefined>> = {
  best: undefined,
  used: {
    sortCriteria: [
      { field: "uniqueUserCountLast30Days", sortOrder: "DESCENDING" },
      { field: "queryCountLast30Days", sortOrder: "DESCENDING" },
    ],
  },
  changed: { sortCriteria: [{ field: "lastModifiedAt", sortOrder: "DESCENDING" }] },
  name: { sortCriteria: [{ field: "_entityName", sortOrder: "ASCENDING" }] },
};

/** The sort order as input of the service. */
export const sortInput = (sort: Sort) => order[sort];

const within = (asked: Asked, filters: readonly Filter[]) => {
  const or = orFilters(filters, asked.any);
  return { query: asked.query, ...(or ? { orFilters: or } : {}), ...(asked.view ? { viewUrn: asked.view } : {}) };
};

/** The input for one page of results, without facets. */
export function pageInput(asked: Asked, size: number, filters = asked.filters): SearchAcrossEntitiesInput {
  const sorted = sortInput(asked.sort);
  return { ...within(asked, filters), start: (asked.page - 1) * size, count: size, searchFlags: { skipAggregates: true }, ...(sorted ? { sortInput: sorted } : {}) };
}

/** The input for the counts of some facets. */
export const countInput = (asked: Asked, fields: readonly string[], filters = asked.filters): AggregateAcrossEntitiesInput => ({
  ...within(asked, filters),
  facets: [...fields],
  searchFlags: { maxAggValues: 60 },
});

const places = ["A", "B", "C", "D", "E", "F", "G", "H", "I"] as const;

/**
 * The variables of a search. A facet with selected values is counted without its own filter, so that its other values
 * keep their counts. With OR this is not possible, and all facets count the results.
 */
export function variablesOf(asked: Asked, size: number) {
  const chosen = asked.any ? [] : facets.filter(({ field }) => asked.filters.some(isPlain(field)));
  const rest = facets.filter((facet) => !chosen.includes(facet)).map(({ field }) => field);
  const own = Object.fromEntries(
    chosen.flatMap(({ field }, at) => {
      const place = places[at] ?? "A";
      const others = asked.filters.filter((filter) => !isPlain(field)(filter));
      return [
        [place.toLowerCase(), countInput(asked, [field], others)],
        [`with${place}`, true],
      ];
    }),
  ) as Record<string, never>;
  return { input: pageInput(asked, size), others: countInput(asked, rest.length > 0 ? rest : ["platform"]), ...(asked.view ? { view: asked.view, viewed: true } : {}), ...own };
}

/** The values of a facet with result counts. */
export interface Facet {
  field: string;
  title: string;
  values: readonly { value: string; count: number; entity: Named | null }[];
}

type Counts = Aggregated<FacetRow & { readonly entity: Named | null }> | null | undefined;

/**
 * The facets of a response in page order. Selected values come first, then values by count. Selected values without
 * results are added.
 */
export function facetsIn(answer: { readonly [Place in Lowercase<(typeof places)[number]> | "others"]?: Counts }, filters: readonly Filter[]): Facet[] {
  const answers: Counts[] = [answer.a, answer.b, answer.c, answer.d, answer.e, answer.f, answer.g, answer.h, answer.i, answer.others];
  return facets.flatMap(({ field, title }) => {
    const found = answers.map((each) => aggregationsIn(each, field)).find((rows) => rows.length > 0) ?? [];
    const ticked = tickedIn(filters, field);
    // For incidents, only the value true is useful as a filter.
    const values = found.filter(({ value, count }) => ticked.has(value) || (count > 0 && (field !== "hasActiveIncidents" || value === "true")));
    for (const value of ticked) {
      if (!values.some((each) => each.value === value)) {
        values.push({ value, count: 0, entity: null });
      }
    }
    const rank = ({ value, count }: { value: string; count: number }) => (ticked.has(value) ? 2 : count > 0 ? 1 : 0);
    values.sort((a, b) => rank(b) - rank(a) || b.count - a.count);
    return values.length > 0 ? [{ field, title, values }] : [];
  });
}

/** The fallback text for a value. */
export function valueText(field: string, value: string): string {
  if (field === "_entityType") {
    return typeName(value, 1);
  }
  if (field === "_entityType␞typeNames") {
    const [type = "", sub = ""] = value.split("␞");
    return sub || typeName(type, 1);
  }
  if (field === "hasActiveIncidents") {
    return value === "true" ? "Open incident" : "No open incident";
  }
  return value;
}

/** The definition of a view with the filters of a search. */
export function definitionOf({ filters, any }: Asked) {
  const types = any ? undefined : filters.find(isPlain("_entityType"));
  return {
    entityTypes: [...(types?.values ?? [])] as never[],
    filter: { operator: any ? ("OR" as const) : ("AND" as const), filters: filters.filter((filter) => filter !== types).map(criterion) },
  };
}
