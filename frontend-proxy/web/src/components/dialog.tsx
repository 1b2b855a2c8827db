import { Modal } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";

import { problemOf } from "../lib/problem";
import { Button } from "./button";
import styles from "./dialog.module.css";
import { Note } from "./parts";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the bottom, the safe choice first. */
  actions: ReactNode;
  size?: number;
}

/** A modal dialog. It takes the focus when it opens and restores the previous focus when it closes. */
export function Dialog({ title, onClose, children, actions, size }: DialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} {...(size ? { size } : {})}>
      <div className="stack">{children}</div>
      <div className={styles["foot"]}>{actions}</div>
    </Modal>
  );
}

interface FormProps {
  title: string;
  /** The verb on the submit button. */
  verb: string;
  /** The title of the error message after a refusal, as in "No token was made". */
  failed: string;
  /** Whether all required values are present. If not, the fields show which ones are missing. */
  complete: boolean;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** Renders the fields; tried is true after the first attempt to submit. */
  children: (tried: boolean) => ReactNode;
}

/** A form for creating an object. After a refusal it stays open, with the error message and the entered values. */
export function FormDialog({ title, verb, failed, complete, onSubmit, onClose, children }: FormProps) {
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useId();
  const submit = async () => {
    setTried(true);
    if (!complete) {
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await onSubmit();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} type="submit" form={form}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children(tried)}
        {error !== null && (
          <Note tone="bad" title={failed}>
            {problemOf(error).message}
          </Note>
        )}
      </form>
    </Dialog>
  );
}

interface ConfirmProps {
  /** A question that names the object concerned. */
  title: string;
  /** A description of the consequences. */
  children: ReactNode;
  /** The verb on the confirm button. */
  verb: string;
  keep?: string;
  /** A text that the user has to type first, for actions that have wide effects or cannot be undone. */
  typed?: string;
  danger?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation and runs the action. After a refusal it stays open and shows the error message. */
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
