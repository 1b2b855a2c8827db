/** What an address of an asset's page says. */
export interface Place {
  urn: string;
  tab: string;
}

/** A part of an address, decoded where it can be. */
export const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// The end of a URN that is not encoded: behind its last parenthesis, where it has any, else at the next slash.
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
 * The asset of an address /type/URN/tab below the base of the page, null if it names none. People paste URNs as they
 * are; names of files in them have slashes.
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
