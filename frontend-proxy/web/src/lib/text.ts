import { columnOf } from "./column";

const numbers = new Intl.NumberFormat("en-US");

/** A number with thousands separators. */
export const numberText = (n: number) => numbers.format(n);

/** A number with its noun, as "1 test" or "2,000 tests". */
export const counted = (n: number, one: string, many = `${one}s`) => `${numberText(n)} ${n === 1 ? one : many}`;

/** A percentage, rounded down so that 100 means all; null if the whole is 0. */
export const percent = (part: number, whole: number) => (whole === 0 ? null : Math.floor((Math.min(part, whole) / whole) * 100));

/** The two-letter initials of a user or a group. */
export function initials(name: string): string {
  const parts = name.split(/[\s._@-]+/u).filter(Boolean);
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => [...part][0] ?? "") : [...(parts[0] ?? "?")].slice(0, 2);
  const [first = "?", second = ""] = letters;
  return first.toUpperCase() + (parts.length > 1 ? second.toUpperCase() : second.toLowerCase());
}

/** The display name of a privilege, derived from its id: Get Counts for GET_COUNTS. */
export const privilegeName = (type: string) =>
  type
    .replace(/_PRIVILEGE$/u, "")
    .toLowerCase()
    .replaceAll(/(^|_)(\p{L}+)/gu, (_, gap: string, word: string) => (gap && " ") + (word === "es" || word === "api" ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)));

/** The key of a URN: the text after the entity type. */
export const keyOf = (urn: string) => urn.replace(/^urn:li:[^:]+:/, "");

/**
 * The readable part of a URN: the middle part if the key has several parts. The URN of an entity that the
 * user may not view contains no readable name.
 */
export function shortOf(urn: string): string {
  if (urn.startsWith("urn:li:restricted:")) {
    return "Restricted asset";
  }
  const key = keyOf(urn);
  const inner = /^\((.*)\)$/su.exec(key)?.[1];
  if (inner === undefined) {
    return key;
  }
  // Commas inside a nested URN do not separate parts.
  const parts: string[] = [];
  let depth = 0;
  let at = 0;
  for (let i = 0; i < inner.length; i++) {
    const c = inner.charAt(i);
    depth += c === "(" ? 1 : c === ")" ? -1 : 0;
    if (c === "," && depth === 0) {
      parts.push(inner.slice(at, i));
      at = i + 1;
    }
  }
  parts.push(inner.slice(at));
  const name = (parts.length > 2 ? parts[1] : parts.at(-1)) || key;
  return urn.startsWith("urn:li:schemaField:") ? (columnOf(urn)?.path ?? name) : name;
}

/** Converts an identifier of the model to words: editableSchemaMetadata to Editable schema metadata. */
export function words(name: string): string {
  const apart = name === name.toUpperCase() ? name.replaceAll("_", " ") : name.replaceAll(/([a-z0-9])([A-Z])|([a-z])(\d)/gu, "$1$3 $2$4").replaceAll("_", " ");
  const text = apart.toLowerCase().trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The plain text of Markdown, on one line. */
export const plainText = (markdown: string) =>
  markdown
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gmu, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/^\s*(?:```.*|[-*_]{3,}|\|?[\s:|-]+\|[\s:|-]*)$/gmu, "")
    .replaceAll(/(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
    .replaceAll(/\s+/gu, " ")
    .trim();
