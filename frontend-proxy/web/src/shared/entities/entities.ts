import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { shortOf } from "../../lib/text";
import { run } from "../../lib/request";
import { NamesOf } from "./entities.operations";

/** Names of entities by URN. */
export type Names = ReadonlyMap<string, string>;

/** The name of an entity, or the short form of its URN if it has no name. */
export function nameIn(entity: { urn: string }): string {
  const { name, ...members } = entity as Record<string, unknown>;
  const nested = Object.values(members).filter((value) => typeof value === "object" && value !== null) as Record<string, unknown>[];
  for (const member of ["displayName", "fullName", "name"]) {
    const found = nested.map((value) => value[member]);
    const text = found.find((value): value is string => typeof value === "string" && value !== "");
    if (text !== undefined) {
      return text;
    }
  }
  return typeof name === "string" && name !== "" ? name : shortOf(entity.urn);
}

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
      return new Map((answer.entities ?? []).flatMap((entity) => (entity ? [[entity.urn, nameIn(entity)] as const] : [])));
    },
  });
  return data ?? none;
}

const none: Names = new Map();
