/** The parts of the address of an asset page. */
export interface Place {
  urn: string;
  tab: string;
}

/** A segment of an address, decoded if possible. */
export const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// The end of a URN that is not percent-encoded: after its last closing parenthesis, or at the next slash if
// it has no parentheses.
function endOf(raw: string): number {
  let depth = 0;
  for (let at = 0; at < raw.length; at++) {
    const letter = raw[at];
    if (letter === "(") {
      depth++;
    } else if (letter === ")") {
      depth--;
    } else if (letter === "/" && depth <= 0) {
      return at;
    }
  }
  return raw.length;
}

/**
 * Parses an address /type/URN/tab below the base path. Returns null if it names no asset. Users paste URNs
 * without encoding, and file names in them may contain slashes.
 */
export function placeOf(pathname: string): Place | null {
  const rest = /^\/[^/]+\/(.+)$/u.exec(pathname)?.[1] ?? "";
  const raw = rest.startsWith("urn:");
  const end = raw ? endOf(rest) : rest.includes("/") ? rest.indexOf("/") : rest.length;
  const urn = decoded(rest.slice(0, end)).trim();
  if (!/^urn:li:[A-Za-z]\w*:./u.test(urn)) {
    return null;
  }
  return { urn, tab: decoded(rest.slice(end + 1).split("/")[0] ?? "") };
}
