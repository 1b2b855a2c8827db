import { describe, expect, it } from "vitest";

import { nextRun } from "./next";

const at = (text: string) => Date.parse(text);
const next = (interval: string, zone: string, now: string) => {
  const found = nextRun(interval, zone, at(now));
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
};

describe("nextRun", () => {
  it.each([
    ["10 3 * * *", "Europe/Amsterdam", "2026-11-23T19:00Z", "2026-11-24T02:10"],
    ["10 3 * * *", "Europe/Amsterdam", "2026-07-01T00:00Z", "2026-07-01T01:10"],
    ["*/15 * * * *", "UTC", "2026-11-23T19:14:30Z", "2026-11-23T19:15"],
    ["*/15 * * * *", "UTC", "2026-11-23T19:15:00Z", "2026-11-23T19:30"],
    ["0 6 * * mon", "UTC", "2026-11-23T06:00Z", "2026-11-30T06:00"],
    ["0 6 * * 7", "UTC", "2026-11-23T06:00Z", "2026-11-29T06:00"],
    ["30 2 1 jan-mar/2 *", "UTC", "2026-11-23T06:00Z", "2027-01-01T02:30"],
    ["0 0 29 2 *", "UTC", "2026-11-23T06:00Z", "2028-02-29T00:00"],
    // Both the day of the month and the day of the week must match, as in the service.
    ["0 0 13 * fri", "UTC", "2026-11-23T06:00Z", "2027-08-13T00:00"],
    ["5/20 8,9 * * *", "Asia/Kolkata", "2026-11-23T03:00Z", "2026-11-23T03:15"],
  ])("of %s in %s after %s is %s", (interval, zone, now, due) => expect(next(interval, zone, now)).toBe(due));

  it("leaves out a time that the clocks leave out, and takes one that comes again", () => {
    expect(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z")).toBe("2026-03-30T00:30");
    expect(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z")).toBe("2026-10-25T00:30");
    expect(next("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z")).toBe("2026-10-25T01:30");
  });

  it.each([
    ["0 0 30 2 *", "UTC"],
    ["99 3 * * *", "UTC"],
    ["0 3 * *", "UTC"],
    ["0 3 * * * *", "UTC"],
    ["*/0 * * * *", "UTC"],
    ["0 3 * * *", "Nowhere/Else"],
    ["0 3 * * *", ""],
    ["", "UTC"],
  ])("is not known of %j in %j", (interval, zone) => expect(next(interval, zone, "2026-11-23T06:00Z")).toBeUndefined());
});
