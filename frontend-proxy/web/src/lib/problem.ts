import { isCancelledError } from "@tanstack/react-query";

/** Why a request was not answered as asked. */
export type Reason = "cancelled" | "signed-out" | "refused" | "missing" | "invalid" | "throttled" | "away" | "failed";

/** A request that failed, in words for people. */
export class Problem extends Error {
  override name = "Problem";

  constructor(
    readonly reason: Reason,
    message: string,
    readonly details: {
      /** HTTP status, 0 when nothing came. */
      status?: number;
      /** What the server calls the request, which its log knows. */
      requestId?: string | undefined;
      /** Seconds after which to try again. */
      retryAfter?: number | undefined;
      /** Where in a document the problem lies, when the server says. */
      path?: string | undefined;
      /** Privileges that are missing, as the server spells them. */
      privileges?: string[];
      /** What a text has become that somebody else changed while it was edited. */
      now?: string;
    } = {},
  ) {
    super(message);
  }
}

/** Reads any thrown value as a Problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (isCancelledError(error)) {
    return new Problem("cancelled", "It was cancelled before the catalog answered.");
  }
  return new Problem("failed", error instanceof Error && error.message ? error.message : "Something went wrong in this page.");
}

/** Tells whether asking again may help without anything being changed first. */
export const mayPass = (problem: Problem) => problem.reason === "away" || problem.reason === "failed" || problem.reason === "throttled";
