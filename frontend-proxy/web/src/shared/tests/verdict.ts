import type { Finding } from "./reason";

/** The address of a test. */
export const addressOf = (urn: string) => `/tests/${encodeURIComponent(urn)}`;

/** What an evaluation of one asset says of a test. */
export interface Verdict {
  test: string;
  passes: boolean;
  findings: readonly Finding[];
}

interface Results {
  test?: { urn: string } | null;
  findings?: readonly Finding[] | null;
}

/** Reads the answer to an evaluation of one asset, the failing tests first. A test that was deleted meanwhile is left out. */
export function verdictsIn(reply: { passing?: readonly Results[] | null; failing?: readonly Results[] | null } | null | undefined): Verdict[] {
  const of = (results: readonly Results[] | null | undefined, passes: boolean) =>
    (results ?? []).flatMap(({ test, findings }) => (test ? [{ test: test.urn, passes, findings: findings ?? [] }] : []));
  return [...of(reply?.failing, false), ...of(reply?.passing, true)];
}
