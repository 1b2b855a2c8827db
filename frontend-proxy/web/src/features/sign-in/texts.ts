import type { Problem } from "../../lib/problem";
import { keyOf } from "../../lib/text";

/** The reason for a failed sign-in, as shown in the form. */
export interface Refusal {
  text: string;
}

/** The message for a rejected sign-in. */
export function refusalText(problem: Problem): Refusal {
  const { retryAfter } = problem.details;
  switch (problem.reason) {
    case "throttled":
      return { text: `Too many attempts. Try again ${retryAfter ? `in ${waitText(retryAfter)}` : "later"}.` };
    case "away":
      return { text: "The catalog does not answer at the moment. Your password was not judged." };
    default:
      // Compares with the message of the reference implementation, which other clients also match.
      return { text: problem.message === "Invalid Credentials" ? "User name and password do not match. Try again, or ask an administrator for a reset link." : problem.message };
  }
}

const waitText = (seconds: number) => {
  const minutes = Math.ceil(seconds / 60);
  return seconds <= 90 ? `${seconds} seconds` : `${minutes} minutes`;
};

/**
 * The message for the single sign-on error code in the address; null without a code. The address cannot supply the
 * text itself, because anybody can craft an address.
 */
export function failureText(code: string | null, sentences: Record<string, string>): string | null {
  if (code === null) {
    return null;
  }
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? null) : "Try again, and ask an administrator when it does not help.";
}

/**
 * Reports whether the server serves a path directly, such as the explorer and the OpenAPI documents. The server has
 * the same list.
 */
export const isOfServer = (path: string) => /^\/(?:api|gms|openapi|assets)(?:[/?#]|$)/u.test(path);

/** The display name of the page at a path: the name of its asset, if any. */
export function nameOfTarget(path: string): string {
  const [, kind = "", name = ""] = path.split(/[/?#]/u);
  if (isOfServer(path)) {
    return { graphiql: "the GraphQL explorer", "swagger-ui": "the OpenAPI documents" }[name] ?? path;
  }
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // An invalid encoding is kept unchanged.
  }
  if (text.startsWith("urn:li:")) {
    const parts = keyOf(text)
      .replaceAll(/^\(|\)$/gu, "")
      .split(",");
    const key = parts.length > 2 ? parts.at(-2) : parts.at(-1);
    return (key ?? text).split(/[./]/u).at(-1) || text;
  }
  return { settings: "the settings", tests: "the metadata tests", operations: "the operations", search: "your search" }[kind] ?? path;
}
