import { expect, it } from "vitest";

import { lifetimesOf, periodMs } from "./lifetimes";

const day = 86_400_000;

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
