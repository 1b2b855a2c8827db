import { aggregationsIn, pageIn } from "../../lib/found";
import { listIn, numberIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { collectionIn, type Collection } from "../../shared/products/collection";
import { domainIn, type Domain } from "./domain";
import { DomainOverview, type DomainOverviewQuery } from "./domains.operations";

/** The maximum number of products and subdomains in the overview; their tabs list all of them. */
export const few = 10;

/** The data of a domain overview. */
export interface Overview {
  domain: Domain | undefined;
  below: { items: Domain[]; total: number };
  products: { items: Collection[]; total: number };
  /** The number of direct assets by type, largest first. */
  types: { type: string; count: number }[];
}

const inDomain = (urn: string) => [{ and: [{ field: "domains", values: [urn] }] }];

/** Reads a domain overview with one request. */
export async function readOverview(urn: string, signal: AbortSignal): Promise<Overview> {
  const { data } = await run(
    DomainOverview,
    {
      urn,
      below: { parentDomain: urn, start: 0, count: few },
      products: {
        types: ["DATA_PRODUCT"],
        query: "*",
        start: 0,
        count: few,
        orFilters: inDomain(urn),
        sortInput: { sortCriteria: [{ field: "name", sortOrder: "ASCENDING" }] },
        searchFlags: { skipAggregates: true, skipHighlighting: true },
      },
      assets: { query: "*", facets: ["_entityType"], orFilters: inDomain(urn) },
    },
    signal,
  );
  return overviewIn(data);
}

/** Reads the response for an overview. Missing parts count as empty. */
export function overviewIn({ domain, below, products, types }: DomainOverviewQuery): Overview {
  const counts = aggregationsIn(types, "_entityType");
  return {
    domain: domainIn(domain)[0],
    below: { items: listIn(below?.domains).flatMap(domainIn), total: numberIn(below?.total) ?? 0 },
    products: pageIn(products, collectionIn),
    types: counts
      .filter(({ count }) => count > 0)
      .map(({ value, count }) => ({ type: value, count }))
      .toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
  };
}
