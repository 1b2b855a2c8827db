import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { problemOf } from "../../lib/problem";
import { shortOf } from "../../lib/text";
import { type Names } from "../entities/entities";
import { findEntities } from "../entities/find-entities";

/** What the fields for one thing and for several have in common. */
export interface PickerProps {
  label: string;
  /** Hides the label where a text beside the field says the same. */
  bare?: boolean;
  placeholder?: string;
  /** The types of what can be chosen, as GraphQL spells them. */
  types: readonly string[];
  names: Names;
  readOnly?: boolean;
  id?: string;
}

/** What a field finds as one types. It stays known, so that what was chosen keeps its name. */
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

/** What a field offers. Two things of one name are told apart by their URNs. */
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

/** How a field is labelled. */
export const looks = (bare: boolean | undefined, label: string) => (bare ? { "aria-label": label } : { label });
