import { Popover } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent, type ReactNode } from "react";

import { kindOf } from "../../lib/asset";
import { problemOf } from "../../lib/problem";
import { Button } from "../../components/button";
import styles from "./choose.module.css";
import { findEntities } from "../entities/find-entities";
import { AddIcon, DownIcon } from "../../components/icons";
import { Bones, Find, Note } from "../../components/parts";

/** An entity to choose. */
export interface Choice {
  urn: string;
  name: string;
}

interface Props {
  /** The label of the button, as in "Add a tag". */
  label: string;
  icon?: ReactNode;
  /** Shows the label as text, as in filters. */
  words?: boolean;
  /** The entity types to choose from, as in GraphQL. */
  types: readonly string[];
  chosen: readonly Choice[];
  /** Allows one selection at most. */
  single?: boolean;
  /** The reason why the button is disabled. */
  reason?: string | null;
  /** Creates a missing entity, if supported. */
  onCreate?: (name: string) => Promise<Choice>;
  /** The label of the create button; derived from the types by default. */
  createVerb?: string;
  /** Called with the complete final selection. */
  onSave: (choices: Choice[]) => Promise<unknown>;
  /** Further fields above the buttons. */
  children?: ReactNode;
}

/**
 * A button that opens a list with a search field. Space toggles an item, Enter saves the selection, Escape discards
 * changes.
 */
export function Choose(props: Props) {
  const [open, setOpen] = useState(false);
  const { label, icon, words = false, reason = null } = props;
  const looks = words ? { children: [label, <DownIcon key="icon" size={14} stroke={1.5} aria-hidden />] } : { size: "small" as const, look: "quiet" as const, label, icon };
  return (
    <Popover opened={open} onChange={setOpen} trapFocus returnFocus position="bottom-end" width={300} shadow="md" withinPortal>
      <Popover.Target>
        <Button {...looks} reason={reason} aria-expanded={open} onClick={() => setOpen(!open)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Open {...props} onClose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The items that the user checked or unchecked since the list was opened. */
type Changes = ReadonlyMap<string, { name: string; on: boolean }>;

/**
 * Applies the changes to the current selection. Other users can change the selection while the list is open; saving
 * must not undo their changes.
 */
function changed(chosen: readonly Choice[], changes: Changes, single: boolean): Map<string, string> {
  const on = [...changes].filter(([, change]) => change.on).map(([urn, { name }]): [string, string] => [urn, name]);
  const kept = single && on.length > 0 ? [] : chosen.filter(({ urn }) => changes.get(urn)?.on !== false).map(({ urn, name }): [string, string] => [urn, name]);
  return new Map([...kept, ...on]);
}

function Open({ label, types, chosen, single = false, onCreate, createVerb = `Create ${types.map((type) => kindOf(type).one).join(" or ")}`, onSave, children, onClose }: Props & { onClose: () => void }) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 150);
  const [changes, setChanges] = useState<Changes>(new Map());
  const ticked = changed(chosen, changes, single);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const { data, error, isPlaceholderData } = useQuery({ queryKey: ["choose", types, sought], placeholderData: keepPreviousData, queryFn: ({ signal }) => findEntities(sought, types, signal) });
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await what();
    } catch (failure) {
      setRefusal(failure);
    }
    setBusy(false);
  };
  const save = () =>
    act(async () => {
      await onSave([...ticked].map(([urn, name]) => ({ urn, name })));
      onClose();
    });
  const mark = (urn: string, name: string, on: boolean) => setChanges((all) => new Map([...(single ? [] : all), [urn, { name, on }]]));
  // The search index does not contain a newly created entity yet.
  const known = new Map([...chosen.map(({ urn, name }): [string, string] => [urn, name]), ...ticked]);
  const before = [...known].filter(([urn, name]) => sought === "" || `${name} ${urn}`.toLowerCase().includes(sought.toLowerCase()));
  const lines = [...new Map([...before, ...(data ?? [])])];
  const kinds = types.map((type) => kindOf(type).one).join(" or ");
  const fresh = onCreate && sought !== "" && data && !lines.some(([, name]) => name.toLowerCase() === sought.toLowerCase());
  return (
    <div className={styles["choose"]} onKeyDown={(event) => onKey(event, () => void save())} role="presentation">
      <Find label={`Find ${/^[aeio]/u.test(kinds) ? "an" : "a"} ${kinds}`} value={text} onChange={setText} />
      <div className={styles["list"]}>
        {!data && !error && <Bones rows={4} what="what can be chosen" />}
        {error && <p className="bad small">{problemOf(error).message}</p>}
        <ul aria-label={label} aria-busy={isPlaceholderData || text.trim() !== sought}>
          {lines.map(([urn, name]) => (
            <li key={urn}>
              <label title={urn}>
                <input type="checkbox" checked={ticked.has(urn)} onChange={() => mark(urn, name, !ticked.has(urn))} />
                <span className="clip" dir="auto">
                  {name}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {data && lines.length === 0 && <p className="muted small">Nothing is found.</p>}
        {fresh && (
          <Button
            size="small"
            look="quiet"
            busy={busy}
            icon={<AddIcon size={14} stroke={1.5} aria-hidden />}
            onClick={() =>
              void act(async () => {
                const made = await onCreate(text.trim());
                setText("");
                mark(made.urn, made.name, true);
              })
            }
          >
            <span className="clip">
              {createVerb} {text.trim()}
            </span>
          </Button>
        )}
      </div>
      {children}
      {refusal !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(refusal).message}
        </Note>
      )}
      <div className="row">
        <Button size="small" look="primary" busy={busy} onClick={() => void save()}>
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

// Enter saves. Arrow keys move the focus between lines.
function onKey(event: KeyboardEvent<HTMLDivElement>, save: () => void) {
  const { key, target, currentTarget } = event;
  if (key === "Enter" && target instanceof HTMLInputElement) {
    event.preventDefault();
    save();
  } else if ((key === "ArrowDown" || key === "ArrowUp") && target instanceof HTMLInputElement) {
    event.preventDefault();
    const fields = [...currentTarget.querySelectorAll<HTMLInputElement>("input")];
    fields[fields.indexOf(target) + (key === "ArrowDown" ? 1 : -1)]?.focus();
  }
}
