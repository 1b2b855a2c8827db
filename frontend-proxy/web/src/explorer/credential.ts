// Credentials in the Headers editor. A typed Authorization header takes precedence over the login cookie,
// also in the server. It is sent unchanged, except that a bare token gets a scheme.

export type Headers = Record<string, string>;

/**
 * The credential of a request: "none" without an Authorization header (the cookie counts), "empty" for a
 * header without a token, "given" for a token.
 */
export type Credential = "none" | "empty" | "given";

const name = "authorization";

/**
 * Converts the content of the Headers editor to request headers. Names become lower case, so that of two
 * spellings of a name the last one counts. Values other than strings are written as JSON. A token without a
 * scheme, as copied from the token page, gets the prefix "Bearer".
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

/** Classifies headers that headersToSend returned. */
export function credentialOf(headers: Headers): Credential {
  const value = headers[name];
  if (value === undefined) {
    return "none";
  }
  return value.toLowerCase() === "bearer" ? "empty" : "given";
}

/** The Authorization value in the text of the Headers editor; empty if there is none or the text is not valid JSON yet. */
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

/** The initial text of the Headers editor for pasting a token, and the cursor position in it. */
export const template = { text: '{\n  "Authorization": "Bearer "\n}', line: 2, column: 28 };
