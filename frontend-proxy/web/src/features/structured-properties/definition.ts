import { at, listIn, textIn } from "../../lib/loose";
import { propertyIn, type Property } from "../asset/asset";

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
  shown: ReadonlySet<Place>;
}

const prefix = "urn:li:entityType:datahub.";

/** The URN of a type of assets. */
export const typeUrn = (type: string) => `${prefix}${type}`;

/** Reads a definition, nothing where there is none. */
export function definitionIn(value: unknown): Definition[] {
  const property = propertyIn(value);
  return property
    ? [
        {
          ...property,
          qualifiedName: textIn(at(value, "definition", "qualifiedName")),
          carriers: listIn(at(value, "definition", "entityTypes")).map((each) => textIn(at(each, "urn")).replace(prefix, "")),
          shown: new Set(places.flatMap(({ name }) => (at(value, "settings", name) === true ? [name] : []))),
        },
      ]
    : [];
}

/** The values of a text of lines, as the service takes them, or why they are none. */
export function allowedIn(kind: string, text: string): { values: ({ stringValue: string } | { numberValue: number })[]; problem: string } {
  const lines = [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];
  const wrong = kind === "number" ? lines.find((line) => !Number.isFinite(Number(line))) : undefined;
  return wrong === undefined
    ? { values: lines.map((line) => (kind === "number" ? { numberValue: Number(line) } : { stringValue: line })), problem: "" }
    : { values: [], problem: `“${wrong.slice(0, 60)}” is no number.` };
}
