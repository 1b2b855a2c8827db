import { listIn, textIn } from "./answer";

interface Found {
  readonly entity: { readonly urn?: string | null } | null;
}

/** A row that names what was found. */
type Named<Row extends Found> = Row & { readonly entity: NonNullable<Row["entity"]> & { readonly urn: string } };

const isNamed = <Row extends Found>(row: Row): row is Named<Row> => textIn(row.entity?.urn) !== "";

/** The rows of a page of a search that name what was found; whatever else the answer holds is left out. */
export const rowsIn = <Row extends Found>(page: { readonly searchResults?: readonly (Row | null)[] | null } | null | undefined): readonly Named<Row>[] => listIn(page?.searchResults).filter((row): row is NonNullable<Row> & Named<Row> => isNamed<Row>(row));

interface Aggregated<Row> {
  readonly facets?: readonly ({ readonly field: string | null; readonly aggregations: readonly (Row | null)[] | null } | null)[] | null;
}

/** A value of a facet with its count. */
type Counted<Row> = Row & { readonly value: string; readonly count: number };

const isCounted = <Row extends { readonly value: string | null; readonly count: number | null }>(row: Row): row is Counted<Row> => typeof row.value === "string" && typeof row.count === "number";

/** The values of one facet of an answer, of which each has a value and a count. */
export const aggregationsIn = <Row extends { readonly value: string | null; readonly count: number | null }>(answer: Aggregated<Row> | null | undefined, field: string): readonly Counted<Row>[] =>
  listIn(listIn(answer?.facets).find((facet) => facet.field === field)?.aggregations).filter((row): row is NonNullable<Row> & Counted<Row> => isCounted<Row>(row));
