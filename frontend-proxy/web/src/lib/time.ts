const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dates = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const moments = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const clocks = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const weekdays = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

const counted = (n: number, one: string) => `${n} ${one}${n === 1 ? "" : "s"}`;

// British English abbreviates September to four letters and all other months to three.
const even = (text: string) => text.replace("Sept", "Sep");

/** A day, as 3 Sep 2026. */
export const dateText = (at: number) => even(dates.format(at));

/** A time to the minute, as 3 Sep, 07:05. The year appears in the tooltip or in the day beside it where needed. */
export const momentText = (at: number) => even(moments.format(at));

/** A day in running text: today, yesterday or 3 Sep 2026. */
export function dayText(at: number, now: number): string {
  const is = (time: number) => new Date(time).toDateString() === new Date(at).toDateString();
  return is(now) ? "today" : is(now - day) ? "yesterday" : dateText(at);
}

/** Hour and minute, as 07:05. */
export const clockText = (at: number) => clocks.format(at);

/** A day with its weekday, as Tuesday 3 November 2026. */
export const weekdayText = (at: number) => weekdays.format(at).replace(",", "");

/** A time to the second with its time zone, for tooltips. */
export const exactText = (at: number) => even(exact.format(at));

/** The time since a past event: minutes, hours and days up to seven, then the date. */
export function agoText(at: number, now: number): string {
  const passed = now - at;
  if (passed < 0) {
    return passed > -minute ? "just now" : dateText(at); // client and server clocks differ
  }
  if (passed < minute) {
    return "just now";
  }
  if (passed < hour) {
    return `${Math.floor(passed / minute)} min ago`;
  }
  if (passed < day) {
    return `${counted(Math.floor(passed / hour), "hour")} ago`;
  }
  return passed <= 7 * day ? `${counted(Math.floor(passed / day), "day")} ago` : dateText(at);
}

/** The time until a future event, as "in 5 days"; months and years are rounded down. */
export function untilText(at: number, now: number): string {
  const left = at - now;
  if (left < hour) {
    return `in ${counted(Math.max(1, Math.ceil(left / minute)), "minute")}`;
  }
  if (left < day) {
    return `in ${counted(Math.round(left / hour), "hour")}`;
  }
  const days = Math.round(left / day);
  if (days < 60) {
    return `in ${counted(days, "day")}`;
  }
  return days < 730 ? `in ${counted(Math.floor(days / 30.44), "month")}` : `in ${counted(Math.floor(days / 365.25), "year")}`;
}

/** A duration, as 850 ms, 12 s or 3 min 5 s. */
export function durationText(ms: number): string {
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
