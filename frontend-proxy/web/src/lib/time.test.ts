import { describe, expect, it } from "vitest";

import { agoText, dateText, dayText, durationText, momentText, untilText, weekdayText } from "./time";

const now = Date.UTC(2026, 10, 22, 12);
const minute = 60_000;
const day = 24 * 60 * minute;

describe("times", () => {
  it("writes each month with three letters", () => {
    expect(Array.from({ length: 12 }, (_, month) => dateText(Date.UTC(2026, month, 3, 12)).split(" ")[1])).toEqual(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]);
    expect(momentText(Date.UTC(2026, 8, 3, 12))).toMatch(/^3 Sep, /);
  });

  it("tells how long ago something was up to seven days, and the date after that", () => {
    expect([0, 59_999, minute, 42 * minute, 60 * minute, 23 * 60 * minute, day, 7 * day].map((ms) => agoText(now - ms, now))).toEqual([
      "just now", "just now", "1 min ago", "42 min ago", "1 hour ago", "23 hours ago", "1 day ago", "7 days ago",
    ]);
    expect(agoText(now - 8 * day, now)).toBe("14 Nov 2026");
  });

  it("takes a clock that is a little ahead for now, and one far ahead by its date", () => {
    expect(agoText(now + 30_000, now)).toBe("just now");
    expect(agoText(now + 3 * day, now)).toBe("25 Nov 2026");
  });

  it("tells how far away an end is", () => {
    expect([minute / 2, 59 * minute, 60 * minute, 5 * day, 51 * day, 280 * day, 800 * day].map((ms) => untilText(now + ms, now))).toEqual([
      "in 1 minute", "in 59 minutes", "in 1 hour", "in 5 days", "in 51 days", "in 9 months", "in 2 years",
    ]);
  });

  it("calls the last two days by their words", () => {
    const noon = new Date(2026, 10, 22, 12).getTime();
    expect([0, 1, 2].map((days) => dayText(noon - days * day, noon))).toEqual(["today", "yesterday", "20 Nov 2026"]);
  });

  it("spells out a day and a length of time", () => {
    expect(weekdayText(now)).toBe("Sunday 22 November 2026");
    expect([12, 1500, 59_600, 185_000, 7_260_000].map(durationText)).toEqual(["12 ms", "2 s", "1 min 0 s", "3 min 5 s", "2 h 1 min"]);
  });
});
