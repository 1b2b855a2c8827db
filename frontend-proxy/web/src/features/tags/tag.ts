import { numberIn, textIn } from "../../lib/answer";
import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { ListedTagFragment } from "./tags.operations";

/** A tag in the list. */
export interface Tag {
  urn: string;
  name: string;
  description: string;
  /** The colour as #rrggbb; empty if none is set. */
  colour: string;
  owners: Owner[];
  /** The number of assets and columns with the tag. */
  uses: number;
}

/** Reads a tag; empty for other entities. */
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

/** Converts a colour to #rrggbb for colour inputs; empty for an invalid one. */
export function colourText(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/iu.exec(text.trim())?.[1]?.toLowerCase() ?? "";
  if (digits === "") {
    return "";
  }
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6)}`;
}

/** The newly created tags followed by the page from the server, without duplicates. */
export function merged(made: readonly Tag[], listed: readonly Tag[]): Tag[] {
  const seen = new Set(made.map(({ urn }) => urn));
  return [...made, ...listed.filter(({ urn }) => !seen.has(urn))];
}
