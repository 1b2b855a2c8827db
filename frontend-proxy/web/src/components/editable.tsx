import { useEffect, useRef, useState, type ReactNode } from "react";

import { useDraft } from "../lib/draft";
import { problemOf } from "../lib/problem";
import { Button } from "./button";
import { EditIcon, FailIcon, RemovedIcon, WarnIcon } from "./icons";
import { useOpenField } from "./open-rows";
import { CopyButton } from "./parts";
import styles from "./editable.module.css";

interface Props {
  /** The name of the value, such as "title". */
  label: string;
  value: string;
  /** The placeholder for an empty value. */
  empty: string;
  long?: boolean;
  /** The maximum number of characters that the server accepts. */
  most?: number;
  reason?: string | null;
  /** The storage key of the draft, which then survives a reload of the page; for long texts. */
  keep?: string;
  /** Whether the field is in a table cell, where the text itself is the edit button. */
  cell?: boolean;
  /** The rendering of the value while it is not edited; the plain value if absent. */
  shown?: ReactNode;
  /** Saves the value. seen is the value that the user saw last; the stored value may have changed since. */
  onSave: (value: string, seen: string) => Promise<unknown>;
  /** Saves the value by creating the object again, after another user removed it. */
  onSaveAnew?: (value: string) => Promise<unknown>;
}

/**
 * A text that is edited in place. Enter saves (Ctrl+Enter in long texts). Escape closes the field, after a
 * confirmation if the text was changed. The draft survives a refusal.
 */
export function Editable({ label, value, empty, long = false, most = 1000, reason = null, keep, cell = false, shown, onSave, onSaveAnew }: Props) {
  const [draft, setDraft] = useDraft(keep);
  const gone = useOpenField(draft !== null);
  const lost = gone && !onSaveAnew;
  const seen = useRef(value);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const [triedAnew, setTriedAnew] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (draft === null && opened.current) {
      opened.current = false;
      // When the field disappears, the focus falls to the body and moves back to the edit button. If the user
      // moved the focus elsewhere during the request, it stays there.
      if (document.activeElement === document.body) {
        pencil.current?.focus();
      }
    }
  }, [draft]);
  useEffect(() => {
    if (draft === null) {
      seen.current = value;
    }
  });
  const close = () => {
    setDraft(null);
    setRefusal("");
  };
  const leaving = useLeaving(close);
  const save = async () => {
    if (draft === null || busy || lost) {
      return;
    }
    if (!gone && draft.trim() === value) {
      close();
      return;
    }
    setBusy(true);
    setRefusal("");
    leaving.stay();
    setTriedAnew(gone);
    try {
      await (gone && onSaveAnew ? onSaveAnew(draft.trim()) : onSave(draft.trim(), seen.current));
      close();
    } catch (error) {
      const { message, details } = problemOf(error);
      // The current value in a refusal counts as seen, even if the page shows it only later.
      seen.current = details.now ?? seen.current;
      setRefusal(message);
    }
    setBusy(false);
  };
  const open = () => {
    opened.current = true;
    leaving.stay();
    setDraft(value);
  };
  if (draft === null && cell) {
    return reason === null ? (
      <button ref={pencil} type="button" className={value ? styles["cell"] : `${styles["cell"]} ${styles["none"]}`} aria-label={value ? `Edit ${label}: ${typeof shown === "string" ? shown : value}` : `Add a ${label}`} onClick={open} dir="auto">
        {value ? (shown ?? value) : empty}
      </button>
    ) : (
      <span className="muted break" dir="auto">
        {value ? (shown ?? value) : ""}
      </span>
    );
  }
  if (draft === null) {
    return (
      <div className={styles["rest"]}>
        <span className={value ? "" : "faint"} dir="auto">
          {value ? (shown ?? value) : empty}
        </span>
        <Button
          ref={pencil}
          size="small"
          look="quiet"
          label={`Edit ${label}`}
          reason={reason}
          icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
          onClick={open}
        />
      </div>
    );
  }
  const field = {
    "aria-label": label,
    "aria-invalid": refusal !== "" || undefined,
    value: draft,
    maxLength: most,
    readOnly: busy, // input during the request would not be part of the saved value
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for
    autoFocus: true,
    dir: "auto",
    onChange: (event: { currentTarget: { value: string } }) => {
      setDraft(event.currentTarget.value);
      leaving.stay();
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        leaving.leave(![value, seen.current].includes(draft.trim()));
      } else if (event.key === "Enter" && (!long || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void save();
      }
    },
  };
  return (
    <div className={styles["open"]}>
      {long ? <textarea {...field} /> : <input {...field} />}
      {gone && <Removed anew={!lost} />}
      {refusal && (!gone || triedAnew) && (
        <p className={`bad small ${styles["why"] ?? ""}`} role="alert">
          <FailIcon size={14} stroke={1.5} aria-hidden />
          <span className="break">{refusal}</span>
        </p>
      )}
      {leaving.asking && <Leaving />}
      <div className="row">
        <Button size="small" look="primary" busy={busy} reason={lost ? nothingToSaveIn : null} onClick={() => void save()}>
          {gone && !lost ? "Save anew" : "Save"}
        </Button>
        {gone && <CopyButton text={draft} label="Copy text" />}
        <Button size="small" look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** Handles Escape in a field: it closes an unchanged field at once and a changed field at the second press. */
export function useLeaving(onLeave: () => void) {
  const [asking, setAsking] = useState(false);
  return {
    asking,
    leave: (changed: boolean) => (changed && !asking ? setAsking(true) : onLeave()),
    stay: () => setAsking(false),
  };
}

/** Asks in an open field whether to discard the changes. */
export function Leaving() {
  return (
    <p className={`small ${styles["why"]}`} role="alert">
      <WarnIcon size={14} stroke={1.5} aria-hidden />
      <span>Discard what you wrote? Esc again discards it; type on to keep it.</span>
    </p>
  );
}

/** The reason why a draft cannot be saved after its object was removed. */
export const nothingToSaveIn = "It was removed: there is nothing to save this in.";

/** Reports in an open field that another user removed the object. */
export function Removed({ anew = false }: { anew?: boolean }) {
  return (
    <p className={`small ${styles["why"]}`} role="status">
      <RemovedIcon size={14} stroke={1.5} aria-hidden />
      <span>Somebody removed this meanwhile. {anew ? "Save it anew, copy what you wrote, or cancel to let it go." : "Copy what you wrote, or cancel to let it go."}</span>
    </p>
  );
}
