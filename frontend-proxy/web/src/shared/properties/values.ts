import { aspectsIn, type Aspects } from "../../lib/aspects";
import type { Property } from "./property";
import { at, listIn, members, textIn, timeIn } from "../../lib/loose";
import { words } from "../../lib/text";

/** A value of a property as the service takes it. */
export type Value = { stringValue: string } | { numberValue: number };

const kinds: Readonly<Record<string, string>> = { string: "Text", rich_text: "Formatted text", number: "Number", date: "Date", urn: "Asset" };

/** Whether values of a kind can be typed here. */
export const isEditable = (kind: string) => Object.hasOwn(kinds, kind);

/** What a kind of values is called. */
export const kindName = (kind: string) => (Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : words(kind) || "Not known");

const isNumber = (text: string) => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) && Number.isFinite(Number(text));

// A day of the calendar as year, month and day.
function isDate(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function problemOf(kind: string, text: string): string {
  switch (kind) {
    case "number":
      return isNumber(text) ? "" : `“${text.slice(0, 60)}” is no number. Write it as 12 or 0.5.`;
    case "date":
      return isDate(text) ? "" : `“${text.slice(0, 60)}” is no date. Write it as 2026-09-03.`;
    case "urn":
      return /^urn:li:[A-Za-z]\w*:\S+$/u.test(text) ? "" : `“${text.slice(0, 60)}” is no URN.`;
    default:
      return "";
  }
}

/** The values that were typed for a property, each once, or why they cannot be. Empty fields are left out. */
export function valuesOf({ kind, many }: Pick<Property, "kind" | "many">, texts: readonly string[]): { values: Value[]; problem: string } {
  const written = [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
  const problem = written.map((text) => problemOf(kind, text)).find(Boolean) ?? "";
  if (problem || (written.length > 1 && !many)) {
    return { values: [], problem: problem || "It holds one value." };
  }
  return { values: written.map((text) => (kind === "number" ? { numberValue: Number(text) } : { stringValue: text })), problem: "" };
}

/** A value as it is shown and kept. */
export const plainValue = (value: Value): string | number => ("numberValue" in value ? value.numberValue : value.stringValue);

/** Who last wrote a property, and when. */
export interface Stamp {
  by: string;
  time: number | undefined;
}

/** Where the properties of an asset came from, and which aspect holds its custom ones, undefined if none can. */
export interface Provenance {
  stamps: ReadonlyMap<string, Stamp>;
  custom: Stamp;
  aspect: string | undefined;
}

const stampIn = (value: unknown): Stamp => ({ by: textIn(at(value, "actor")), time: timeIn(at(value, "time")) });

// The type of people is spelled in another way in the names of their aspects.
const stemOf = (type: string) => (type === "corpuser" ? "corpUser" : type);

/** The aspects of an asset of a type that may hold custom properties. */
export const customAspects = (type: string) => [`${stemOf(type)}Properties`, `${stemOf(type)}Info`];

/** Reads where properties came from out of the aspects of an asset with their stamps. */
export function provenanceIn(type: string, answer: unknown): Provenance {
  const aspects: Aspects = aspectsIn(answer);
  const possible = customAspects(type);
  const aspect = possible.find((name) => Object.keys(members(at(aspects[name], "customProperties"))).length > 0) ?? possible.find((name) => Object.hasOwn(aspects, name));
  return {
    stamps: new Map(listIn(at(aspects["structuredProperties"], "properties")).map((each) => [textIn(at(each, "propertyUrn")), stampIn(at(each, "lastModified") ?? at(each, "created"))])),
    custom: stampIn(aspect === undefined ? undefined : at(answer, aspect, "auditStamp")),
    aspect,
  };
}

// A member in a JSON Patch, RFC 6901.
const pointer = (key: string) => `/customProperties/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The patch that sets a custom property, or takes it away. It is generic, for not every aspect with such a map has patch keys of its own. */
export const customPatch = (key: string, value: string | null) => ({
  patch: [value === null ? { op: "remove", path: pointer(key) } : { op: "add", path: pointer(key), value }],
  forceGenericPatch: true,
});
