// Readers of response members. Regardless of the schema, any member may be null, and a number may arrive as a
// string.

/** A string, or empty if there is none. Numbers and booleans are converted. */
export const textIn = (value: string | number | boolean | null | undefined): string => (typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "");

/** A number, or undefined if there is none. The service encodes long numbers as strings. */
export function numberIn(value: number | string | null | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

// The limit of Date in browsers, in ms.
const mostTime = 8.64e15;

/** A time in ms since 1970, or undefined if there is none. */
export function timeIn(value: number | string | null | undefined): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number > 0 && number <= mostTime ? number : undefined;
}

/** The type of the elements of a list without null and undefined. */
export type Item<List> = NonNullable<NonNullable<List> extends readonly (infer Element)[] ? Element : never>;

/** The elements of a list without null and undefined. */
export const listIn = <Element>(value: readonly Element[] | null | undefined): NonNullable<Element>[] => (Array.isArray(value) ? value.filter((each): each is NonNullable<Element> => each !== null && each !== undefined) : []);

/** The names and values of the members of an object; none for other values. */
export const entriesIn = <Value>(value: Readonly<Record<string, Value>> | null | undefined): [string, Value][] => (typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

/** The non-empty strings of a list. */
export const textsIn = (value: readonly (string | null | undefined)[] | null | undefined): string[] => listIn(value).map(textIn).filter(Boolean);
