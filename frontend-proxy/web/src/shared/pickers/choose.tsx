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

/** Something of the catalog that can be chosen. */
export interface Choice {
  urn: string;
  name: string;
}

interface Props {
  /** What the button is called, as in "Add a tag". */
  label: string;
  icon?: ReactNode;
  /** Shows the label, as filters do. */
  words?: boolean;
  /** The types of what can be chosen, as GraphQL spells them. */
  types: readonly string[];
  chosen: readonly Choice[];
  /** Takes one at most. */
  single?: boolean;
  /** Why nothing can be chosen now. */
  reason?: string | null;
  /** Makes what is not there yet, where that is possible. */
  onCreate?: (name: string) => Promise<Choice>;
  /** What making it is called, if not after the types. */
  createVerb?: string;
  /** Is told of all that is ticked in the end. */
  onSave: (choices: Choice[]) => Promise<unknown>;
  /** More to be asked, above the buttons. */
  children?: ReactNode;
}

/** A button that opens a list with a find field. Space ticks, Enter saves all at once, Escape leaves it as it was. */
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

/** What somebody has ticked, or no longer has, since the list was opened. */
type Changes = ReadonlyMap<string, { name: string; on: boolean }>;

/**
 * What is ticked: what is chosen now with the changes. What is chosen may change while the list is open, as others
 * change it, and saving must not take their choices back.
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
  const { data, error } = useQuery({ queryKey: ["choose", types, sought], placeholderData: keepPreviousData, queryFn: ({ signal }) => findEntities(sought, types, signal) });
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
  // What was made just now is not found by a search yet.
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
        <ul aria-label={label}>
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

// Enter saves from the fields; arrows lead from one line to the next.
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
