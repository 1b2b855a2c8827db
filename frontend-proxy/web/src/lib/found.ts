import { listIn, numberIn, textIn } from "./answer";

interface Found {
  readonly entity: { readonly urn?: string | null } | null;
}

/** A search result with an entity. */
type Named<Row extends Found> = Row & { readonly entity: NonNullable<Row["entity"]> & { readonly urn: string } };

const isNamed = <Row extends Found>(row: Row): row is Named<Row> => textIn(row.entity?.urn) !== "";

/** The search results that have an entity with a URN; all others are dropped. */
export const rowsIn = <Row extends Found>(page: { readonly searchResults?: readonly (Row | null)[] | null } | null | undefined): readonly Named<Row>[] => listIn(page?.searchResults).filter((row): row is NonNullable<Row> & Named<Row> => isNamed<Row>(row));

/** The converted entities of a page of search results, and the number of all results. The reader may return a list for each. */
export const pageIn = <One extends Entity, Item>(page: { readonly total: number | null; readonly searchResults: readonly ({ readonly entity: One | null } | null)[] | null } | null | undefined, read: (entity: Identified<One>) => Item | readonly Item[]): { items: Item[]; total: number } => ({
  items: rowEntitiesIn(page?.searchResults).flatMap((entity) => read(entity)),
  total: numberIn(page?.total) ?? 0,
});

/** An answer with the counts of the values of facets. */
export interface Aggregated<Row> {
  readonly facets?: readonly ({ readonly field: string | null; readonly aggregations: readonly (Row | null)[] | null } | null)[] | null;
}

/** A row of a facet as it is selected. */
export interface FacetRow {
  readonly value: string | null;
  readonly count: number | null;
}

/** A facet value with its count. */
type Counted<Row> = Row & { readonly value: string; readonly count: number };

const isCounted = <Row extends FacetRow>(row: Row): row is Counted<Row> => typeof row.value === "string" && typeof row.count === "number";

/** The values of one facet that have both a value and a count. */
export const aggregationsIn = <Row extends FacetRow>(answer: Aggregated<Row> | null | undefined, field: string): readonly Counted<Row>[] =>
  listIn(listIn(answer?.facets).find((facet) => facet.field === field)?.aggregations).filter((row): row is NonNullable<Row> & Counted<Row> => isCounted<Row>(row));

/** An entity with a URN. */
export type Identified<One> = NonNullable<One> & { readonly urn: string };

interface Entity {
  readonly urn?: string | null | undefined;
}

/** The entities of a list that have a URN; all others are dropped. */
export const entitiesIn = <One extends Entity>(list: readonly (One | null | undefined)[] | null | undefined): Identified<One>[] =>
  listIn(list).filter((one): one is Identified<One> => typeof one.urn === "string" && one.urn !== "");

/** The entities of search results or relationships that have a URN. */
export const rowEntitiesIn = <One extends Entity>(rows: readonly ({ readonly entity: One | null } | null)[] | null | undefined): Identified<One>[] => entitiesIn(listIn(rows).map(({ entity }) => entity));
