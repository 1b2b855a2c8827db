import { QueryClient, type Query } from "@tanstack/react-query";

import { connection } from "../lib/connection";
import { mayPass, problemOf } from "../lib/problem";
import { leaveForSignIn } from "./session";

/** Answers of the server, kept by the page until something changes them. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
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
