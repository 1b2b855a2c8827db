/** A thing somebody looked at, and when. */
export interface Viewed {
  urn: string;
  at: number;
}

const mostViewed = 12;
const mostQueries = 6;
const longest = 200;

// What one person did is not shown to the next at the same browser.
const place = (what: string, person: string) => `cartulary-${what}-${person}`;

function kept(what: string, person: string): unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place(what, person)) ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // somebody wrote there what is no list, or there is no storage
  }
}

function keep(what: string, person: string, value: unknown) {
  try {
    localStorage.setItem(place(what, person), JSON.stringify(value));
  } catch {
    // Without room nothing is remembered, and nothing else fails.
  }
}

const isViewed = (value: unknown): value is Viewed => {
  const { urn, at } = (value ?? {}) as Partial<Viewed>;
  return typeof urn === "string" && urn.startsWith("urn:li:") && typeof at === "number" && Number.isFinite(at);
};

/** What a person looked at in this browser, the newest first. */
export const viewed = (person: string): Viewed[] => kept("viewed", person).filter(isViewed).slice(0, mostViewed);

/** Notes that a person looks at something. */
export function noteViewed(person: string, urn: string, at: number) {
  const others = viewed(person).filter((each) => each.urn !== urn);
  keep("viewed", person, [{ urn, at }, ...others].slice(0, mostViewed));
}

/** The texts a person searched for in this browser, the newest first. */
export const queries = (person: string): string[] =>
  kept("queries", person)
    .filter((query): query is string => typeof query === "string" && query !== "")
    .slice(0, mostQueries);

/** Notes that a person searched for a text. One that goes on from the newest takes its place. */
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
