import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { shortOf } from "../../lib/text";
import { namedIn } from "../../lib/name";
import { run } from "../../lib/request";
import { NamesOf } from "./entities.operations";


/** Names of entities by URN. */
export type Names = ReadonlyMap<string, string>;

/** The URN and the name of each entity in a list. */
export const namesIn = (list: Parameters<typeof namedIn>[0]): [string, string][] => namedIn(list).map(({ urn, name }) => [urn, name]);

/** The known name of a URN, else its short form. */
export const nameOf = (names: Names, urn: string) => names.get(urn) ?? shortOf(urn);

// The maximum number of names per request.
const most = 1000;

/** The names of the entities on a page. The map is empty until they are loaded, and if loading fails. */
export function useNames(urns: Iterable<string>): Names {
  const asked = [...new Set(urns)].filter((urn) => urn.startsWith("urn:li:")).toSorted().slice(0, most);
  const { data } = useQuery({
    queryKey: ["names", ...asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => {
      const { data: answer } = await run(NamesOf, { urns: asked }, signal);
      return new Map(namesIn(answer.entities));
    },
  });
  return data ?? none;
}

const none: Names = new Map();
