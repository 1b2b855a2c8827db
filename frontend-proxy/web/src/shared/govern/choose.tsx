import { useState, type ComponentProps } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import type { Names } from "../entities/entities";
import { Note } from "../../components/parts";
import { problemOf } from "../../lib/problem";
import { Pick } from "./pick";
import styles from "./govern.module.css";

interface Props {
  title: string;
  /** A description of the effect. */
  about: string;
  verb: string;
  /** A noun for the missing selection, as in "a term". */
  what: string;
  find: string;
  types: ComponentProps<typeof Pick>["types"];
  multiple?: boolean;
  without?: ReadonlySet<string>;
  /** The initial selection. */
  value?: Names;
  /** A second choice beside the selected entities, such as the kind of a relationship. */
  options?: { label: string; choices: readonly { value: string; name: string }[] };
  /** The label of a second action without a selection, such as removal from the parent. */
  clear?: string;
  onChoose: (chosen: Names, option: string) => Promise<unknown>;
  onClear?: () => Promise<unknown>;
  onClose: () => void;
}

const none: Names = new Map();

/** A dialog that selects entities. If the action fails, it stays open and shows the reason. */
export default function Choose({ title, about, verb, what, find, types, multiple = false, without, value = none, options, clear, onChoose, onClear, onClose }: Props) {
  const [chosen, setChosen] = useState(value);
  const [option, setOption] = useState(options?.choices[0]?.value ?? "");
  const [busy, setBusy] = useState("");
  const [refusal, setRefusal] = useState<unknown>(null);
  const act = async (name: string, send: () => Promise<unknown>) => {
    setBusy(name);
    setRefusal(null);
    try {
      await send();
      onClose();
    } catch (failure) {
      setRefusal(failure);
      setBusy("");
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {clear && onClear && (
            <Button busy={busy === "clear"} onClick={() => void act("clear", onClear)}>
              {clear}
            </Button>
          )}
          <Button look="primary" busy={busy === "choose"} reason={chosen.size === 0 ? `Choose ${what} first.` : null} onClick={() => void act("choose", () => onChoose(chosen, option))}>
            {verb}
          </Button>
        </>
      }
    >
      <p className="muted break">{about}</p>
      {options && (
        <label>
          <span className={styles["label"]}>{options.label}</span>
          <select className={styles["select"]} value={option} onChange={(event) => setOption(event.currentTarget.value)}>
            {options.choices.map((each) => (
              <option key={each.value} value={each.value}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Pick label={find} types={types} value={chosen} onChange={setChosen} multiple={multiple} {...(without ? { without } : {})} />
      {refusal !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(refusal).message}
        </Note>
      )}
    </Dialog>
  );
}
