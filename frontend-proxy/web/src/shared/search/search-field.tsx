import { useThrottledValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import { useLocation, useSearchParams } from "wouter";

import { useSession } from "../session/session";
import { Fallback, lazy } from "../../lib/lazy";
import { noteQuery, searchPath } from "../../lib/recent";
import { SearchIcon } from "../../components/icons";
import styles from "./search-field.module.css";

/** The minimum interval between requests while the user types, in ms. Only held keys repeat faster. */
const interval = 50;
const fewestLetters = 2;

// The suggestion list is loaded with the first typed letters, not with every page.
const load = () => import("./suggestions");
const SuggestionList = lazy(load);

interface Props {
  size?: "medium" | "large";
  autoFocus?: boolean;
}

/** The search field for the whole catalog, with suggestions of assets by name. */
export default function SearchField({ size = "medium", autoFocus = false }: Props) {
  const [location, go] = useLocation();
  const [parameters] = useSearchParams();
  const { urn: me } = useSession();
  const asked = location === "/search" ? (parameters.get("query") ?? "").replace(/^\*$/u, "") : "";
  const [text, setText] = useState(asked);
  const [shownFor, setShownFor] = useState(asked);
  if (shownFor !== asked) {
    setShownFor(asked); // the address has changed: the field takes over its query
    setText(asked);
  }
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const id = useId();
  const typed = text.trim();
  const sought = useThrottledValue(typed, interval);
  const wanted = open && typed.length >= fewestLetters;
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["complete", sought],
    enabled: wanted && sought.length >= fewestLetters,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await load()).complete(sought, signal),
  });
  const lines = wanted ? (data ?? []) : [];
  const count = wanted ? lines.length + 1 : 0;
  const last = lines.length;

  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const search = () => {
    close();
    noteQuery(me, typed);
    go(searchPath(typed));
  };
  const choose = (index: number) => {
    const line = lines[index];
    if (!line) {
      search();
      return;
    }
    close();
    setText(asked);
    go(line.path);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) {
      return;
    }
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        event.preventDefault();
        if (!open) {
          setOpen(true);
        } else if (count > 0) {
          setAt(event.key === "ArrowDown" ? (at + 1) % count : at <= 0 ? count - 1 : at - 1);
        }
        break;
      case "Enter":
        event.preventDefault();
        choose(at < 0 ? last : at);
        break;
      case "Escape":
        if (open && count > 0) {
          event.preventDefault();
          event.stopPropagation();
          close();
        } else if (text !== asked) {
          setText(asked);
        }
        break;
      case "Tab":
        close();
        break;
    }
  };
  return (
    <search className={styles["search"]} data-size={size}>
      <SearchIcon size={16} stroke={1.5} aria-hidden />
      <input
        // A search page focuses the field on load.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={autoFocus}
        role="combobox"
        aria-label="Search the catalog"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={count > 0 ? `${id}-list` : ""}
        {...(at >= 0 && at < count ? { "aria-activedescendant": `${id}-${at}` } : {})}
        placeholder="Search assets, columns, terms, people"
        value={text}
        data-find="catalog"
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        enterKeyHint="search"
        onChange={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onKeyDown={onKey}
        onFocus={() => void load()}
        onBlur={close}
      />
      <kbd aria-hidden>/</kbd>
      {count > 0 && (
        <Fallback show={null}>
          <SuggestionList id={id} lines={lines} typed={typed} at={at} stale={isPlaceholderData || sought !== typed} onHover={setAt} onChoose={choose} />
        </Fallback>
      )}
      <span className="sr" role="status">
        {wanted && !isPlaceholderData && data ? (lines.length === 0 ? "No suggestion" : `${lines.length} ${lines.length === 1 ? "suggestion" : "suggestions"}`) : ""}
      </span>
    </search>
  );
}
