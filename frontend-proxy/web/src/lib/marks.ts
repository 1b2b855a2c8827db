/** A piece of a text, and whether it is one of the words that were searched for. */
export interface Piece {
  text: string;
  marked: boolean;
}

// Endings that the search itself looks past.
const endings = /(?:ings?|ies|ed|es|s)$/u;

// A word that is as short as this is marked at the beginning of words only.
const short = 2;

/** The words of a query, without its operators; longer ones first, so that those win. */
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

/** Cuts a text where one of the words begins or ends. */
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

/** Tells whether one of the words is in a text. */
export const hasWord = (text: string, words: readonly string[]) => pieces(text, words).some(({ marked }) => marked);
