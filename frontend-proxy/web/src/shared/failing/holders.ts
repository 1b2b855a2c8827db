import { at, listIn, numberIn, textIn } from "../../lib/loose";

/** The datasets with failing checks in a response. */
export interface FailingDatasets {
  datasets: readonly { urn: string; in: ReadonlySet<string> }[];
  /** True if the response lists all failing checks. It is false without a response. */
  complete: boolean;
}

/** Reads a page of failing checks. Each has its dataset and the domain, products and applications of the dataset. */
export function failingDatasetsIn(answer: unknown): FailingDatasets {
  const rows = listIn(at(answer, "searchResults"));
  const datasets = new Map(
    rows.flatMap((row) => {
      const dataset = at(row, "entity", "dataset");
      const urn = textIn(at(dataset, "urn"));
      const holders = [at(dataset, "domain", "domain"), ...listIn(at(dataset, "products", "relationships")).map((each) => at(each, "entity")), ...listIn(at(dataset, "applications")).map((each) => at(each, "application"))];
      return urn === "" ? [] : [[urn, { urn, in: new Set(holders.map((holder) => textIn(at(holder, "urn"))).filter(Boolean)) }] as const];
    }),
  );
  return { datasets: [...datasets.values()], complete: (numberIn(at(answer, "total")) ?? Infinity) <= rows.length };
}

/** The index fields that find the assets of a domain, product or application. */
export const holderFields = { application: "applications", dataProduct: "dataProduct", domain: "domains" } as const;

/** The path of a search for assets with an open incident in a domain, product or application. */
export const troubledPath = (type: keyof typeof holderFields, urn: string) =>
  `/search?${new URLSearchParams({ query: "*", [`filter_${holderFields[type]}___false___EQUAL___0`]: urn, filter_hasActiveIncidents___false___EQUAL___1: "true" }).toString()}`;

/** The number of failing datasets in a domain, product or application. */
export const failingIn = ({ datasets }: FailingDatasets, holder: string) => datasets.filter((dataset) => dataset.in.has(holder)).length;
