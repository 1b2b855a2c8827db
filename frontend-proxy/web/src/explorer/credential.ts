// What the Headers editor says about who asks. A header that somebody typed wins over the
// login cookie, at the server as well; it is sent as typed, but for a token alone.

export type Headers = Record<string, string>;

/** Credential of a request: none typed (the cookie counts), typed without a token, or a token. */
export type Credential = "none" | "empty" | "given";

const name = "authorization";

/**
 * Turns what the Headers editor holds into headers to send. Names are lower case, so that of two
 * spellings of one name the last counts; values that are no text are written as JSON. A token without
 * a scheme, as copied from the page that made it, gets "Bearer" in front.
 */
export function headersToSend(typed: Readonly<Record<string, unknown>> | null | undefined): Headers {
  const headers: Headers = {};
  for (const [key, value] of Object.entries(typed ?? {})) {
    if (value !== null && value !== undefined) {
      headers[key.trim().toLowerCase()] = typeof value === "string" ? value.trim() : JSON.stringify(value);
    }
  }
  const token = headers[name];
  if (token === "") {
    delete headers[name];
  } else if (token !== undefined && !/\s/.test(token) && token.toLowerCase() !== "bearer") {
    headers[name] = `Bearer ${token}`;
  }
  return headers;
}

/** Says what headers made by headersToSend prove. */
export function credentialOf(headers: Headers): Credential {
  const value = headers[name];
  if (value === undefined) {
    return "none";
  }
  return value.toLowerCase() === "bearer" ? "empty" : "given";
}

/** The Authorization in the text of the Headers editor; empty while there is none, or the text is not finished. */
export function tokenIn(text: string): string {
  try {
    const typed: unknown = JSON.parse(text);
    if (typeof typed !== "object" || typed === null || Array.isArray(typed)) {
      return "";
    }
    const headers = headersToSend({ ...typed });
    return credentialOf(headers) === "given" ? (headers[name] ?? "") : "";
  } catch {
    return "";
  }
}

/** What the Headers editor shows somebody who wants to paste a token, and where the cursor goes. */
export const template = { text: '{\n  "Authorization": "Bearer "\n}', line: 2, column: 28 };
