import { Select } from "@mantine/core";
import { useState } from "react";

import { shortOf } from "../../lib/text";
import { nameOf } from "../entities/entities";
import { looks, options, useFound, type PickerProps } from "./picker";

/** A field for one entity with search as the user types. */
export function EntityField({ label, bare, placeholder, types, names, id, value, onChange }: PickerProps & { value: string | null; onChange: (urn: string | null) => void }) {
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
