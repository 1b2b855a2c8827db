import { at, listIn, textIn } from "../../lib/loose";
import { propertyIn, type Property } from "./property";

/** Where a property is shown, in the order and words of the page. */
export const places = [
  { name: "isHidden", text: "Hidden everywhere", short: "Hidden" },
  { name: "showInSearchFilters", text: "A filter of the search", short: "Filters" },
  { name: "showInAssetSummary", text: "At the side of assets", short: "Side panel" },
  { name: "showAsAssetBadge", text: "A badge of assets, for one property only", short: "Badge" },
  { name: "showInColumnsTable", text: "A column of the table of columns", short: "Columns" },
] as const;

export type Place = (typeof places)[number]["name"];

/** A structured property as it is defined. */
export interface Definition extends Property {
  qualifiedName: string;
  /** The types of assets that may have it, as URNs name them. */
  carriers: readonly string[];
  /** The types of what values that are assets may be, as URNs name them; none for any. */
  targets: readonly string[];
  shown: ReadonlySet<Place>;
}

const prefix = "urn:li:entityType:datahub.";

/** The URN of a type of assets. */
export const typeUrn = (type: string) => `${prefix}${type}`;

const typesIn = (list: unknown) => listIn(list).map((each) => textIn(at(each, "urn")).replace(prefix, ""));

/** Reads a definition, nothing where there is none. */
export function definitionIn(value: unknown): Definition[] {
  const property = propertyIn(value);
  return property
    ? [
        {
          ...property,
          qualifiedName: textIn(at(value, "definition", "qualifiedName")),
          carriers: typesIn(at(value, "definition", "entityTypes")),
          targets: typesIn(at(value, "definition", "typeQualifier", "allowedTypes")),
          shown: new Set(places.flatMap(({ name }) => (at(value, "settings", name) === true ? [name] : []))),
        },
      ]
    : [];
}

/** An allowed value as the service takes it. */
export type Allowed = ({ stringValue: string } | { numberValue: number }) & { description?: string };

/** What stands between an allowed value and its description. */
export const bar = " | ";

/** The allowed values of a text of lines, each with its description behind a bar if it has one, or why they are none. */
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

/** Allowed values as lines that allowedIn reads, null where a value or a description cannot be written so. */
export function allowedText(kind: string, allowed: Property["allowed"]): string | null {
  const text = allowed.map(({ value, description }) => (description ? `${value}${bar}${description}` : String(value))).join("\n");
  const { values } = allowedIn(kind, text);
  const same = values.length === allowed.length && allowed.every(({ value, description }, line) => valueOf(values[line]) === value && (values[line]?.description ?? "") === description);
  return same ? text : null;
}

/** The value of an allowed value. */
export const valueOf = (allowed: Allowed | undefined) => allowed && ("numberValue" in allowed ? allowed.numberValue : allowed.stringValue);

/** Allowed values in words, with what each means where that is written. */
export const allowedWords = (allowed: Property["allowed"], most = Infinity) =>
  `${allowed
    .slice(0, most)
    .map(({ value, description }) => (description ? `${value} (${description})` : String(value)))
    .join(", ")}${allowed.length > most ? ` and ${allowed.length - most} more` : ""}`;
