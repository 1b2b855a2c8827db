import { Modal } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { problemOf } from "../lib/problem";
import { Button } from "./button";
import styles from "./dialog.module.css";
import { Note } from "./parts";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the foot, the safe choice first. */
  actions: ReactNode;
  size?: number;
}

/** A dialog. Focus goes in when it opens, and back to where it was when it closes. */
export function Dialog({ title, onClose, children, actions, size }: DialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} {...(size ? { size } : {})}>
      <div className="stack">{children}</div>
      <div className={styles["foot"]}>{actions}</div>
    </Modal>
  );
}

interface ConfirmProps {
  /** A question that names the thing. */
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The verb on the button. */
  verb: string;
  keep?: string;
  /** What must be typed first, where the effect is wide or cannot be undone. */
  typed?: string;
  danger?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is done, does it, and stays with the reason when it is refused. */
export function Confirm({ title, children, verb, keep = "Keep it", typed, danger = true, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const waits = typed !== undefined && text !== typed ? `Type ${typed} first.` : null;
  const act = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      size={460}
      actions={
        <>
          <Button onClick={onClose} data-autofocus={typed === undefined || undefined}>
            {keep}
          </Button>
          <Button look={danger ? "danger" : "primary"} busy={busy} reason={waits} onClick={() => void act()}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="muted">{children}</div>
      {typed !== undefined && (
        <label className={styles["typed"]}>
          <span>
            Type <code>{typed}</code> to confirm
          </span>
          <input value={text} onChange={(event) => setText(event.currentTarget.value)} autoComplete="off" spellCheck={false} data-autofocus />
        </label>
      )}
      {error !== null && (
        <Note tone="bad" title="Nothing was changed">
          {problemOf(error).message}
        </Note>
      )}
    </Dialog>
  );
}
