import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import type { Problem } from "./definition";
import { CheckTest, ValidateTest, type CheckTestQuery } from "./tests.operations";

export type PreviewOf = CheckTestQuery["previewTest"];

/** What the server says of a definition that is not saved. */
export interface Check {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  preview: PreviewOf | null;
  /** An answer to what stands there now has not come yet. */
  waits: boolean;
  error: unknown;
  retry: () => void;
}

// So long a text has to stay as it is before the server is asked about it, in ms.
const pause = 500;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Asks the server about a definition as it is typed: what is wrong with it, and what it would say of all assets. */
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

// A definition that is not valid has no preview, and the question for both is refused: what is wrong is then asked for alone.
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
      throw error; // something else than the definition was refused
    }
    return { validateTest, previewTest: null };
  }
}
