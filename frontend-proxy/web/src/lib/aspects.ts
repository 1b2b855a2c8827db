import { at, members } from "./loose";

/** Aspects of an entity as /openapi/v3 gives them, by their names. */
export type Aspects = Readonly<Record<string, unknown>>;

/** The values of an answer of /openapi/v3/entity. */
export const aspectsIn = (answer: unknown): Aspects =>
  Object.fromEntries(Object.entries(members(answer)).flatMap(([name, wrapper]) => (name !== "urn" && typeof wrapper === "object" && wrapper !== null ? [[name, at(wrapper, "value")] as const] : [])));
