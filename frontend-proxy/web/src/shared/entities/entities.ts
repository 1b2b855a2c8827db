import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { shortOf } from "../../lib/text";
import { entitiesIn } from "../../lib/found";
import { run } from "../../lib/request";
import { NamesOf } from "./entities.operations";

/** Names of entities by URN. */
export type Names = ReadonlyMap<string, string>;

// The members of an entity that may contain its display name: aspects, and their aliases in operations.
const parts = [
  "edited", "person", "editableProperties", "properties", "info", "definition", "group", "domain", "container", "tag", "term", "node", "dataset", "dashboard", "chart", "flow", "job",
  "run", "product", "application", "platform", "defined", "attribute",
] as const;

type Part = { readonly displayName?: string | null; readonly fullName?: string | null; readonly name?: string | null } | null | undefined;

/** An entity with the members that may contain its name. An operation selects some of them. */
export type Named = { readonly urn?: string | null; readonly name?: string | null | undefined } & { readonly [Member in (typeof parts)[number]]?: Part };

const isName = (value: string | null | undefined) => typeof value === "string" && value !== "";

/** The name of an entity, or the short form of its URN if it has no name. */
export function nameIn(entity: Named & { readonly urn: string }): string {
  const found = parts.map((member) => entity[member]);
  return [...found.map((part) => part?.displayName), ...found.map((part) => part?.fullName), ...found.map((part) => part?.name), entity.name].find(isName) ?? shortOf(entity.urn);
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
      return new Map(entitiesIn(answer.entities).map((entity) => [entity.urn, nameIn(entity)]));
    },
  });
  return data ?? none;
}

const none: Names = new Map();
