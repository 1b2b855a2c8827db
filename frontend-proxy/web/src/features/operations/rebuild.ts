/** What is derived again: everything, the assets of a type, or those that a URN or a pattern of URNs names. */
export type Scope = "all" | "type" | "urn";

export interface Wish {
  scope: Scope;
  type: string;
  urn: string;
  /** One aspect alone, where that is wanted. */
  aspect: string;
  /** Adds what comes with every asset where it is missing. */
  complete: boolean;
}

/** The types that are offered; others are named by a pattern. */
export const types = [
  "dataset", "dashboard", "chart", "dataFlow", "dataJob", "container", "mlModel", "mlFeature", "glossaryTerm", "glossaryNode", "tag", "domain", "dataProduct", "query", "assertion",
  "corpuser", "corpGroup",
] as const;

/** Why a wish cannot be asked for; null when it can. */
export function wishProblem({ scope, urn }: Wish): string | null {
  return scope !== "urn" || /^urn:li:\S/u.test(urn.trim()) ? null : "A URN begins with urn:li:, and so does a pattern.";
}

/** A wish as the server takes it. In a pattern % stands for any text; without one, a URN names one asset. */
export function bodyOf({ scope, type, urn, aspect, complete }: Wish): Record<string, unknown> {
  const text = urn.trim();
  return {
    ...(scope === "type" ? { urnLike: `urn:li:${type}:%` } : {}),
    ...(scope === "urn" ? { [text.includes("%") ? "urnLike" : "urn"]: text } : {}),
    ...(aspect.trim() ? { aspect: aspect.trim() } : {}),
    ...(complete ? { createDefaultAspects: true } : {}),
  };
}

const figure = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** What a rebuild has done: aspects that were read, and that were added; null where a task does not tell. */
export function doneIn(result: unknown): { read: number; added: number } | null {
  const { Rows: read, Completed: added } = (typeof result === "object" && result !== null ? result : {}) as { Rows?: unknown; Completed?: unknown };
  return typeof read === "number" ? { read, added: figure(added) } : null;
}
