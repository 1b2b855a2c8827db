import { textIn } from "../../lib/answer";
import { isKnownZone, partsIn } from "./zone";

interface Field {
  min: number;
  max: number;
  names?: readonly string[];
}

const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] },
  { min: 0, max: 7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] },
];

function valueOf(text: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + min : /^\d{1,2}$/u.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

// Parses a cron field: lists of values and ranges, with optional steps.
function valuesOf(text: string, field: Field): Set<number> | undefined {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", stepText, ...more] = item.split("/");
    const step = stepText === undefined ? 1 : /^\d{1,2}$/u.test(stepText) ? Number(stepText) : 0;
    const [from = "", to, ...rest] = range.split("-");
    const first = range === "*" ? field.min : valueOf(from, field);
    const last = range === "*" || (to === undefined && stepText !== undefined) ? field.max : to === undefined ? first : valueOf(to, field);
    if (first === undefined || last === undefined || step === 0 || more.length + rest.length > 0) {
      return undefined;
    }
    for (let value = first; value <= last; value += step) {
      values.add(field.max === 7 ? value % 7 : value);
    }
  }
  return values;
}

const day = 86_400_000;
// The search limit in days. A 29 February occurs within eight years.
const mostDays = 8 * 366 + 1;

/**
 * The next time of a schedule in ms; undefined for an invalid schedule, and for one without a next time. As in the
 * service, both the day of the month and the day of the week must match, and a time of day that a clock change skips
 * is not due.
 */
export function nextRun(interval: string, zone: string, now: number): number | undefined {
  const texts = textIn(interval).trim().split(/\s+/u);
  const sets = fields.map((field, at) => valuesOf(texts[at] ?? "", field));
  const [minutes, hours, dates, months, weekdays] = sets;
  if (texts.length !== fields.length || !minutes || !hours || !dates || !months || !weekdays || !isKnownZone(zone)) {
    return undefined;
  }
  const here = partsIn(zone, now);
  const first = Date.UTC(here.year, here.month - 1, here.date);
  const times = [...hours].toSorted((a, b) => a - b).flatMap((hour) => [...minutes].toSorted((a, b) => a - b).map((minute) => ({ hour, minute })));
  for (let at = 0; at < mostDays; at++) {
    const civil = new Date(first + at * day);
    if (!months.has(civil.getUTCMonth() + 1) || !dates.has(civil.getUTCDate()) || !weekdays.has(civil.getUTCDay())) {
      continue;
    }
    const found = times.flatMap(({ hour, minute }) => momentsOf(civil.getTime() + (hour * 60 + minute) * 60_000, zone)).filter((moment) => moment > now);
    if (found.length > 0) {
      return Math.min(...found);
    }
  }
  return undefined;
}

// The instants at which the clocks of a time zone show a local time, given as if it were UTC: usually one, none in a
// skipped hour, two in a repeated hour.
function momentsOf(shown: number, zone: string): number[] {
  const offset = (moment: number) => {
    const { year, month, date, hour, minute } = partsIn(zone, moment);
    return Date.UTC(year, month - 1, date, hour, minute) - moment;
  };
  const guesses = new Set([shown - offset(shown - day), shown - offset(shown + day)]);
  return [...guesses].filter((moment) => moment + offset(moment) === shown);
}
