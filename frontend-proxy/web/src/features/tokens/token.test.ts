import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { chosen, stateOf, tokensIn, type Token } from "./token";

const now = Date.UTC(2026, 10, 22);
const day = 86_400_000;
const token = (name: string, days: number | null, more: Partial<Token> = {}): Token => ({
  urn: `urn:li:dataHubAccessToken:${name}`, id: name, name, description: "", actorUrn: "urn:li:corpuser:jo", ownerUrn: "urn:li:corpuser:jo",
  createdAt: now - 100 * day, expiresAt: days === null ? undefined : now + days * day, lastUsedAt: undefined, scope: null, ...more,
});
const all = [token("spring", -3), token("forever", null), token("year", 300), token("nightly", 5, { description: "Sends Lineage" })];
const names = (tokens: readonly Token[]) => tokens.map(({ name }) => name);

it("orders tokens by their end, those that have ended last", () => {
  expect(names(chosen(all, { text: "", state: "all" }, now))).toEqual(["nightly", "year", "forever", "spring"]);
});

it("takes a token that ends within two weeks for one that ends soon, and at its end for ended", () => {
  expect([13, 14, 0, null].map((days) => stateOf(token("x", days), now))).toEqual(["ending", "active", "ended", "active"]);
});

it("keeps what a filter asks for", () => {
  expect(names(chosen(all, { text: "", state: "active" }, now))).toEqual(["nightly", "year", "forever"]);
  expect(names(chosen(all, { text: "", state: "ending" }, now))).toEqual(["nightly"]);
  expect(names(chosen(all, { text: "", state: "ended" }, now))).toEqual(["spring"]);
  expect(names(chosen(all, { text: " lineage ", state: "all" }, now))).toEqual(["nightly"]);
  expect(names(chosen(all, { text: "nothing", state: "all" }, now))).toEqual([]);
});

const read = (page: unknown) => tokensIn(answered({ listAccessTokens: page }));

it("reads tokens of which everything but the URN is null or of another type", () => {
  const nothing = { id: null, name: null, description: null, actorUrn: null, ownerUrn: null, createdAt: null, expiresAt: null, lastUsedAt: null, scope: null };
  expect(read({ total: "2", tokens: [null, { ...nothing, urn: null }, { ...nothing, urn: "urn:a" }, { urn: "urn:b", name: {}, createdAt: "5", expiresAt: "x", scope: { readOnly: 1, privileges: [null, "A", {}] } }] })).toEqual({
    items: [
      { urn: "urn:a", id: "", name: "", description: "", actorUrn: "", ownerUrn: "", createdAt: undefined, expiresAt: undefined, lastUsedAt: undefined, scope: null },
      { urn: "urn:b", id: "", name: "", description: "", actorUrn: "", ownerUrn: "", createdAt: 5, expiresAt: undefined, lastUsedAt: undefined, scope: { readOnly: false, privileges: ["A"] } },
    ],
    total: 2,
  });
  expect([null, "x", { tokens: {} }].map(read)).toEqual([{ items: [], total: 0 }, { items: [], total: 0 }, { items: [], total: 0 }]);
});
