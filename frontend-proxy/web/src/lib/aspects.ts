import * as answer from "./answer";

// Readers of raw aspects: JSON whose type is unknown. A value of an unexpected type counts as absent.

/** The aspects of an entity by name, as returned by /openapi/v3. */
export type Aspects = Readonly<Record<string, unknown>>;

/** The members of an object; none for other values. */
export const members = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {});

/** The value at a path of member names. */
export const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce((inner, name) => members(inner)[name], value);

/** The string at a path, or empty if there is none. Numbers and booleans are converted. */
export const textAt = (value: unknown, ...path: readonly string[]): string => answer.textIn(at(value, ...path) as string);

/** The number at a path, or undefined if there is none. */
export const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => answer.numberIn(at(value, ...path) as number);

/** The elements of the list at a path without null and undefined. */
export const listAt = (value: unknown, ...path: readonly string[]): unknown[] => answer.listIn(at(value, ...path) as unknown[]);

/** The aspect values in a response of /openapi/v3/entity. */
export const aspectsIn = (response: unknown): Aspects =>
  Object.fromEntries(Object.entries(members(response)).flatMap(([name, wrapper]) => (name !== "urn" && typeof wrapper === "object" && wrapper !== null ? [[name, at(wrapper, "value")] as const] : [])));
