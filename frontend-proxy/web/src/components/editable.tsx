import { useEffect, useRef, useState } from "react";

import { problemOf } from "../lib/problem";
import { Button } from "./button";
import { EditIcon } from "./icons";
import styles from "./editable.module.css";

interface Props {
  /** What the field holds, as in "title". */
  label: string;
  value: string;
  /** What stands there while it is empty. */
  empty: string;
  long?: boolean;
  /** The most characters that the server takes. */
  most?: number;
  reason?: string | null;
  onSave: (value: string) => Promise<unknown>;
}

/** A text that is changed where it is read. Enter saves, in long texts with Ctrl; Escape leaves it. A refusal keeps what was typed. */
export function Editable({ label, value, empty, long = false, most = 1000, reason = null, onSave }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const pencil = useRef<HTMLButtonElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (draft === null && opened.current) {
      opened.current = false;
      pencil.current?.focus();
    }
  }, [draft]);
  const close = () => {
    setDraft(null);
    setRefusal("");
  };
  const save = async () => {
    if (draft === null || busy) {
      return;
    }
    if (draft.trim() === value) {
      close();
      return;
    }
    setBusy(true);
    setRefusal("");
    try {
      await onSave(draft.trim());
      close();
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
    setBusy(false);
  };
  if (draft === null) {
    return (
      <div className={styles["rest"]}>
        <span className={value ? "" : "faint"}>{value || empty}</span>
        <Button
          ref={pencil}
          size="small"
          look="quiet"
          label={`Edit ${label}`}
          reason={reason}
          icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
          onClick={() => {
            opened.current = true;
            setDraft(value);
          }}
        />
      </div>
    );
  }
  const field = {
    "aria-label": label,
    value: draft,
    maxLength: most,
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for
    autoFocus: true,
    onChange: (event: { currentTarget: { value: string } }) => setDraft(event.currentTarget.value),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        close();
      } else if (event.key === "Enter" && (!long || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void save();
      }
    },
  };
  return (
    <div className={styles["open"]}>
      {long ? <textarea {...field} /> : <input {...field} />}
      {refusal && (
        <p className="bad small" role="alert">
          {refusal}
        </p>
      )}
      <div className="row">
        <Button size="small" look="primary" busy={busy} onClick={() => void save()}>
          Save
        </Button>
        <Button size="small" onClick={close}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
