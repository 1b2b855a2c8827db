import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { problemOf } from "../../lib/problem";
import { shortOf } from "../../lib/text";
import { type Names } from "../entities/entities";
import { findEntities } from "../entities/find-entities";

/** Props shared by the fields for one and for several entities. */
export interface PickerProps {
  label: string;
  /** Hides the label if a text beside the field repeats it. */
  bare?: boolean;
  placeholder?: string;
  /** The entity types to choose from, as in GraphQL. */
  types: readonly string[];
  names: Names;
  readOnly?: boolean;
  id?: string;
}

/** Searches entities as the user types. Results are remembered, so that selected entities keep their names. */
export function useFound(types: readonly string[], open: boolean) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const [seen, setSeen] = useState<Names>(new Map());
  const { data, error, isFetching } = useQuery({
    queryKey: ["entities-to-pick", types, sought],
    enabled: open,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await findEntities(sought, types, signal);
      setSeen((before) => new Map([...before, ...found]));
      return found;
    },
  });
  const nothing = error ? problemOf(error).message : isFetching ? "Searching" : "Nothing is found.";
  return { text, setText, seen, found: data ?? [], nothing };
}

/** The options of a field. Options with equal names also show their URNs. */
export function options(found: readonly [string, string][], selected: readonly string[], name: (urn: string) => string) {
  const all = new Map(selected.map((urn) => [urn, name(urn)]));
  for (const [urn, text] of found) {
    all.set(urn, text);
  }
  const count = new Map<string, number>();
  for (const text of all.values()) {
    count.set(text, (count.get(text) ?? 0) + 1);
  }
  return [...all].map(([value, text]) => ({ value, label: (count.get(text) ?? 0) > 1 && text !== shortOf(value) ? `${text} (${shortOf(value)})` : text }));
}

/** The props that label a field, visibly or for assistive technology only. */
export const looks = (bare: boolean | undefined, label: string) => (bare ? { "aria-label": label } : { label });
