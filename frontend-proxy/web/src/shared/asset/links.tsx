import { useState } from "react";

import { Button } from "../../components/button";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { isSafeLink } from "../../lib/safe-link";
import type { Link } from "./asset";
import styles from "./links.module.css";
import { AddLink, RemoveLink } from "./asset.operations";
import { useEdit } from "./edit";

/** Adds and removes links of an asset. */
export function useLinkEdit(urn: string): { add: (url: string, label: string) => Promise<void>; remove: (link: Link) => Promise<void> } {
  const edit = useEdit(urn);
  return {
    add: (url, label) =>
      edit(
        (before) => ({ ...before, links: [...before.links, { url, label }] }),
        () => change(AddLink, { input: { resourceUrn: urn, linkUrl: url, label } }),
      ),
    remove: ({ url, label }) =>
      edit(
        (before) => ({ ...before, links: before.links.filter((link) => link.url !== url || link.label !== label) }),
        () => change(RemoveLink, { input: { resourceUrn: urn, linkUrl: url, label } }),
      ),
  };
}

/** A dialog for a new link. If the save fails, it stays open and shows the reason. */
export function NewLink({ onSave, onClose }: { onSave: (url: string, label: string) => Promise<unknown>; onClose: () => void }) {
  const [url, setURL] = useState("");
  const [label, setLabel] = useState("");
  const [refusal, setRefusal] = useState("");
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (!isSafeLink(url.trim()) || url.trim().startsWith("/")) {
      setRefusal("The address begins with https:// or http://, or with mailto: for a mail address.");
      return;
    }
    setBusy(true);
    try {
      await onSave(url.trim(), label.trim() || url.trim());
      onClose();
    } catch (error) {
      setRefusal(problemOf(error).message);
      setBusy(false);
    }
  };
  return (
    <form
      className={styles["newLink"]}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        <span className="faint small">Address</span>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for */}
        <input value={url} onChange={(event) => setURL(event.currentTarget.value)} placeholder="https://" autoFocus />
      </label>
      <label>
        <span className="faint small">Shown as</span>
        <input value={label} onChange={(event) => setLabel(event.currentTarget.value)} />
      </label>
      {refusal && (
        <p className="bad small" role="alert">
          {refusal}
        </p>
      )}
      <div className="row">
        <Button size="small" look="primary" type="submit" busy={busy}>
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
