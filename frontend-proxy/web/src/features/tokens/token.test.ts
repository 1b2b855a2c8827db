import { expect, it } from "vitest";

import { chosen, lifetimesOf, periodMs, stateOf, type Token } from "./token";

const now = Date.UTC(2026, 10, 22);
const day = 86_400_000;
const token = (name: string, days: number | null, more: Partial<Token> = {}): Token => ({
  urn: `urn:li:dataHubAccessToken:${name}`, id: name, name, description: null, actorUrn: "urn:li:corpuser:jo", ownerUrn: "urn:li:corpuser:jo",
  createdAt: now - 100 * day, expiresAt: days === null ? null : now + days * day, lastUsedAt: null, scope: null, ...more,
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

const offered = (allowNoExpiry: boolean, ...allowedAccessTokenDurations: string[]) => lifetimesOf({ allowNoExpiry, allowedAccessTokenDurations }).map(({ name }) => name);

it("offers the lifetimes that the server allows, 30 days first", () => {
  expect(offered(false, "PT1H", "P1D", "P7D", "P30D", "P90D", "P365D")).toEqual(["in 30 days", "in 1 hour", "in 1 day", "in 7 days", "in 90 days", "in 365 days"]);
  expect(offered(true, "P1Y", "P1M", "P30D", "PT36H", "PT90M")).toEqual(["in 30 days", "in 90 minutes", "in 36 hours", "in 365 days", "No end"]);
  expect(offered(false, "P90D", "soon", "")).toEqual(["in 90 days"]);
  expect(offered(true)).toEqual(["No end"]);
  expect(lifetimesOf(null)).toEqual([]);
  expect(lifetimesOf({ allowNoExpiry: true, allowedAccessTokenDurations: ["p1m"] }).map(({ input }) => input)).toEqual([{ durationIso: "p1m" }, { duration: "NO_EXPIRY" }]);
});

it("reads ISO 8601 periods as the server does", () => {
  expect(["P1Y2M", "P2W", "PT1H30M", "P1DT1S", "P", "PT", "1D", "P1H"].map(periodMs)).toEqual([425 * day, 14 * day, 5_400_000, day + 1000, null, null, null, null]);
});
