const two = (n: number) => String(n).padStart(2, "0");

/** A day of the browser's calendar in the format of a date field. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The start of a day in the local time zone, in ms; null if the text is not a valid day. */
export function startOf(day: string): number | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const at = year === undefined ? Number.NaN : new Date(Number(year), Number(month) - 1, Number(date)).getTime();
  return Number.isNaN(at) || dayOf(at) !== day ? null : at;
}
