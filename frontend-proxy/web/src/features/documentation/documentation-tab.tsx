import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../components/button";
import { nameOf, useNames } from "../../shared/entities/entities";
import { AddIcon, DeleteIcon, DocumentIcon, EditIcon } from "../../components/icons";
import Markdown from "../../components/markdown";
import { Bones, Empty, Note, Section, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { kindOf } from "../../lib/asset";
import { useDraft } from "../../lib/draft";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { numberText } from "../../lib/text";
import { isSafeLink } from "../../lib/safe-link";
import { aboutOf, type Asset, type Link } from "../../shared/asset/asset";
import { describe, reasonOf, useEdit, useUnchanged, withText } from "../../shared/asset/edit";
import { NewLink, useLinkEdit } from "../../shared/asset/links";
import { assetQuery, useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import styles from "./documentation.module.css";

const Confirm = lazy(() => import("../../components/confirm"));

// The maximum number of characters, as in the side panel.
const most = 100_000;

/** The documentation of an asset in Markdown, and links to external documentation. */
export default function DocumentationTab({ urn }: TabProps) {
  const { asset } = useAsset(urn);
  if (!asset) {
    return <Bones rows={8} what="the documentation" />;
  }
  return (
    <>
      <Text asset={asset} />
      {asset.has.has("institutionalMemory") && <Links asset={asset} />}
    </>
  );
}

function Text({ asset }: { asset: Asset }) {
  const [draft, setDraft] = useDraft(`${asset.urn} documentation`);
  const button = useRef<HTMLButtonElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (draft === null && opened.current) {
      button.current?.focus();
    }
    opened.current = draft !== null;
  }, [draft]);
  const text = aboutOf(asset);
  const { one } = kindOf(asset.type);
  if (draft !== null) {
    return <Editor asset={asset} draft={draft} onDraft={setDraft} />;
  }
  const open = (
    <Button ref={button} icon={<EditIcon size={16} stroke={1.5} aria-hidden />} reason={reasonOf(asset, "canEditDescription")} onClick={() => setDraft(text)}>
      {text === "" ? "Write documentation" : "Edit documentation"}
    </Button>
  );
  if (text === "") {
    return (
      <Empty icon={<DocumentIcon size={20} stroke={1.5} aria-hidden />} title="Nothing is written yet" actions={open}>
        Say what this {one} holds, where it comes from and what to mind when using it.
      </Empty>
    );
  }
  return (
    <>
      <Tools>
        <span className="muted small">{sourceOf(asset)}</span>
        <span className="end">{open}</span>
      </Tools>
      <Markdown text={text} />
      {asset.edited && asset.description && asset.edited !== asset.description && (
        <details className={styles["other"]}>
          <summary>What {platformOf(asset)} says</summary>
          <Markdown text={asset.description} />
        </details>
      )}
    </>
  );
}

const platformOf = ({ platform }: Asset) => platform?.name ?? "the source";

function sourceOf(asset: Asset): string {
  if (asset.edited) {
    return asset.description && asset.description !== asset.edited ? `Written here, instead of what ${platformOf(asset)} says` : "Written here";
  }
  return asset.platform ? `From ${platformOf(asset)}` : "";
}

