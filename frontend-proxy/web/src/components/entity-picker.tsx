import { MultiSelect, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { problemOf } from "../lib/problem";
import { nameOf, shortOf, type Names } from "./entities";
import { findEntities } from "./find-entities";

interface Common {
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

// What is found stays known, so that what was chosen keeps its name.
function useFound(types: readonly string[], open: boolean) {
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

// Two things of one name are told apart by their URNs.
function options(found: readonly [string, string][], selected: readonly string[], name: (urn: string) => string) {
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

const looks = (bare: boolean | undefined, label: string) => (bare ? { "aria-label": label } : { label });

/** A field for several things of the catalog, found as one types. */
export function EntitiesField({ label, bare, placeholder, types, names, readOnly = false, id, value, onChange }: Common & { value: readonly string[]; onChange: (urns: string[]) => void }) {
  const [open, setOpen] = useState(false);
  const { text, setText, seen, found, nothing } = useFound(types, open);
  const name = (urn: string) => names.get(urn) ?? seen.get(urn) ?? shortOf(urn);
  return (
    <MultiSelect
      {...looks(bare, label)}
      {...(id ? { id } : {})}
      {...(placeholder ? { placeholder } : {})}
      value={[...value]}
      onChange={onChange}
      data={options(open ? found : [], value, name)}
      filter={({ options: all }) => all}
      searchable
      readOnly={readOnly}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      hidePickedOptions
      maxDropdownHeight={260}
      nothingFoundMessage={nothing}
    />
  );
}

/** A field for one thing of the catalog, found as one types. */
export function EntityField({ label, bare, placeholder, types, names, id, value, onChange }: Common & { value: string | null; onChange: (urn: string | null) => void }) {
  const [open, setOpen] = useState(false);
  const { text, setText, seen, found, nothing } = useFound(types, open);
  const name = (urn: string) => (names.has(urn) ? nameOf(names, urn) : (seen.get(urn) ?? shortOf(urn)));
  return (
    <Select
      {...looks(bare, label)}
      {...(id ? { id } : {})}
      {...(placeholder ? { placeholder } : {})}
      value={value}
      onChange={onChange}
      data={options(open ? found : [], value ? [value] : [], name)}
      filter={({ options: all, search }) => (value && search === name(value) ? all : all.filter((each) => !("value" in each) || found.some(([urn]) => urn === each.value)))}
      searchable
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      maxDropdownHeight={260}
      nothingFoundMessage={nothing}
    />
  );
}
