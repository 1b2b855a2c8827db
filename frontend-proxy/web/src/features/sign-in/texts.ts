import type { Problem } from "../../lib/problem";
import { keyOf } from "../../lib/text";

/** Why somebody was not let in, in words for the form. */
export interface Refusal {
  text: string;
}

/** What to say to somebody whom the server did not let in. */
export function refusalText(problem: Problem): Refusal {
  const { retryAfter } = problem.details;
  switch (problem.reason) {
    case "throttled":
      return { text: `Too many attempts. Try again ${retryAfter ? `in ${waitText(retryAfter)}` : "later"}.` };
    case "away":
      return { text: "The catalog does not answer at the moment. Your password was not judged." };
    default:
      // The words of the reference, which other clients match.
      return { text: problem.message === "Invalid Credentials" ? "User name and password do not match. Try again, or ask an administrator for a reset link." : problem.message };
  }
}

const waitText = (seconds: number) => {
  const minutes = Math.ceil(seconds / 60);
  return seconds <= 90 ? `${seconds} seconds` : `${minutes} minutes`;
};

/**
 * What single sign-on could not do, by the code in the address; null when there is none. A sentence in the address is
 * not shown: anybody may have written it.
 */
export function failureText(code: string | null, sentences: Record<string, string>): string | null {
  if (code === null) {
    return null;
  }
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? null) : "Try again, and ask an administrator when it does not help.";
}

/**
 * Tells a page that the server makes, such as the explorer and the OpenAPI documents, from those of this application. The
 * server has the same list.
 */
export const isOfServer = (path: string) => /^\/(?:api|gms|openapi|assets)(?:[/?#]|$)/u.test(path);

/** What people call the page of an address: its asset's name where there is one. */
export function nameOfTarget(path: string): string {
  const [, kind = "", name = ""] = path.split(/[/?#]/u);
  if (isOfServer(path)) {
    return { graphiql: "the GraphQL explorer", "swagger-ui": "the OpenAPI documents" }[name] ?? path;
  }
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // It stays as it is.
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
