import { listIn, textIn } from "../../lib/answer";
import type { DefinedPropertyFragment } from "./defined.operations";
import { propertyIn, type Property } from "./property";

/** The places that can show a property, in page order with labels. */
export const places = [
  { name: "isHidden", text: "Hidden everywhere", short: "Hidden" },
  { name: "showInSearchFilters", text: "A filter of the search", short: "Filters" },
  { name: "showInAssetSummary", text: "At the side of assets", short: "Side panel" },
  { name: "showAsAssetBadge", text: "A badge of assets, for one property only", short: "Badge" },
  { name: "showInColumnsTable", text: "A column of the table of columns", short: "Columns" },
] as const;

export type Place = (typeof places)[number]["name"];

/** The definition of a structured property. */
export interface Definition extends Property {
  qualifiedName: string;
  /** The asset types that can have it, as in URNs. */
  carriers: readonly string[];
  /** The allowed entity types of URN values, as in URNs; empty for any type. */
  targets: readonly string[];
  shown: ReadonlySet<Place>;
}

const prefix = "urn:li:entityType:datahub.";

/** The URN of an entity type. */
export const typeUrn = (type: string) => `${prefix}${type}`;

const typesIn = (list: readonly ({ readonly urn: string | null } | null)[] | null | undefined) => listIn(list).map(({ urn }) => textIn(urn).replace(prefix, ""));

/** Reads a definition; empty if there is none. */
export function definitionIn(value: Partial<DefinedPropertyFragment> | null): Definition[] {
  const property = propertyIn(value);
  return property
    ? [
        {
          ...property,
          qualifiedName: textIn(value?.definition?.qualifiedName),
          carriers: typesIn(value?.definition?.entityTypes),
          targets: typesIn(value?.definition?.typeQualifier?.allowedTypes),
          shown: new Set(places.flatMap(({ name }) => (value?.settings?.[name] === true ? [name] : []))),
        },
      ]
    : [];
}

/** An allowed value in the form of the service. */
export type Allowed = ({ stringValue: string } | { numberValue: number }) & { description?: string };

/** The separator between an allowed value and its description. */
export const bar = " | ";

/**
 * Parses allowed values from lines. A separator precedes an optional description. On invalid input it returns the
 * problem.
 */
export function allowedIn(kind: string, text: string): { values: Allowed[]; problem: string } {
  const lines = new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const cut = line.indexOf(bar);
      const value = (cut < 0 ? line : line.slice(0, cut)).trim();
      return value ? [[value, cut < 0 ? "" : line.slice(cut + bar.length).trim()]] : [];
    }),
  );
  const wrong = kind === "number" ? [...lines.keys()].find((value) => !Number.isFinite(Number(value))) : undefined;
  return wrong === undefined
    ? { values: [...lines].map(([value, description]) => Object.assign(kind === "number" ? { numberValue: Number(value) } : { stringValue: value }, description ? { description } : {})), problem: "" }
    : { values: [], problem: `“${wrong.slice(0, 60)}” is no number.` };
}

/** Formats allowed values as lines for allowedIn; null if a value or a description cannot be represented. */
export function allowedText(kind: string, allowed: Property["allowed"]): string | null {
  const text = allowed.map(({ value, description }) => (description ? `${value}${bar}${description}` : String(value))).join("\n");
  const { values } = allowedIn(kind, text);
  const same = values.length === allowed.length && allowed.every(({ value, description }, line) => valueOf(values[line]) === value && (values[line]?.description ?? "") === description);
  return same ? text : null;
}

/** The plain value of an allowed value. */
export const valueOf = (allowed: Allowed | undefined) => allowed && ("numberValue" in allowed ? allowed.numberValue : allowed.stringValue);

/** Allowed values as text, with their descriptions if present. */
export const allowedWords = (allowed: Property["allowed"], most = Infinity) =>
  `${allowed
    .slice(0, most)
    .map(({ value, description }) => (description ? `${value} (${description})` : String(value)))
    .join(", ")}${allowed.length > most ? ` and ${allowed.length - most} more` : ""}`;
