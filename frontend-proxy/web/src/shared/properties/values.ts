import { entriesIn, listIn, textIn, timeIn } from "../../lib/answer";
import type { Property } from "./property";
import { words } from "../../lib/text";

/** A value of a property in the form of the service. */
export type Value = { stringValue: string } | { numberValue: number };

const kinds: Readonly<Record<string, string>> = { string: "Text", rich_text: "Formatted text", number: "Number", date: "Date", urn: "Asset" };

/** Reports whether the UI can edit values of a type. */
export const isEditable = (kind: string) => Object.hasOwn(kinds, kind);

/** The display name of a value type. */
export const kindName = (kind: string) => (Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : words(kind) || "Not known");

const isNumber = (text: string) => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) && Number.isFinite(Number(text));

// Reports whether a text is a calendar date in the form YYYY-MM-DD.
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

/** Converts input for a property to values without duplicates, or returns the problem. Empty fields are ignored. */
export function valuesOf({ kind, many }: Pick<Property, "kind" | "many">, texts: readonly string[]): { values: Value[]; problem: string } {
  const written = [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
  const problem = written.map((text) => problemOf(kind, text)).find(Boolean) ?? "";
  if (problem || (written.length > 1 && !many)) {
    return { values: [], problem: problem || "It holds one value." };
  }
  return { values: written.map((text) => (kind === "number" ? { numberValue: Number(text) } : { stringValue: text })), problem: "" };
}

/** The plain value, as shown and stored. */
export const plainValue = (value: Value): string | number => ("numberValue" in value ? value.numberValue : value.stringValue);

/** Actor and time of the last write of a property. */
export interface Stamp {
  by: string;
  time: number | undefined;
}

/**
 * The origin of the properties of an asset, and the aspect with its custom properties; undefined if no aspect can
 * hold them.
 */
export interface Provenance {
  stamps: ReadonlyMap<string, Stamp>;
  custom: Stamp;
  aspect: string | undefined;
}

interface AuditStamp {
  readonly actor?: string | null;
  readonly time?: number | null;
}

// An aspect in a response of /openapi/v3/entity: structured properties, or an aspect that can hold custom ones.
interface Aspect {
  readonly value?: {
    readonly customProperties?: Readonly<Record<string, string>> | null;
    readonly properties?: readonly ({ readonly propertyUrn?: string | null; readonly lastModified?: AuditStamp | null; readonly created?: AuditStamp | null } | null)[] | null;
  } | null;
  readonly auditStamp?: AuditStamp | null;
}

const stampIn = (value: AuditStamp | null | undefined): Stamp => ({ by: textIn(value?.actor), time: timeIn(value?.time) });

// The aspect names of people spell the type differently.
const stemOf = (type: string) => (type === "corpuser" ? "corpUser" : type);

/** The aspects of a type that can hold custom properties. */
export const customAspects = (type: string) => [`${stemOf(type)}Properties`, `${stemOf(type)}Info`];

/** Reads the origin of properties from the aspects of an asset and their audit stamps. */
export function provenanceIn(type: string, answer: Readonly<Record<string, Aspect | null>> | null): Provenance {
  const possible = customAspects(type);
  const aspect = possible.find((name) => entriesIn(answer?.[name]?.value?.customProperties).length > 0) ?? possible.find((name) => answer?.[name]);
  return {
    stamps: new Map(listIn(answer?.["structuredProperties"]?.value?.properties).map(({ propertyUrn, lastModified, created }) => [textIn(propertyUrn), stampIn(lastModified ?? created)])),
    custom: stampIn(aspect === undefined ? undefined : answer?.[aspect]?.auditStamp),
    aspect,
  };
}

// The pointer to a member in a JSON Patch, RFC 6901.
const pointer = (key: string) => `/customProperties/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * A patch that sets or removes a custom property. It is generic, because not every aspect with custom properties has
 * patch keys.
 */
export const customPatch = (key: string, value: string | null) => ({
  patch: [value === null ? { op: "remove", path: pointer(key) } : { op: "add", path: pointer(key), value }],
  forceGenericPatch: true,
});
