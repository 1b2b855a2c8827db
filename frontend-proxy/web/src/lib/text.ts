import { columnOf } from "./column";

const numbers = new Intl.NumberFormat("en-US");

/** A number with its thousands apart. */
export const numberText = (n: number) => numbers.format(n);

/** A number with its noun, as "1 test" or "2,000 tests". */
export const counted = (n: number, one: string, many = `${one}s`) => `${numberText(n)} ${n === 1 ? one : many}`;

/** A part of a whole in percent, rounded down so that 100 means all. */
export const percent = (part: number, whole: number) => (whole === 0 ? null : Math.floor((Math.min(part, whole) / whole) * 100));

/** The two letters that stand for a person or a team. */
export function initials(name: string): string {
  const parts = name.split(/[\s._@-]+/u).filter(Boolean);
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => [...part][0] ?? "") : [...(parts[0] ?? "?")].slice(0, 2);
  const [first = "?", second = ""] = letters;
  return first.toUpperCase() + (parts.length > 1 ? second.toUpperCase() : second.toLowerCase());
}

/** A privilege as policies spell it to people, from how programs do: GET_COUNTS is Get Counts. */
export const privilegeName = (type: string) =>
  type
    .replace(/_PRIVILEGE$/u, "")
    .toLowerCase()
    .replaceAll(/(^|_)(\p{L}+)/gu, (_, gap: string, word: string) => (gap && " ") + (word === "es" || word === "api" ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)));

/** The last part of a URN, which people know the thing by. */
export const keyOf = (urn: string) => urn.replace(/^urn:li:[^:]+:/, "");

/** The part of a URN that people know a thing by: of one with several parts the one in the middle. The URN of what somebody may not view tells nothing. */
export function shortOf(urn: string): string {
  if (urn.startsWith("urn:li:restricted:")) {
    return "Restricted asset";
  }
  const key = keyOf(urn);
  const inner = /^\((.*)\)$/su.exec(key)?.[1];
  if (inner === undefined) {
    return key;
  }
  // Commas within an inner URN part nothing.
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

/** A name of the model as words: editableSchemaMetadata is Editable schema metadata. */
export function words(name: string): string {
  const apart = name === name.toUpperCase() ? name.replaceAll("_", " ") : name.replaceAll(/([a-z0-9])([A-Z])|([a-z])(\d)/gu, "$1$3 $2$4").replaceAll("_", " ");
  const text = apart.toLowerCase().trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The words of a text in Markdown, on one line. */
export const plainText = (markdown: string) =>
  markdown
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gmu, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/^\s*(?:```.*|[-*_]{3,}|\|?[\s:|-]+\|[\s:|-]*)$/gmu, "")
    .replaceAll(/(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
    .replaceAll(/\s+/gu, " ")
    .trim();
