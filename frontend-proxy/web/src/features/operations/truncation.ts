import { startOf } from "../../lib/day";

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
