import { Autocomplete } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { findEntities } from "../../shared/entities/find-entities";
import { propertyText } from "../../shared/tests/property";
import styles from "./tests.module.css";
import { properties } from "../../shared/tests/vocabulary";

const path = "structuredProperties.";

// A suggestion that is only a prefix; the user types the rest.
const isPart = (property: string) => property.endsWith(".") || property.endsWith(":");

interface Props {
  label: string;
  value: string;
  onChange: (property: string) => void;
  wrong: boolean;
}

/**
 * A field for the property of a rule. It suggests common and structured properties with descriptions. Other
 * properties can be typed.
 */
export function PropertyField({ label, value, onChange, wrong }: Props) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ["properties-to-ask-for"],
    queryFn: ({ signal }) => findEntities("", ["STRUCTURED_PROPERTY"], signal),
    enabled: open,
    staleTime: 60_000,
    retry: false,
  });
  const names = new Map((data ?? []).map(([urn, name]): [string, string] => [path + urn, name]));
  const wordsOf = (property: string) => names.get(property) ?? (isPart(property) ? "" : propertyText(property));
  return (
    <Autocomplete
      aria-label={label}
      classNames={{ input: `mono ${styles["property"]}` }}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setOpen(true)}
      data={[...new Set([...properties, ...names.keys()])]}
      filter={({ options, search }) => {
        const sought = search.trim().toLowerCase();
        return options.filter((each) => "value" in each && (each.value.toLowerCase().includes(sought) || wordsOf(each.value).toLowerCase().includes(sought)));
      }}
      renderOption={({ option }) => (
        <span className={styles["offer"]}>
          <code className="break">{option.value}</code>
          <span className="faint small">{wordsOf(option.value)}</span>
        </span>
      )}
      comboboxProps={{ width: 320, position: "bottom-start" }}
      maxDropdownHeight={300}
      placeholder="property"
      spellCheck={false}
      error={wrong}
    />
  );
}
