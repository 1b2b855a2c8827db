/** A column of an asset, with the path that the schema has. */
export interface Column {
  urn: string;
  path: string;
}

// What would part the URN of a column, as clients encode it. A percent sign stays as it is.
const codes: Readonly<Record<string, string>> = { "(": "%28", ")": "%29", ",": "%2C", "\u241F": "%E2%90%9F" };
const characters = new Map(Object.entries(codes).map(([character, code]) => [code, character]));

/** The URN of the column of an asset with a path as it stands in the schema. */
export const columnUrn = (urn: string, path: string) => `urn:li:schemaField:(${urn},${path.replaceAll(/[(),\u241F]/gu, (character) => codes[character] ?? character)})`;

/** The path of a column as it stands in the schema, by the text of it in a URN. It is decoded once. */
export const columnPath = (text: string) => text.replaceAll(/%28|%29|%2C|%E2%90%9F/giu, (code) => characters.get(code.toUpperCase()) ?? code);

/** The column that a URN names, also one that is not encoded. */
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
