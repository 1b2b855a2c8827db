import type { FetcherOpts, FetcherParams } from "@graphiql/toolkit";
import type { ExecutionResult } from "graphql";

import type { AccessLog } from "./access";
import { credentialOf, headersToSend } from "./credential";

const longestText = 400;

/**
 * Makes the function that sends operations to address. Bodies are JSON, which a session needs; the login
 * cookie goes along when the address is of this origin. Every answer is noted in access. An answer in
 * JSON is given as it is, also when it is a refusal; anything else becomes an error that says what came.
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

// GraphiQL looks for operations a moment after typing: who is quicker would ask for one that is gone.
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
    // Said below, with the text itself.
  }
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  throw new Error(`The server answered ${response.status} without JSON: ${shown || "nothing"}`);
}
