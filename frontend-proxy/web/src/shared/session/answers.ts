import { QueryClient, type Query } from "@tanstack/react-query";

import { connection } from "../../lib/connection";
import { mayPass, problemOf } from "../../lib/problem";
import { leaveForSignIn } from "./session";

const usual = 30_000;
let ofAssets = usual;
let since = 0;

/**
 * Sets the stale time in ms of asset data that is read from now on. It is longer while the change stream is
 * connected. Undefined restores the default, which always applies to data read earlier.
 */
export const keepAssets = (fresh = usual) => {
  ofAssets = fresh;
  since = Date.now();
};

// The query key parts of asset data that the change stream covers completely. Runs and tests, for example, are
// separate entities.
const told: ReadonlySet<unknown> = new Set([undefined, "schema", "history", "facts", "status", "provenance"]);

/** The query cache for responses of the server. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: ({ queryKey: [what, , part], state }) => (what === "asset" && told.has(part) && state.dataUpdatedAt > since ? ofAssets : usual),
      refetchOnWindowFocus: true,
      networkMode: "always", // connection.ts detects lost connections itself
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

// Keeps showing cached data while the server is unreachable: the frame shows a notice about stale data, and all data
// is refetched after reconnection. Without this, the error of the failed request would replace the data.
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
