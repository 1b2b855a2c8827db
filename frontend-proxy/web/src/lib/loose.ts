// Reading of answers whose members may be anything: null where the schema says never, values that came after this
// page was built. What is not of the kind asked for is as if it were not there.

/** The members of an object, none of what is none. */
export const members = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {});

/** What is at a path of members. */
export const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce((inner, name) => members(inner)[name], value);

/** A text, empty where there is none. A number is its digits. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "");

/** A number, where there is one; the service writes long ones as texts. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

// As far as dates go in the browser.
const mostTime = 8.64e15;

/** A moment in ms since 1970, where there is one. */
export function timeIn(value: unknown): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number > 0 && number <= mostTime ? number : undefined;
}

/** The elements of a list that are there. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.filter((each) => each !== null && each !== undefined) : []);

/** The texts of a list that are not empty. */
export const textsIn = (value: unknown): string[] => listIn(value).map(textIn).filter(Boolean);
