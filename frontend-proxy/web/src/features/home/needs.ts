import { aggregationsIn } from "../../lib/found";
import { lineName } from "../../lib/line";
import { at, listIn, members, textIn, timeIn } from "../../lib/loose";
import { checksInput, incidentsInput, statesInput } from "../../shared/failing/inputs";
import type { HomeQueryVariables } from "./home.operations";

const day = 24 * 60 * 60_000;
/** How long before their end tokens are told of, in ms. */
export const soon = 14 * day;
const few = 6;

const used = {
  sortCriteria: [
    { field: "uniqueUserCountLast30Days", sortOrder: "DESCENDING" as const },
    { field: "queryCountLast30Days", sortOrder: "DESCENDING" as const },
  ],
};

const mostRecent = 4;
// Of so many failing checks it is told on how many assets they are.
const mostFailing = 50;

/** The types of people and their groups, which are no entries of the catalog. */
export const peopleTypes: ReadonlySet<string> = new Set(["CORP_USER", "CORP_GROUP"]);

// When something came into the catalog, as the search index calls it.
const createdField = "systemCreated";

/** What home asks for, for a person, the groups they own by, and what they looked at. */
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

/** What came into the catalog last, and when. Nothing where the answer tells neither. */
export function newestIn(answer: unknown): { urn: string; name: string; at: number } | null {
  const [first] = listIn(at(answer, "searchResults"));
  const urn = textIn(at(first, "entity", "urn"));
  const time = timeIn(at(listIn(at(first, "extraProperties")).find((each) => at(each, "name") === createdField), "value"));
  return urn === "" || time === undefined ? null : { urn, name: lineName({ ...members(at(first, "entity")), urn }), at: time };
}

interface Token {
  id: string;
  name: string;
  expiresAt: number | null;
}

/** The tokens that end soon, the first of them first. */
export const ending = <T extends Token>(tokens: readonly T[], now: number): T[] =>
  tokens.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now && expiresAt - now < soon).toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));

interface Counted {
  facets: readonly { field: string; aggregations: readonly { value: string; count: number }[] }[] | null;
}

/** The counts of one field of an answer, without those of nothing. */
export const countsOf = <Answer extends Counted>(answer: Answer | null | undefined, field: string) => {
  type Row = NonNullable<Answer["facets"]>[number]["aggregations"][number];
  return aggregationsIn<Row>(answer, field).filter(({ count }) => count > 0);
};

/** The share of a number in another, as a whole per cent; what is not quite all is not called all. */
export const percent = (part: number, whole: number) => (whole === 0 ? 0 : part < whole ? Math.min(99, Math.round((100 * part) / whole)) : 100);

/** An address that a link of an announcement may lead to. Others are left out. */
export const safeLink = (link: string | null | undefined) => (link && /^https?:\/\//iu.test(link) ? link : undefined);
