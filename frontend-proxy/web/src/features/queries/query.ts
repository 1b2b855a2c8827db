import { nameIn } from "../../shared/entities/entities";
import { lineName } from "../../lib/line";
import { at, listIn, members, textIn, timeIn } from "../../lib/loose";
import { shortOf } from "../../lib/text";

/** A query that somebody keeps, or that was found where it ran. */
export interface Query {
  urn: string;
  name: string;
  description: string;
  statement: string;
  /** Whether a person wrote it here. */
  manual: boolean;
  by: string;
  changed: number | undefined;
  /** The datasets that it reads or writes, each once. */
  datasets: readonly { urn: string; name: string }[];
}

const refIn = (value: unknown): { urn: string; name: string }[] => {
  const urn = textIn(at(value, "urn"));
  return urn ? [{ urn, name: textIn(nameIn({ ...members(value), urn })).trim() || shortOf(urn) || urn }] : [];
};

/** The names of those who read a dataset, by their URNs. */
export const readersIn = (answer: unknown): ReadonlyMap<string, string> =>
  new Map(
    listIn(at(answer, "dataset", "usageStats", "aggregations", "users")).flatMap((each) => {
      const urn = textIn(at(each, "user", "urn"));
      return urn ? [[urn, lineName({ ...members(at(each, "user")), urn })] as const] : [];
    }),
  );

/** Reads a query as the server gives it; what is no query is none. */
export function queryIn(value: unknown): Query[] {
  const properties = at(value, "properties");
  return refIn(value).map(({ urn }) => ({
    urn,
    name: textIn(at(properties, "name")).trim(),
    description: textIn(at(properties, "description")),
    statement: textIn(at(properties, "statement", "value")),
    manual: textIn(at(properties, "source")) === "MANUAL",
    by: refIn(at(properties, "createdOn", "actor"))[0]?.name ?? "",
    changed: timeIn(at(properties, "lastModified", "time")),
    datasets: [...new Map(listIn(at(value, "subjects")).flatMap((each) => refIn(at(each, "dataset"))).map((ref) => [ref.urn, ref])).values()],
  }));
}
