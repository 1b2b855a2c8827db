import { QueryClient } from "@tanstack/react-query";

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

for (const cache of [answers.getQueryCache(), answers.getMutationCache()]) {
  cache.config.onError = (error: unknown) => {
    if (problemOf(error).reason === "signed-out") {
      leaveForSignIn();
    }
  };
}
