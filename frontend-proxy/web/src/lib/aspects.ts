import { at, members } from "./loose";

/** The aspects of an entity by name, as returned by /openapi/v3. */
export type Aspects = Readonly<Record<string, unknown>>;

/** The aspect values in a response of /openapi/v3/entity. */
export const aspectsIn = (answer: unknown): Aspects =>
  Object.fromEntries(Object.entries(members(answer)).flatMap(([name, wrapper]) => (name !== "urn" && typeof wrapper === "object" && wrapper !== null ? [[name, at(wrapper, "value")] as const] : [])));
