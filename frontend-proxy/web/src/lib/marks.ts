/** A part of a text, and whether it matches a search word. */
export interface Piece {
  text: string;
  marked: boolean;
}

// Word endings that the search ignores.
const endings = /(?:ings?|ies|ed|es|s)$/u;

// Words up to this length match only at the beginning of a word.
const short = 2;

/** The words of a query without its operators. Longer words come first, so that they take precedence. */
export function wordsOf(query: string): string[] {
  const plain = query.replace(/^\s*:*\s*\/q\s/u, " ").replaceAll(/\b(?:AND|OR|NOT)\b/gu, " ");
  const all = plain
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .flatMap((word) => {
      const stem = word.replace(endings, "");
      return stem.length > short ? [word, stem] : [word];
    });
  return [...new Set(all)].toSorted((a, b) => b.length - a.length).slice(0, 50);
}

const escaped = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

/** Splits a text at the beginning and end of each match. */
export function pieces(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0 || text === "") {
    return [{ text, marked: false }];
  }
  const pattern = new RegExp(`(${words.map((word) => (word.length > short ? escaped(word) : String.raw`(?<![\p{L}\p{N}])${escaped(word)}`)).join("|")})`, "giu");
  return text
    .split(pattern)
    .map((part, at) => ({ text: part, marked: at % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

/** Returns whether a text contains one of the words. */
export const hasWord = (text: string, words: readonly string[]) => pieces(text, words).some(({ marked }) => marked);
