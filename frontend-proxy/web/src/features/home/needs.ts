import { listIn, textIn, timeIn } from "../../lib/answer";
import { aggregationsIn, entitiesIn, type Aggregated, type FacetRow } from "../../lib/found";
import { namedIn } from "../../lib/name";
import { checksInput, incidentsInput, statesInput } from "../../shared/failing/inputs";
import type { HomeQuery, HomeQueryVariables } from "./home.operations";

const day = 24 * 60 * 60_000;
/** The period before expiry in which tokens are reported, in ms. */
export const soon = 14 * day;
const few = 6;

const used = {
  sortCriteria: [
    { field: "uniqueUserCountLast30Days", sortOrder: "DESCENDING" as const },
    { field: "queryCountLast30Days", sortOrder: "DESCENDING" as const },
  ],
};

const mostRecent = 4;
// The maximum number of failing checks whose assets are counted.
const mostFailing = 50;

/** The types of people and groups, which do not count as catalog content. */
export const peopleTypes: ReadonlySet<string> = new Set(["CORP_USER", "CORP_GROUP"]);

// The index field with the creation time of an entity in the catalog.
const createdField = "systemCreated";

/** The query variables of the home page for a user, the user's groups and recently viewed assets. */
export function variablesFor(me: string, groups: readonly string[], recent: readonly string[]): HomeQueryVariables {
  const mine = { field: "owners", values: [me, ...groups] };
  const flags = { skipAggregates: true };
  const entries = [{ and: [{ field: "_entityType", values: [...peopleTypes], negated: true }] }];
  return {
    all: { query: "*", start: 0, count: 0, searchFlags: flags, orFilters: entries },
    owned: { query: "*", start: 0, count: few, searchFlags: flags, sortInput: used, orFilters: [{ and: [mine] }] },
    used: { query: "*", start: 0, count: few, searchFlags: flags, sortInput: used, orFilters: [{ and: [{ field: "uniqueUserCountLast30Days", condition: "GREATER_THAN", values: ["0"] }] }] },
    troubled: { query: "*", start: 0, count: 3, searchFlags: flags, orFilters: [{ and: [mine, { field: "hasActiveIncidents", values: ["true"] }] }] },
    bare: {
      query: "*",
      types: ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB"],
      start: 0,
      count: 1,
      searchFlags: flags,
      sortInput: used,
      orFilters: [{ and: [mine, { field: "description", condition: "EXISTS", negated: true }, { field: "editedDescription", condition: "EXISTS", negated: true }] }],
    },
    kept: { query: "*", facets: ["domains"], searchFlags: { maxAggValues: 60 }, orFilters: [{ and: [{ field: "owners", condition: "EXISTS" }] }] },
    failing: checksInput("all", 0, mostFailing),
    states: statesInput,
    open: incidentsInput(0, 0),
    tokens: { start: 0, count: 50, filters: [{ field: "ownerUrn", values: [me] }] },
    recent: recent.slice(0, mostRecent),
    newest: {
      query: "*",
      start: 0,
      count: 1,
      searchFlags: flags,
      sortInput: { sortCriteria: [{ field: createdField, sortOrder: "DESCENDING" }] },
      orFilters: entries,
    },
  };
}

/** The newest entity of the catalog with its creation time; null if the response lacks either. */
export function newestIn(answer: HomeQuery["newest"] | undefined): { urn: string; name: string; at: number } | null {
  const [first] = listIn(answer?.searchResults);
  const [entity] = namedIn([first?.entity]);
  const time = timeIn(listIn(first?.extraProperties).find(({ name }) => name === createdField)?.value);
  return entity === undefined || time === undefined ? null : { ...entity, at: time };
}

/** The tokens that expire soon, earliest first. */
export const ending = (answer: HomeQuery["tokens"], now: number): { id: string; name: string; expiresAt: number }[] =>
  listIn(answer?.tokens)
    .map(({ id, name, expiresAt }) => ({ id: textIn(id), name: textIn(name), expiresAt: timeIn(expiresAt) ?? Infinity }))
    .filter(({ expiresAt }) => expiresAt > now && expiresAt - now < soon)
    .toSorted((a, b) => a.expiresAt - b.expiresAt);

/** The nonzero counts of one field in a response. */
export const countsOf = <Row extends FacetRow>(answer: Aggregated<Row> | null | undefined, field: string) => aggregationsIn(answer, field).filter(({ count }) => count > 0);

/** An announcement of the home page. */
export interface Post {
  urn: string;
  title: string;
  text: string;
  link: string | undefined;
}

/** The announcements of the home page. */
export const postsIn = (answer: HomeQuery["posts"]): Post[] =>
  entitiesIn(answer?.posts)
    .filter(({ postType }) => postType === "HOME_PAGE_ANNOUNCEMENT")
    .map(({ urn, content }) => ({ urn, title: textIn(content?.title), text: textIn(content?.description), link: safeLink(textIn(content?.link)) }));

/** A share in whole percent. An incomplete share is at most 99. */
export const percent = (part: number, whole: number) => (whole === 0 ? 0 : part < whole ? Math.min(99, Math.round((100 * part) / whole)) : 100);

/** A web address of an announcement link; undefined for other addresses. */
export const safeLink = (link: string | null | undefined) => (link && /^https?:\/\//iu.test(link) ? link : undefined);
