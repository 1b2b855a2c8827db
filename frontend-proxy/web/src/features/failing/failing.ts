import { at, listIn, textIn } from "../../lib/loose";
import { lineOf, type Line } from "../../lib/line";
import { checkIn, incidentIn, lastOf, sinceOf, stateOf, type Check, type Incident } from "../../shared/quality/quality";

/** A check that does not pass, with the asset it is about as far as that is known. */
export interface FailingCheck {
  check: Check;
  asset: Line | null;
}

/** An open incident with the first of the assets it is about. */
export interface OpenIncident {
  incident: Incident;
  asset: Line | null;
}

const entitiesIn = (page: unknown) => listIn(at(page, "searchResults")).map((each) => at(each, "entity"));

function assetIn(value: unknown, fallback = ""): Line | null {
  const urn = textIn(at(value, "urn")) || fallback;
  return urn ? lineOf({ ...(value as object | null), urn }) : null;
}

/** Reads a page of checks: failing ones first, and of these the ones that began to fail last. */
export function checksIn(page: unknown): FailingCheck[] {
  const all = entitiesIn(page).flatMap((entity) => {
    const check = checkIn(entity);
    const [first] = listIn(at(entity, "runEvents", "runEvents"));
    return check ? [{ check, asset: assetIn(at(entity, "dataset"), textIn(at(first, "asserteeUrn"))) }] : [];
  });
  const rank = ({ check }: FailingCheck) => (stateOf(check) === "failed" ? 0 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b) || (sinceOf(b.check) ?? 0) - (sinceOf(a.check) ?? 0));
}

/** Reads a page of incidents. */
export const incidentsIn = (page: unknown): OpenIncident[] =>
  entitiesIn(page).flatMap((entity) => {
    const incident = incidentIn(entity);
    return incident ? [{ incident, asset: assetIn(at(entity, "entity")) }] : [];
  });

/** On how many assets checks are, where all of the checks are known. */
export const assetsOf = (checks: readonly FailingCheck[]) => new Set(checks.flatMap(({ asset }) => asset?.urn ?? [])).size;

// As many runs of a check are asked for.
const mostRuns = 14;

/** What a check found last, or why it could not be run. */
export function foundText(check: Check): string {
  const last = lastOf(check);
  return last ? (stateOf(check) === "error" && last.reason.slice(0, 200)) || last.found || last.word : "";
}

/** Whether it is known when a check began to be at what it is, and not only that it was so as far back as its runs tell. */
export const sinceIsKnown = (check: Check) => check.runs.length < mostRuns || check.runs.some(({ outcome }) => outcome !== "open" && outcome !== stateOf(check));
