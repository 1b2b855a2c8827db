/** An entity that the user viewed, and the time of the view. */
export interface Viewed {
  urn: string;
  at: number;
}

const mostViewed = 12;
const mostQueries = 6;
const longest = 200;

// Storage keys include the user, so that users of the same browser do not see each other's history.
const place = (what: string, person: string) => `cartulary-${what}-${person}`;

function kept(what: string, person: string): unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place(what, person)) ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // the stored value is not a list, or storage is unavailable
  }
}

function keep(what: string, person: string, value: unknown) {
  try {
    localStorage.setItem(place(what, person), JSON.stringify(value));
  } catch {
    // Storage may be full; the history is then not saved.
  }
}

const isViewed = (value: unknown): value is Viewed => {
  const { urn, at } = (value ?? {}) as Partial<Viewed>;
  return typeof urn === "string" && urn.startsWith("urn:li:") && typeof at === "number" && Number.isFinite(at);
};

/** The entities that a user viewed in this browser, newest first. */
export const viewed = (person: string): Viewed[] => kept("viewed", person).filter(isViewed).slice(0, mostViewed);

/** Records that a user views an entity. */
export function noteViewed(person: string, urn: string, at: number) {
  const others = viewed(person).filter((each) => each.urn !== urn);
  keep("viewed", person, [{ urn, at }, ...others].slice(0, mostViewed));
}

/** The texts that a user searched for in this browser, newest first. */
export const queries = (person: string): string[] =>
  kept("queries", person)
    .filter((query): query is string => typeof query === "string" && query !== "")
    .slice(0, mostQueries);

/** Records a search text. It replaces the newest text if it continues it. */
export function noteQuery(person: string, query: string) {
  const text = query.trim().slice(0, longest);
  if (text === "" || text === "*") {
    return;
  }
  const others = queries(person).filter((each, at) => each !== text && !(at === 0 && text.startsWith(each)));
  keep("queries", person, [text, ...others].slice(0, mostQueries));
}

/** The address of the search for a text. */
export const searchPath = (query: string) => `/search?${new URLSearchParams({ query: query.trim() || "*" }).toString()}`;
