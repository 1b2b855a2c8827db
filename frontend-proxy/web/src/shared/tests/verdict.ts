import { listIn, textIn } from "../../lib/answer";
import { findingIn, type Finding } from "./reason";
import type { ResultFragment } from "./run-on-asset.operations";

/** The path of the page of a test. */
export const addressOf = (urn: string) => `/tests/${encodeURIComponent(urn)}`;

/** The result of a test for one asset. */
export interface Verdict {
  test: string;
  passes: boolean;
  findings: readonly Finding[];
}

type Results = readonly (Partial<ResultFragment> | null)[] | null | undefined;

/** Reads the test results of one asset, failing tests first. Tests that were deleted in the meantime are omitted. */
export function verdictsIn(reply: { readonly passing?: Results; readonly failing?: Results } | null | undefined): Verdict[] {
  const of = (results: Results, passes: boolean) =>
    listIn(results).flatMap(({ test, findings }) => (textIn(test?.urn) ? [{ test: textIn(test?.urn), passes, findings: listIn(findings).map(findingIn) }] : []));
  return [...of(reply?.failing, false), ...of(reply?.passing, true)];
}
