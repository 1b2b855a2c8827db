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

/** Why nothing can be removed up to a day; null when it can. */
export function dayProblem(day: string, now: number): string | null {
  const at = startOf(day);
  if (at === null) {
    return "Choose the first day that is to stay.";
  }
  if (at > now) {
    return "The day must not lie in the future: what is written until then would go as well.";
  }
  return at <= 0 ? "The day must lie behind 1 January 1970." : null;
}

/** How many of how many documents a dry run says it would delete; null where its text does not tell. */
export function countsIn(text: string): { gone: number; all: number } | null {
  const [, gone, all] = /\b(\d[\d,]*) (?:out )?of (\d[\d,]*)\b/i.exec(text) ?? [];
  return gone === undefined || all === undefined ? null : { gone: Number(gone.replaceAll(",", "")), all: Number(all.replaceAll(",", "")) };
}

/** The id of the task that goes on; null when the answer is a text for people. */
export const taskIn = (answer: string) => (/^[\w-]+:\d+$/.test(answer.trim()) ? answer.trim() : null);
