const two = (n: number) => String(n).padStart(2, "0");

/** The name of a day of this browser's calendar, as a date field has it. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When a day begins here, in ms; null for what is no day. */
export function startOf(day: string): number | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const at = year === undefined ? Number.NaN : new Date(Number(year), Number(month) - 1, Number(date)).getTime();
  return Number.isNaN(at) || dayOf(at) !== day ? null : at;
}
