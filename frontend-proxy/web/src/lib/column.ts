/** A column of an asset, with its path in the schema. */
export interface Column {
  urn: string;
  path: string;
}

// Characters that delimit parts of a column URN, with their encoding as used by other clients. Percent signs
// are not encoded.
const codes: Readonly<Record<string, string>> = { "(": "%28", ")": "%29", ",": "%2C", "\u241F": "%E2%90%9F" };
const characters = new Map(Object.entries(codes).map(([character, code]) => [code, character]));

/** The URN of a column, given the asset URN and the path in the schema. */
export const columnUrn = (urn: string, path: string) => `urn:li:schemaField:(${urn},${path.replaceAll(/[(),\u241F]/gu, (character) => codes[character] ?? character)})`;

/** The path of a column in the schema, given its form in a URN. It is decoded once. */
export const columnPath = (text: string) => text.replaceAll(/%28|%29|%2C|%E2%90%9F/giu, (code) => characters.get(code.toUpperCase()) ?? code);

/** Parses a column URN. URNs that are not encoded are accepted. */
export function columnOf(urn: string): Column | null {
  const inner = /^urn:li:schemaField:\((.*)\)$/su.exec(urn)?.[1] ?? "";
  let depth = 0;
  for (let at = 0; at < inner.length; at++) {
    depth += inner[at] === "(" ? 1 : inner[at] === ")" ? -1 : 0;
    if (depth === 0 && inner[at] === ",") {
      return { urn: inner.slice(0, at), path: columnPath(inner.slice(at + 1)) };
    }
  }
  return null;
}
