import type { TokensQuery } from "./tokens.operations";

export type Token = TokensQuery["listAccessTokens"]["tokens"][number];

const day = 86_400_000;

/** The period before expiry in which a token counts as expiring soon, in ms. */
export const soon = 14 * day;

export type State = "active" | "ending" | "ended";

/** The validity state of a token. */
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

/** The tokens that match a filter: earliest expiry first, then tokens without expiry, expired ones last. */
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
