import { QueryClient, type Query } from "@tanstack/react-query";

import { connection } from "../../lib/connection";
import { mayPass, problemOf } from "../../lib/problem";
import { leaveForSignIn } from "./session";

const usual = 30_000;
let ofAssets = usual;
let since = 0;

/**
 * Says how long what is read of an asset from now on counts as fresh, in ms: longer while its changes are told. Undefined is
 * the usual, which also holds for what was read before.
 */
export const keepAssets = (fresh = usual) => {
  ofAssets = fresh;
  since = Date.now();
};

// The parts of an asset of which every change is told. Runs and tests, for one, are things of their own.
const told: ReadonlySet<unknown> = new Set([undefined, "schema", "history", "facts", "status", "provenance"]);

/** Answers of the server, kept by the page until something changes them. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: ({ queryKey: [what, , part], state }) => (what === "asset" && told.has(part) && state.dataUpdatedAt > since ? ofAssets : usual),
      refetchOnWindowFocus: true,
      networkMode: "always", // the connection is watched by ourselves
      retry: (failures, error) => failures < 1 && mayPass(problemOf(error)),
      retryDelay: 600,
    },
    mutations: { networkMode: "always", retry: false },
  },
});

const leaveIfSignedOut = (error: unknown) => {
  if (problemOf(error).reason === "signed-out") {
    leaveForSignIn();
  }
};

// What was read is still shown while the catalog cannot be reached: the line of the frame tells that it may be old, and
// everything is read anew when the catalog is back. Without this the failed reading would take its place.
function keepWhileAway(error: unknown, query: Query<unknown, unknown, unknown>) {
  if (query.state.data !== undefined && problemOf(error).reason === "away" && connection().state !== "up") {
    query.setState({ status: "success", error: null });
  }
}

answers.getMutationCache().config.onError = leaveIfSignedOut;
answers.getQueryCache().config.onError = (error, query) => {
  leaveIfSignedOut(error);
  keepWhileAway(error, query);
};
