import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { listIn, numberIn, textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import { conditionIn, findingIn, type Finding, type Reason } from "../../shared/tests/reason";
import type { Problem } from "./definition";
import { assetName, typeText } from "./result";
import { CheckTest, ValidateTest, type CheckTestQuery, type ExampleFragment, type ValidateTestQuery } from "./tests.operations";

/** An asset that passes or fails a test. */
export interface Example {
  urn: string;
  name: string;
  type: string;
}

/** The results of an unsaved definition for all assets, or for the first ones. */
export interface PreviewOf {
  selected: number;
  passing: number;
  failing: number;
  complete: boolean;
  examples: { passing: Example[]; failing: Example[] };
  reasons: Reason[];
  /** The number of failing assets that the reasons cover. */
  explained: number;
  /** The findings of failing examples by URN. */
  findings: ReadonlyMap<string, Finding[]>;
}

/** Reads assets with their names. */
export const examplesIn = (list: readonly (ExampleFragment | null)[] | null | undefined): Example[] =>
  entitiesIn(list).map(({ urn, name, type }) => ({ urn, name: textIn(name) || assetName(urn), type: typeText(textIn(type)) }));

/** Reads a preview. */
export const previewIn = (preview: NonNullable<CheckTestQuery["previewTest"]>): PreviewOf => ({
  selected: numberIn(preview.selected) ?? 0,
  passing: numberIn(preview.passing) ?? 0,
  failing: numberIn(preview.failing) ?? 0,
  complete: preview.complete === true,
  examples: { passing: examplesIn(preview.passingExamples), failing: examplesIn(preview.failingExamples) },
  reasons: listIn(preview.reasons).map(({ count, condition }) => ({ count: numberIn(count) ?? 0, condition: conditionIn(condition) })),
  explained: numberIn(preview.explained) ?? 0,
  findings: new Map(listIn(preview.failures).map(({ urn, findings }) => [textIn(urn), listIn(findings).map(findingIn)])),
});

type Validation = ValidateTestQuery["validateTest"];

const problemsIn = (list: NonNullable<Validation>["problems"] | undefined): Problem[] => listIn(list).map(({ path, message }) => ({ path: textIn(path), message: textIn(message) }));

const checkIn = (validation: Validation, preview: CheckTestQuery["previewTest"]) => ({
  problems: problemsIn(validation?.problems),
  warnings: problemsIn(validation?.warnings),
  preview: validation?.valid === true && preview ? previewIn(preview) : null,
});

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
    problems: data?.problems ?? [],
    warnings: data?.warnings ?? [],
    preview: data?.preview ?? null,
    waits: may && (isFetching || definition !== text),
    error,
    retry: () => void refetch(),
  };
}

// An invalid definition has no preview, so the combined request fails. The problems are then requested alone.
async function ask(definition: string, urn: string | undefined, signal: AbortSignal) {
  const variables = { definition, urn: urn ?? null };
  try {
    const { validateTest, previewTest } = (await run(CheckTest, variables, signal)).data;
    return checkIn(validateTest, previewTest);
  } catch (error) {
    if (problemOf(error).reason !== "invalid") {
      throw error;
    }
    const { validateTest } = (await run(ValidateTest, variables, signal)).data;
    if (validateTest?.valid) {
      throw error; // the error does not concern the definition
    }
    return checkIn(validateTest, null);
  }
}
