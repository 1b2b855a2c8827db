import { listIn, numberIn } from "../../lib/answer";
import { byUrgency, checkIn, incidentIn, inOrder, type Check, type Incident } from "../../shared/quality/quality";
import type { QualityQuery } from "./quality.operations";

/** The data of the quality tab. */
export interface Quality {
  /** Undefined for types without checks. */
  checks: readonly Check[] | undefined;
  /** The number of checks, of which only one page is read. */
  total: number;
  incidents: readonly Incident[];
  incidentTotal: number;
}

/** Reads the checks and incidents of an asset from a response. */
export function qualityIn(answer: QualityQuery | null): Quality {
  const entity = answer?.entity;
  const page = entity?.assertions;
  const checks = page === undefined ? undefined : inOrder(listIn(page?.assertions).flatMap((each) => checkIn(each) ?? []));
  const pages = [entity?.active, entity?.resolved];
  const incidents = [...new Map(pages.flatMap((each) => listIn(each?.incidents)).flatMap((each) => incidentIn(each) ?? []).map((each) => [each.urn, each])).values()];
  return {
    checks,
    total: numberIn(page?.total) ?? checks?.length ?? 0,
    incidents: byUrgency(incidents),
    incidentTotal: Math.max(
      incidents.length,
      pages.reduce((sum, each) => sum + (numberIn(each?.total) ?? 0), 0),
    ),
  };
}
