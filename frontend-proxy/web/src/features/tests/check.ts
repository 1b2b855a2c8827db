import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import type { Problem } from "./definition";
import { CheckTest, ValidateTest, type CheckTestQuery } from "./tests.operations";

export type PreviewOf = CheckTestQuery["previewTest"];

/** The validation result of an unsaved definition. */
export interface Check {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  preview: PreviewOf | null;
  /** True while the result for the current text is pending. */
  waits: boolean;
  error: unknown;
  retry: () => void;
}

// The debounce time of validation, in ms.
const pause = 500;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Validates a definition on the server as the user types: problems, and a preview of the results for all assets. */
export function useCheck(text: string, urn: string | undefined, may: boolean): Check {
  const definition = useSettled(text);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["check-test", urn ?? "", definition],
    queryFn: ({ signal }) => ask(definition, urn, signal),
    enabled: may,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    retry: false,
  });
  return {
    problems: data?.validateTest.problems ?? [],
    warnings: data?.validateTest.warnings ?? [],
    preview: data?.validateTest.valid ? (data.previewTest ?? null) : null,
    waits: may && (isFetching || definition !== text),
    error,
    retry: () => void refetch(),
  };
}

// An invalid definition has no preview, so the combined request fails. The problems are then requested alone.
async function ask(definition: string, urn: string | undefined, signal: AbortSignal) {
  const variables = { definition, urn: urn ?? null };
  try {
    return (await run(CheckTest, variables, signal)).data;
  } catch (error) {
    if (problemOf(error).reason !== "invalid") {
      throw error;
    }
    const { validateTest } = (await run(ValidateTest, variables, signal)).data;
    if (validateTest.valid) {
      throw error; // the error does not concern the definition
    }
    return { validateTest, previewTest: null };
  }
}
