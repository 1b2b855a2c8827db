import { pieces, type Piece } from "../lib/marks";

/** A text in which the search words are highlighted. */
export function Marked({ of, words }: { of: string; words: readonly string[] }) {
  return <>{pieces(of, words).map(mark)}</>;
}

// oxlint-disable-next-line react/no-array-index-key -- pieces have no name but their place
const mark = ({ text, marked }: Piece, at: number) => (marked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>);
