import { entitiesIn } from "../../lib/found";
import { namedIn } from "../../lib/name";
import { listIn, textIn, timeIn } from "../../lib/answer";
import type { QueriesOfQuery } from "./queries.operations";

/** A saved query, or one observed in a query log. */
export interface Query {
  urn: string;
  name: string;
  description: string;
  statement: string;
  /** Whether a user created it in the catalog. */
  manual: boolean;
  by: string;
  changed: number | undefined;
  /** The datasets that it reads or writes, without duplicates. */
  datasets: readonly { urn: string; name: string }[];
}

/** The names of the users of a dataset, by URN. */
export const readersIn = (answer: QueriesOfQuery): ReadonlyMap<string, string> =>
  new Map(namedIn(listIn(answer.dataset?.usageStats?.aggregations?.users).map(({ user }) => user)).map(({ urn, name }) => [urn, name]));

type QueryAnswer = Partial<NonNullable<NonNullable<NonNullable<QueriesOfQuery["listQueries"]>["queries"]>[number]>> & { urn: string | null };

/** Reads a query; empty for other entities. */
export function queryIn(value: QueryAnswer | null): Query[] {
  return entitiesIn([value]).map(({ urn, properties, subjects }) => ({
    urn,
    name: textIn(properties?.name).trim(),
    description: textIn(properties?.description),
    statement: textIn(properties?.statement?.value),
    manual: textIn(properties?.source) === "MANUAL",
    by: namedIn([properties?.createdOn?.actor])[0]?.name ?? "",
    changed: timeIn(properties?.lastModified?.time),
    datasets: [...new Map(namedIn(listIn(subjects).map(({ dataset }) => dataset)).map((ref) => [ref.urn, ref])).values()],
  }));
}
