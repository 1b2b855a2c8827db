import { textIn } from "../../lib/loose";
import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../../shared/govern/read";

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
export function tagIn(value: unknown): Tag[] {
  const { urn, properties, ownership, uses } = (value ?? {}) as {
    urn?: unknown;
    properties?: { name?: string | null; description?: string | null; colorHex?: string | null } | null;
    ownership?: unknown;
    uses?: { total?: number | null } | null;
  };
  if (typeof urn !== "string" || !urn.startsWith("urn:li:tag:")) {
    return [];
  }
  return [
    {
      urn,
      name: textIn(properties?.name) || keyOf(urn),
      description: textIn(properties?.description),
      colour: colourText(textIn(properties?.colorHex)),
      owners: ownersIn(ownership),
      uses: uses?.total ?? 0,
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
