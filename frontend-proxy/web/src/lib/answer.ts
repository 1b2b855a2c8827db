// Readers of members of answers. Any member may be null, and a number may come as text, whatever the schema promises.

/** A text, empty where there is none. A number is its digits. */
export const textIn = (value: string | number | boolean | null | undefined): string => (typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "");

/** A number, where there is one; the service writes long ones as texts. */
export function numberIn(value: number | string | null | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

// The range of dates in the browser.
const mostTime = 8.64e15;

/** A moment in ms since 1970, where there is one. */
export function timeIn(value: number | string | null | undefined): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number > 0 && number <= mostTime ? number : undefined;
}

/** The elements of a list that are there. */
export const listIn = <Item>(value: readonly Item[] | null | undefined): NonNullable<Item>[] => (Array.isArray(value) ? value.filter((each): each is NonNullable<Item> => each !== null && each !== undefined) : []);

/** The texts of a list that are not empty. */
export const textsIn = (value: readonly (string | null | undefined)[] | null | undefined): string[] => listIn(value).map(textIn).filter(Boolean);
