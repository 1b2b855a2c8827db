import { nameIn } from "../../shared/entities/entities";
import { lineName } from "../../lib/line";
import { listIn, textIn, timeIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
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

const refIn = (value: { urn: string | null } | null | undefined): { urn: string; name: string }[] => {
  const urn = textIn(value?.urn);
  return urn ? [{ urn, name: textIn(nameIn({ ...value, urn })).trim() || shortOf(urn) || urn }] : [];
};

/** The names of the users of a dataset, by URN. */
export const readersIn = (answer: QueriesOfQuery): ReadonlyMap<string, string> =>
  new Map(
    listIn(answer.dataset?.usageStats?.aggregations?.users).flatMap((each) => {
      const urn = textIn(each.user?.urn);
      return urn ? [[urn, lineName({ ...each.user, urn })] as const] : [];
    }),
  );

type QueryAnswer = Partial<NonNullable<NonNullable<NonNullable<QueriesOfQuery["listQueries"]>["queries"]>[number]>> & { urn: string | null };

/** Reads a query; empty for other entities. */
export function queryIn(value: QueryAnswer | null): Query[] {
  const properties = value?.properties;
  return refIn(value).map(({ urn }) => ({
    urn,
    name: textIn(properties?.name).trim(),
    description: textIn(properties?.description),
    statement: textIn(properties?.statement?.value),
    manual: textIn(properties?.source) === "MANUAL",
    by: refIn(properties?.createdOn?.actor)[0]?.name ?? "",
    changed: timeIn(properties?.lastModified?.time),
    datasets: [...new Map(listIn(value?.subjects).flatMap((each) => refIn(each.dataset)).map((ref) => [ref.urn, ref])).values()],
  }));
}
