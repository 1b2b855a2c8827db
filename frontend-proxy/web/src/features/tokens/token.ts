import type { AccessTokenDuration, TokensQuery } from "./tokens.operations";

export type Token = TokensQuery["listAccessTokens"]["tokens"][number];

const day = 86_400_000;

/** A token that ends within this time is ending soon, in ms. */
export const soon = 14 * day;

export type State = "active" | "ending" | "ended";

/** Whether a token still works, and for how long. */
export function stateOf({ expiresAt }: Pick<Token, "expiresAt">, now: number): State {
  if (expiresAt === null) {
    return "active";
  }
  if (expiresAt <= now) {
    return "ended";
  }
  return expiresAt - now < soon ? "ending" : "active";
}

export interface Filter {
  text: string;
  state: "all" | State;
}

/** The tokens that a filter keeps: those that end soonest first, those without an end after them, ended ones last. */
export function chosen(tokens: readonly Token[], { text, state }: Filter, now: number): Token[] {
  const sought = text.trim().toLowerCase();
  const end = (token: Token) => (stateOf(token, now) === "ended" ? Infinity : (token.expiresAt ?? Number.MAX_SAFE_INTEGER));
  return tokens
    .filter((token) => {
      const is = stateOf(token, now);
      const right = state === "all" || is === state || (state === "active" && is === "ending");
      return right && (sought === "" || `${token.name} ${token.description ?? ""} ${token.ownerUrn} ${token.actorUrn}`.toLowerCase().includes(sought));
    })
    .toSorted((a, b) => end(a) - end(b) || b.createdAt - a.createdAt || a.name.localeCompare(b.name));
}

/** The lifetimes that can be chosen, with what they last. Days, not months, as the server counts them. */
export const lifetimes: readonly { value: AccessTokenDuration; name: string; ms: number | null }[] = [
  { value: "ONE_HOUR", name: "in 1 hour", ms: 3_600_000 },
  { value: "ONE_DAY", name: "in 1 day", ms: day },
  { value: "ONE_WEEK", name: "in 1 week", ms: 7 * day },
  { value: "ONE_MONTH", name: "in 1 month", ms: 30 * day },
  { value: "THREE_MONTHS", name: "in 3 months", ms: 90 * day },
  { value: "SIX_MONTHS", name: "in 6 months", ms: 180 * day },
  { value: "ONE_YEAR", name: "in 1 year", ms: 365 * day },
  { value: "NO_EXPIRY", name: "No end", ms: null },
];
