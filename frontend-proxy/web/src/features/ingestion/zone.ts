const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(zone: string): Intl.DateTimeFormat | null {
  let format = formats.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" });
    } catch {
      format = null;
    }
    formats.set(zone, format);
  }
  return format;
}

/** Reports whether this browser supports a time zone. */
export const isKnownZone = (zone: string) => zone !== "" && formatOf(zone) !== null;

/** The local date and time in a time zone. */
export function partsIn(zone: string, at: number) {
  const told = new Map((formatOf(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => told.get(name) ?? 0;
  return { year: part("year"), month: part("month"), date: part("day"), hour: part("hour"), minute: part("minute") };
}
