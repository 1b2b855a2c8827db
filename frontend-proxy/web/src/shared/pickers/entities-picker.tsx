import { MultiSelect } from "@mantine/core";
import { useState } from "react";

import { shortOf } from "../../lib/text";
import { looks, options, useFound, type PickerProps } from "./picker";

/** A field for several entities with search as the user types. */
export function EntitiesField({ label, bare, placeholder, types, names, readOnly = false, id, value, onChange }: PickerProps & { value: readonly string[]; onChange: (urns: string[]) => void }) {
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
