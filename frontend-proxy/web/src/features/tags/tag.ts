import { numberIn, textIn } from "../../lib/answer";
import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { ListedTagFragment } from "./tags.operations";

/** A tag as the list shows it. */
export interface Tag {
  urn: string;
  name: string;
  description: string;
  /** As #rrggbb; empty while nobody has chosen one. */
  colour: string;
  owners: Owner[];
  /** How often it is on an asset or a column. */
  uses: number;
}

/** Reads a tag as the server gives it; what is no tag is none. */
export function tagIn(value: Partial<ListedTagFragment> | null): Tag[] {
  const { urn: said, properties, ownership, uses } = value ?? {};
  const urn = textIn(said);
  if (!urn.startsWith("urn:li:tag:")) {
    return [];
  }
  return [
    {
      urn,
      name: textIn(properties?.name) || keyOf(urn),
      description: textIn(properties?.description),
      colour: colourText(textIn(properties?.colorHex)),
      owners: ownersIn(ownership),
      uses: numberIn(uses?.total) ?? 0,
    },
  ];
}

/** A colour as fields of colours want it, #rrggbb; what is none is empty. */
export function colourText(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/iu.exec(text.trim())?.[1]?.toLowerCase() ?? "";
  if (digits === "") {
    return "";
  }
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6)}`;
}

/** The tags that were made just now, then the page as the server orders it, each tag once. */
export function merged(made: readonly Tag[], listed: readonly Tag[]): Tag[] {
  const seen = new Set(made.map(({ urn }) => urn));
  return [...made, ...listed.filter(({ urn }) => !seen.has(urn))];
}
