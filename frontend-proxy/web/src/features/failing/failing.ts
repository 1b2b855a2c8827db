import { listIn, textIn } from "../../lib/answer";
import { lineOf, type Line, type Listed } from "../../lib/line";
import { checkIn, incidentIn, lastOf, sinceOf, stateOf, type Check, type Incident } from "../../shared/quality/quality";
import type { FailingChecksFragment, OpenIncidentsFragment } from "./failing.operations";

/** A check that fails or has an error, with its asset if known. */
export interface FailingCheck {
  check: Check;
  asset: Line | null;
}

/** An open incident with the first of its assets. */
export interface OpenIncident {
  incident: Incident;
  asset: Line | null;
}

type ChecksPage = FailingChecksFragment | null | undefined;
type IncidentsPage = OpenIncidentsFragment | null | undefined;

function assetIn(value: Listed | null | undefined, fallback = ""): Line | null {
  const urn = textIn(value?.urn) || fallback;
  return urn ? lineOf({ ...value, urn }) : null;
}

/** Reads a page of checks: failing ones first, latest failure first. */
export function checksIn(page: ChecksPage): FailingCheck[] {
  const all = listIn(page?.searchResults).flatMap(({ entity }) => {
    const check = checkIn(entity);
    const [first] = listIn(entity?.runEvents?.runEvents);
    return check ? [{ check, asset: assetIn(entity?.dataset, textIn(first?.asserteeUrn)) }] : [];
  });
  const rank = ({ check }: FailingCheck) => (stateOf(check) === "failed" ? 0 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b) || (sinceOf(b.check) ?? 0) - (sinceOf(a.check) ?? 0));
}

/** Reads a page of incidents. */
export const incidentsIn = (page: IncidentsPage): OpenIncident[] =>
  listIn(page?.searchResults).flatMap(({ entity }) => {
    const incident = incidentIn(entity);
    return incident ? [{ incident, asset: assetIn(entity?.entity) }] : [];
  });

/** The number of distinct assets in a complete list of checks. */
export const assetsOf = (checks: readonly FailingCheck[]) => new Set(checks.flatMap(({ asset }) => asset?.urn ?? [])).size;

// The number of requested runs per check.
const mostRuns = 14;

/** The latest result of a check, or the reason for its error. */
export function foundText(check: Check): string {
  const last = lastOf(check);
  return last ? (stateOf(check) === "error" && last.reason.slice(0, 200)) || last.found || last.word : "";
}

/** Reports whether the start of the current state of a check is known, or only a lower bound from the available runs. */
export const sinceIsKnown = (check: Check) => check.runs.length < mostRuns || check.runs.some(({ outcome }) => outcome !== "open" && outcome !== stateOf(check));
