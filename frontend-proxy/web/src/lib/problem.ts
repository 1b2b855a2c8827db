import { isCancelledError } from "@tanstack/react-query";

/** The reason why a request failed. */
export type Reason = "cancelled" | "signed-out" | "refused" | "missing" | "invalid" | "throttled" | "away" | "failed";

/** A failed request, with a message for users. */
export class Problem extends Error {
  override name = "Problem";

  constructor(
    readonly reason: Reason,
    message: string,
    readonly details: {
      /** HTTP status, 0 without a response. */
      status?: number;
      /** The request id, which also appears in the log of the server. */
      requestId?: string | undefined;
      /** The delay before a retry, in seconds. */
      retryAfter?: number | undefined;
      /** The location of the problem in the document or response, if known. */
      path?: string | undefined;
      /** The missing privileges, in the spelling of the server. */
      privileges?: string[];
      /** The current value of a text that another user changed during editing. */
      now?: string;
    } = {},
  ) {
    super(message);
  }
}

/** Converts any thrown value to a Problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (isCancelledError(error)) {
    return new Problem("cancelled", "It was cancelled before the catalog answered.");
  }
  return new Problem("failed", error instanceof Error && error.message ? error.message : "Something went wrong in this page.");
}

/** Returns whether a retry without any change may succeed. */
export const mayPass = (problem: Problem) => problem.reason === "away" || problem.reason === "failed" || problem.reason === "throttled";
