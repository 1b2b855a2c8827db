import { numberIn } from "../../lib/answer";
import type { Result } from "./task";

/** The scope of a rebuild: everything, the assets of a type, or the assets that match a URN or a URN pattern. */
export type Scope = "all" | "type" | "urn";

export interface Wish {
  scope: Scope;
  type: string;
  urn: string;
  /** The only aspect to rebuild; empty for all. */
  aspect: string;
  /** Adds missing default aspects, such as the key, to each asset. */
  complete: boolean;
}

/** The types in the menu. Other types require a pattern. */
export const types = [
  "dataset", "dashboard", "chart", "dataFlow", "dataJob", "container", "mlModel", "mlFeature", "glossaryTerm", "glossaryNode", "tag", "domain", "dataProduct", "query", "assertion",
  "corpuser", "corpGroup",
] as const;

/** The reason why a rebuild cannot be requested; null if it can. */
export function wishProblem({ scope, urn }: Wish): string | null {
  return scope !== "urn" || /^urn:li:\S/u.test(urn.trim()) ? null : "A URN begins with urn:li:, and so does a pattern.";
}

/** The input of a rebuild. In a pattern, % matches any text; a URN without % names one asset. */
export function bodyOf({ scope, type, urn, aspect, complete }: Wish): Record<string, unknown> {
  const text = urn.trim();
  return {
    ...(scope === "type" ? { urnLike: `urn:li:${type}:%` } : {}),
    ...(scope === "urn" ? { [text.includes("%") ? "urnLike" : "urn"]: text } : {}),
    ...(aspect.trim() ? { aspect: aspect.trim() } : {}),
    ...(complete ? { createDefaultAspects: true } : {}),
  };
}

/** The progress of a rebuild: numbers of read and added aspects; null if the task does not report them. */
export function doneIn(result: Result | null | undefined): { read: number; added: number } | null {
  const read = numberIn(result?.Rows);
  return read === undefined ? null : { read, added: numberIn(result?.Completed) ?? 0 };
}
