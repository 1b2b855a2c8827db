import { listIn, numberIn } from "../../lib/answer";
import { byUrgency, checkIn, incidentIn, inOrder, type Check, type Incident } from "../../shared/quality/quality";
import type { QualityQuery } from "./quality.operations";

/** What the tab shows of an asset. */
export interface Quality {
  /** Undefined for types that have no checks. */
  checks: readonly Check[] | undefined;
  /** How many checks there are, of which no more than one page is read. */
  total: number;
  incidents: readonly Incident[];
  incidentTotal: number;
}

/** Reads the answer about the quality of an asset. */
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
