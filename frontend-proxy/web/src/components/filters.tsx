import { Menu } from "@mantine/core";
import type { ReactNode } from "react";

import { Button } from "./button";
import styles from "./filters.module.css";
import { CloseIcon, DownIcon, TickIcon } from "./icons";

/** The active filters of a list as chips, with a button that clears them all. */
export function Chips({ children, onClear }: { children: ReactNode; onClear: () => void }) {
  return (
    <div className={styles["chips"]}>
      {children}
      <Button size="small" look="quiet" onClick={onClear}>
        Clear all
      </Button>
    </div>
  );
}

/** An active filter with a button that removes it. label is the criterion, as in "Type is". */
export function Chip({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <span className={styles["chip"]}>
      <span className="muted nowrap">{label}</span>
      {value && (
        <b className="clip" title={value}>
          {value}
        </b>
      )}
      <button type="button" aria-label={`Remove the filter ${label} ${value}`.trim()} onClick={onRemove}>
        <CloseIcon size={12} stroke={1.8} aria-hidden />
      </button>
    </span>
  );
}

interface FilterMenuProps {
  /** The accessible name of the button and the menu. */
  label: string;
  value: string;
  options: readonly { value: string; name: string }[];
  onChange: (value: string) => void;
  /** A compact form, for use beside a title. */
  quiet?: boolean;
}

/** A filter whose value is chosen from a menu. */
export function FilterMenu({ label, value, options, onChange, quiet = false }: FilterMenuProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button {...(quiet ? { size: "small", look: "quiet" } : {})}>
          {label}
          <DownIcon size={14} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map((option) => (
          <Menu.RadioItem
            key={option.value}
            value={option.value}
            checked={option.value === value}
            checkIcon={<TickIcon size={14} stroke={1.5} aria-hidden />}
            closeMenuOnClick
            onChange={() => onChange(option.value)}
          >
            {option.name}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
