import { at, listIn, numberIn, textIn } from "../../lib/loose";

/** The datasets of checks that fail, as far as an answer lists them. */
export interface FailingDatasets {
  datasets: readonly { urn: string; in: ReadonlySet<string> }[];
  /** Whether no failing check is missing, which is not known without an answer. */
  complete: boolean;
}

/** Reads a page of failing checks, each with its dataset and what that is in: a domain, products, applications. */
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

/** The fields of the index by which the assets of a domain, product or application are found. */
export const holderFields = { application: "applications", dataProduct: "dataProduct", domain: "domains" } as const;

/** The search for the assets of a domain, product or application that have an open incident. */
export const troubledPath = (type: keyof typeof holderFields, urn: string) =>
  `/search?${new URLSearchParams({ query: "*", [`filter_${holderFields[type]}___false___EQUAL___0`]: urn, filter_hasActiveIncidents___false___EQUAL___1: "true" }).toString()}`;

/** How many of the failing datasets are in a domain, product or application. */
export const failingIn = ({ datasets }: FailingDatasets, holder: string) => datasets.filter((dataset) => dataset.in.has(holder)).length;
