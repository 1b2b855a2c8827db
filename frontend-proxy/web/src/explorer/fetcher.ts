import type { FetcherOpts, FetcherParams } from "@graphiql/toolkit";
import type { ExecutionResult } from "graphql";

import type { AccessLog } from "./access";
import { credentialOf, headersToSend } from "./credential";

const longestText = 400;

/**
 * Creates a function that sends operations to address. Bodies are JSON, which session authentication
 * requires. The login cookie is sent if the address has the same origin. Every response is recorded in
 * access. A JSON response is returned unchanged, even if it is a refusal; any other response becomes an error
 * that quotes it.
 */
export function newFetcher(address: URL, access: AccessLog, send: typeof fetch = fetch) {
  return async (params: FetcherParams, options?: FetcherOpts): Promise<ExecutionResult> => {
    const headers = headersToSend(options?.headers);
    let response: Response;
    try {
      response = await send(address, {
        method: "POST",
        credentials: "same-origin",
        headers: { accept: "application/json", ...headers, "content-type": "application/json" },
        body: JSON.stringify({
          query: params.query,
          ...(params.operationName && names(params.query, params.operationName) ? { operationName: params.operationName } : {}),
          ...(params.variables ? { variables: params.variables as unknown } : {}),
        }),
      });
    } catch (error) {
      access.note({ kind: "unreachable" });
      throw new Error(`The server cannot be reached: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    access.note({
      kind: "answered",
      status: response.status,
      challenge: response.headers.get("www-authenticate"),
      credential: credentialOf(headers),
    });
    return decode(response);
  };
}

// GraphiQL parses the operation names with a delay after typing. A user who is faster would request an
// operation that no longer exists.
function names(query: string, operation: string): boolean {
  return new RegExp(String.raw`\b(query|mutation|subscription)\s+${operation}\b`).test(query);
}

async function decode(response: Response): Promise<ExecutionResult> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) {
      return value as ExecutionResult;
    }
  } catch {
    // The error below contains the text itself.
  }
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  throw new Error(`The server answered ${response.status} without JSON: ${shown || "nothing"}`);
}