function Editor({ asset, draft, onDraft }: { asset: Asset; draft: string; onDraft: (text: string | null) => void }) {
  const queries = useQueryClient();
  const edit = useEdit(asset.urn);
  const unchanged = useUnchanged(asset.urn);
  const text = aboutOf(asset);
  const seen = useRef(text);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const [leaving, setLeaving] = useState(false);
  const preview = useDeferredValue(draft);
  const reason = reasonOf(asset, "canEditDescription");
  const save = async () => {
    if (busy || reason !== null) {
      return;
    }
    const after = draft.trim();
    if (after === text.trim()) {
      onDraft(null);
      return;
    }
    setBusy(true);
    setRefusal("");
    try {
      await unchanged(seen.current, aboutOf);
      await edit(
        (before) => withText(before, after),
        () => describe(asset, after),
      );
      onDraft(null);
    } catch (error) {
      // The error message shows the current text, so it counts as seen.
      const now = queries.getQueryData(assetQuery(asset.urn).queryKey);
      seen.current = now ? aboutOf(now) : seen.current;
      setRefusal(problemOf(error).message);
      setBusy(false);
    }
  };
  const cancel = () => (draft.trim() === text.trim() ? onDraft(null) : setLeaving(true));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
    }
  };
  return (
    <div className={styles["editor"]}>
      <div className={styles["halves"]}>
        <label>
          <span>Markdown</span>
          <textarea
            aria-label="Documentation"
            aria-invalid={refusal !== "" || undefined}
            value={draft}
            maxLength={most}
            dir="auto"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for
            autoFocus
            onChange={(event) => onDraft(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <section aria-label="Preview">
          <span>Preview</span>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by keys */}
          <div tabIndex={0} role="region" aria-label="Preview of the documentation">
            {preview.trim() === "" ? <p className="faint">Nothing is written yet.</p> : <Markdown text={preview} />}
          </div>
        </section>
      </div>
      {refusal && (
        <Note tone="bad" title="The documentation was not saved">
          {refusal}
        </Note>
      )}
      <div className="row wrap">
        <Button look="primary" busy={busy} reason={reason} onClick={() => void save()}>
          Save
        </Button>
        <Button onClick={cancel}>Cancel</Button>
        <span className="faint small">
          Ctrl Enter saves. {numberText(draft.length)} of {numberText(most)} characters.
        </span>
      </div>
      {leaving && (
        <Fallback show={null}>
          <Confirm title="Leave the documentation as it was?" verb="Discard what I wrote" keep="Keep writing" onConfirm={async () => onDraft(null)} onClose={() => setLeaving(false)}>
            What you wrote is not saved yet.
          </Confirm>
        </Fallback>
      )}
    </div>
  );
}

function Links({ asset }: { asset: Asset }) {
  const { urn, links } = asset;
  const { add, remove } = useLinkEdit(urn);
  const [adding, setAdding] = useState(false);
  const names = useNames(links.flatMap(({ by }) => by ?? []));
  const reason = reasonOf(asset, "canEditLinks");
  return (
    <Section
      title="Links"
      tools={
        <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAdding(true)}>
          New link
        </Button>
      }
    >
      {links.length === 0 && !adding && <p className="faint">No link yet. Add the handbook, the ticket or the code that says more.</p>}
      {links.length > 0 && (
        <Rows
          label="Links"
          head={["Link", "Added", "By", "Actions"]}
          items={links}
          keyOf={({ url, label }) => `${url} ${label}`}
          row={(link) => (
            <>
              <td>
                <Target {...link} />
              </td>
              <td data-label="Added">{link.added === undefined ? <span className="faint">Not known</span> : <When at={link.added} />}</td>
              <td data-label="By" className="break">
                {link.by ? nameOf(names, link.by) : <span className="faint">Not known</span>}
              </td>
              <td className="right">
                <Button
                  size="small"
                  look="quiet"
                  label={`Delete the link ${link.label}`}
                  icon={<DeleteIcon size={14} stroke={1.5} aria-hidden />}
                  reason={reason}
                  onClick={() => void remove(link).catch((error: unknown) => toast({ tone: "bad", title: "The link was not removed", text: problemOf(error).message }))}
                />
              </td>
            </>
          )}
        />
      )}
      {adding && (
        <div className={styles["new"]}>
          <NewLink onClose={() => setAdding(false)} onSave={add} />
        </div>
      )}
    </Section>
  );
}

function Target({ url, label }: Link) {
  return (
    <>
      {isSafeLink(url) ? (
        <a href={url} target="_blank" rel="noreferrer noopener" className="name break" dir="auto">
          {label}
        </a>
      ) : (
        <span className="name break" dir="auto" title="It is not an address that a page may lead to.">
          {label}
        </span>
      )}
      {label !== url && <span className={styles["address"]}>{url.slice(0, 300)}</span>}
    </>
  );
}
