/** Strips markup from the text about an asset. Headings, tables and code blocks are removed. */
export const plainText = (text: string) =>
  text
    .replaceAll(/^(```|~~~).*$[\s\S]*?(?:^\1.*$|$(?![\s\S]))/gmu, "")
    .replaceAll(/^\s*\|.*$|^#{1,6}\s.*$/gmu, "")
    .replaceAll(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,2000}\)/gu, "$1")
    .replaceAll(/^>\s?|`|\*\*/gmu, "")
    .replaceAll(/^(\s*)[*+-] /gmu, "$1• ")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();

const longestBeginning = 240;

/** The beginning of the text about an asset: the paragraphs that fit into a few lines, and whether the text continues. */
export function beginningOf(text: string): { text: string; more: boolean } {
  // A text of only headings, tables or code is shown unchanged.
  const [opening = "", ...rest] = (plainText(text.slice(0, 10_000)) || text.trim()).split("\n\n");
  if (opening.length > longestBeginning) {
    return { text: `${opening.slice(0, longestBeginning).replace(/\s+\S*$/u, "")}…`, more: true };
  }
  let length = opening.length;
  const fitting = rest.findIndex((paragraph) => (length += paragraph.length) > longestBeginning);
  const shown = fitting < 0 ? rest : rest.slice(0, fitting);
  return { text: [opening, ...shown].join("\n\n"), more: shown.length < rest.length || text.length > 10_000 || /^(?:```|~~~|\s*\||#{1,6}\s)/mu.test(text) };
}
