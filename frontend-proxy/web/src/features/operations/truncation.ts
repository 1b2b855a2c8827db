import { startOf } from "../../lib/day";

/** The reason why data before a date cannot be removed; null if it can. */
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

/** The numbers of deleted and of all documents in the result of a dry run; null if the text does not contain them. */
export function countsIn(text: string): { gone: number; all: number } | null {
  const [, gone, all] = /\b(\d[\d,]*) (?:out )?of (\d[\d,]*)\b/i.exec(text) ?? [];
  return gone === undefined || all === undefined ? null : { gone: Number(gone.replaceAll(",", "")), all: Number(all.replaceAll(",", "")) };
}

/** The id of a running task; null if the response is a message. */
export const taskIn = (answer: string) => (/^[\w-]+:\d+$/.test(answer.trim()) ? answer.trim() : null);
