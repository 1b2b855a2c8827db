import { at, listIn, textIn } from "./loose";

/** The rows of a page of a search that name what was found; whatever else the answer holds is left out. */
export const rowsIn = <Row extends { readonly entity: { readonly urn: string } }>(page: { readonly searchResults?: readonly Row[] | null } | null | undefined): readonly Row[] =>
  listIn(at(page, "searchResults")).filter((row) => textIn(at(row, "entity", "urn")) !== "") as readonly Row[];

interface Aggregated<Row> {
  readonly facets?: readonly { readonly field: string; readonly aggregations: readonly Row[] }[] | null;
}

/** The values of one facet of an answer, of which each has a value and a count. */
export const aggregationsIn = <Row extends { readonly value: string; readonly count: number }>(answer: Aggregated<Row> | null | undefined, field: string): readonly Row[] =>
  listIn(at(listIn(at(answer, "facets")).find((facet) => at(facet, "field") === field), "aggregations")).filter(
    (row) => typeof at(row, "value") === "string" && typeof at(row, "count") === "number",
  ) as readonly Row[];
