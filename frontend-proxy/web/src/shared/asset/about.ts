/** The text about an asset without its marks: headings, and what is drawn as a table or as code, are left out. */
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

/** How the text about an asset begins: the paragraphs that fit into a few lines, and whether there is more of it. */
export function beginningOf(text: string): { text: string; more: boolean } {
  // A text that is all headings, tables or code stands as it was written.
  const [opening = "", ...rest] = (plainText(text.slice(0, 10_000)) || text.trim()).split("\n\n");
  if (opening.length > longestBeginning) {
    return { text: `${opening.slice(0, longestBeginning).replace(/\s+\S*$/u, "")}…`, more: true };
  }
  let length = opening.length;
  const fitting = rest.findIndex((paragraph) => (length += paragraph.length) > longestBeginning);
  const shown = fitting < 0 ? rest : rest.slice(0, fitting);
  return { text: [opening, ...shown].join("\n\n"), more: shown.length < rest.length || text.length > 10_000 || /^(?:```|~~~|\s*\||#{1,6}\s)/mu.test(text) };
}
