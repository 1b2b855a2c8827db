import { numberIn, textIn, textsIn, timeIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import type { TokensQuery } from "./tokens.operations";

/** An access token in the list. */
export interface Token {
  urn: string;
  id: string;
  name: string;
  description: string;
  actorUrn: string;
  ownerUrn: string;
  createdAt: number | undefined;
  /** Undefined for a token without expiry. */
  expiresAt: number | undefined;
  lastUsedAt: number | undefined;
  scope: { readOnly: boolean; privileges: string[] } | null;
}

/** Reads the access tokens of a response, and their total. */
export function tokensIn({ listAccessTokens: page }: TokensQuery): { items: Token[]; total: number } {
  const items = entitiesIn(page?.tokens).map(({ urn, id, name, description, actorUrn, ownerUrn, createdAt, expiresAt, lastUsedAt, scope }) => ({
    urn,
    id: textIn(id),
    name: textIn(name),
    description: textIn(description),
    actorUrn: textIn(actorUrn),
    ownerUrn: textIn(ownerUrn),
    createdAt: timeIn(createdAt),
    expiresAt: timeIn(expiresAt),
    lastUsedAt: timeIn(lastUsedAt),
    scope: scope ? { readOnly: scope.readOnly === true, privileges: textsIn(scope.privileges) } : null,
  }));
  return { items, total: numberIn(page?.total) ?? 0 };
}

const day = 86_400_000;

/** The period before expiry in which a token counts as expiring soon, in ms. */
export const soon = 14 * day;

export type State = "active" | "ending" | "ended";

/** The validity state of a token. */
export function stateOf({ expiresAt }: Pick<Token, "expiresAt">, now: number): State {
  if (expiresAt === undefined) {
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
      return right && (sought === "" || `${token.name} ${token.description} ${token.ownerUrn} ${token.actorUrn}`.toLowerCase().includes(sought));
    })
    .toSorted((a, b) => end(a) - end(b) || (b.createdAt ?? 0) - (a.createdAt ?? 0) || a.name.localeCompare(b.name));
}
