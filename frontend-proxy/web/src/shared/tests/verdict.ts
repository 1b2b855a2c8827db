import type { Finding } from "./reason";

/** The path of the page of a test. */
export const addressOf = (urn: string) => `/tests/${encodeURIComponent(urn)}`;

/** The result of a test for one asset. */
export interface Verdict {
  test: string;
  passes: boolean;
  findings: readonly Finding[];
}

interface Results {
  test?: { urn: string } | null;
  findings?: readonly Finding[] | null;
}

/** Reads the test results of one asset, failing tests first. Tests that were deleted in the meantime are omitted. */
export function verdictsIn(reply: { passing?: readonly Results[] | null; failing?: readonly Results[] | null } | null | undefined): Verdict[] {
  const of = (results: readonly Results[] | null | undefined, passes: boolean) =>
    (results ?? []).flatMap(({ test, findings }) => (test ? [{ test: test.urn, passes, findings: findings ?? [] }] : []));
  return [...of(reply?.failing, false), ...of(reply?.passing, true)];
}
