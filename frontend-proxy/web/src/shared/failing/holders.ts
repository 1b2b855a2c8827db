import { listIn, numberIn, textIn } from "../../lib/answer";

type List<Element> = readonly (Element | null)[] | null | undefined;

interface Named {
  urn?: string | null;
}

/** A dataset in a response with its domain, products and applications. Not every operation reads all of them. */
interface Held extends Named {
  domain?: { domain?: Named | null } | null;
  products?: { relationships?: List<{ entity?: Named | null }> } | null;
  applications?: List<{ application?: Named | null }>;
}

/** A page of failing checks in a response. */
interface Page {
  total?: number | null;
  searchResults?: List<{ entity?: { dataset?: Held | null } | null }>;
}

/** The datasets with failing checks in a response. */
export interface FailingDatasets {
  datasets: readonly { urn: string; in: ReadonlySet<string> }[];
  /** True if the response lists all failing checks. It is false without a response. */
  complete: boolean;
}

/** Reads a page of failing checks. Each has its dataset and the domain, products and applications of the dataset. */
export function failingDatasetsIn(page: Page | null | undefined): FailingDatasets {
  const rows = listIn(page?.searchResults);
  const datasets = new Map(
    rows.flatMap((row) => {
      const dataset = row.entity?.dataset;
      const urn = textIn(dataset?.urn);
      const holders = [dataset?.domain?.domain, ...listIn(dataset?.products?.relationships).map(({ entity }) => entity), ...listIn(dataset?.applications).map(({ application }) => application)];
      return urn === "" ? [] : [[urn, { urn, in: new Set(holders.map((holder) => textIn(holder?.urn)).filter(Boolean)) }] as const];
    }),
  );
  return { datasets: [...datasets.values()], complete: (numberIn(page?.total) ?? Infinity) <= rows.length };
}

/** The index fields that find the assets of a domain, product or application. */
export const holderFields = { application: "applications", dataProduct: "dataProduct", domain: "domains" } as const;

/** The path of a search for assets with an open incident in a domain, product or application. */
export const troubledPath = (type: keyof typeof holderFields, urn: string) =>
  `/search?${new URLSearchParams({ query: "*", [`filter_${holderFields[type]}___false___EQUAL___0`]: urn, filter_hasActiveIncidents___false___EQUAL___1: "true" }).toString()}`;

/** The number of failing datasets in a domain, product or application. */
export const failingIn = ({ datasets }: FailingDatasets, holder: string) => datasets.filter((dataset) => dataset.in.has(holder)).length;
