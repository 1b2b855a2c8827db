import { useState } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { Choose } from "../../shared/pickers/choose";
import { Editable } from "../../components/editable";
import { nameOf, useNames } from "../../shared/entities/entities";
import { AddIcon, CloseIcon } from "../../components/icons";
import { Note, When } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import type { Asset } from "../../shared/asset/asset";
import { changedMeanwhile } from "../../shared/asset/edit";
import { useIncidentEdit } from "./edit";
import { priorities, stages, stateOf, titleOf, wordOf, type Check, type Incident } from "../../shared/quality/quality";
import { IncidentBadge } from "../../shared/quality/state";
import styles from "./quality.module.css";

interface Props {
  asset: Asset;
  incident: Incident;
  checks: readonly Check[];
  reason: string | null;
  onCheck: (urn: string) => void;
  onClose: () => void;
}

type Stage = keyof typeof stages;
type Priority = keyof typeof priorities;

/** The side panel of an incident: description, assignees and resolution. Each part is edited in place. */
export default function IncidentPanel({ asset, incident, checks, reason, onCheck, onClose }: Props) {
  const edit = useIncidentEdit(asset.urn, incident);
  const names = useNames([incident.raisedBy, incident.changedBy].filter(Boolean));
  const check = checks.find(({ urn }) => urn === incident.check);
  const unchanged = async (seen: string, textOf: (one: Incident) => string) => {
    const now = await edit.now();
    if (now && textOf(now).trim() !== seen.trim()) {
      throw changedMeanwhile(textOf(now));
    }
  };
  const since = incident.startedAt ?? incident.raisedAt;
  return (
    <section className={styles["detail"]} aria-label={`Incident ${titleOf(incident)}`}>
      <header>
        <IncidentBadge incident={incident} />
        <Button size="small" look="quiet" label="Close the incident" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />
      </header>
      <h2 className="sr">{titleOf(incident)}</h2>
      <div className={styles["title"]}>
        <Editable
          label="title of the incident"
          value={incident.title}
          empty={titleOf(incident)}
          most={500}
          reason={reason}
          onSave={async (title, seen) => {
            await unchanged(seen, (one) => one.title);
            await edit.update({ title }, { title });
          }}
        />
      </div>
      <div className="muted">
        <Editable
          label="description of the incident"
          value={incident.description}
          empty="What it means is not told yet"
          long
          most={100_000}
          reason={reason}
          keep={`${incident.urn} about`}
          onSave={async (description, seen) => {
            await unchanged(seen, (one) => one.description);
            await edit.update({ description }, { description });
          }}
        />
      </div>
      <dl>
        {since !== undefined && (
          <>
            <dt>Since</dt>
            <dd>
              <When at={since} />
            </dd>
          </>
        )}
        <dt>Kind</dt>
        <dd dir="auto">{incident.kind}</dd>
        <dt>Priority</dt>
        <dd>
          <Pick
            label="Priority"
            value={incident.priority}
            table={priorities}
            reason={reason}
            onPick={(value) => edit.update({ priority: value }, { priority: value as Priority })}
          />
        </dd>
        <dt>Stage</dt>
        <dd>
          <Pick label="Stage" value={incident.stage} table={stages} reason={reason} onPick={(value) => edit.setStatus({ stage: value }, { ...statusOf(incident), stage: value as Stage })} />
        </dd>
        <dt>With</dt>
        <dd>
          <div className={styles["people"]}>
            {incident.assignees.length === 0 ? (
              <span className="faint">Nobody yet</span>
            ) : (
              <ul>
                {incident.assignees.map(({ urn, name }) => (
                  <li key={urn}>
                    <Chip urn={urn} name={name} />
                  </li>
                ))}
              </ul>
            )}
            <Choose
              label="Choose who works on it"
              icon={<AddIcon size={16} stroke={1.5} aria-hidden />}
              types={["CORP_USER", "CORP_GROUP"]}
              chosen={incident.assignees}
              reason={reason}
              onSave={(after) => edit.update({ assignees: after }, { assigneeUrns: after.map(({ urn }) => urn) })}
            />
          </div>
        </dd>
        {check && (
          <>
            <dt>Check</dt>
            <dd>
              <button type="button" className={styles["open"]} onClick={() => onCheck(check.urn)}>
                <span dir="auto">{check.name}</span>
              </button>
            </dd>
          </>
        )}
      </dl>
      <h3>So far</h3>
      <ol className={styles["runs"]} aria-label="What was done">
        {incident.changedAt !== undefined && incident.changedAt !== incident.raisedAt && (
          <li>
            <p className="break" dir="auto">
              {incident.active ? "Changed" : "Resolved"} by {nameOf(names, incident.changedBy) || "somebody"}
              {incident.message && `: ${incident.message.slice(0, 2000)}`}
            </p>
            <span className="faint small">
              <When at={incident.changedAt} />
            </span>
          </li>
        )}
        <li>
          <p className="break">Raised by {check ? "a check" : nameOf(names, incident.raisedBy) || "somebody"}</p>
          <span className="faint small">{incident.raisedAt !== undefined && <When at={incident.raisedAt} />}</span>
        </li>
      </ol>
      <Ending incident={incident} edit={edit} reason={reason} fails={check !== undefined && stateOf(check) === "failed"} />
    </section>
  );
}

// The unchanged members of a status. Unknown stages are omitted, and the service keeps them.
function statusOf({ active, stage, message }: Incident) {
  return { state: active ? ("ACTIVE" as const) : ("RESOLVED" as const), ...(Object.hasOwn(stages, stage) ? { stage: stage as Stage } : {}), ...(message ? { message } : {}) };
}

interface PickProps {
  label: string;
  value: string;
  table: Readonly<Record<string, string>>;
  reason: string | null;
  onPick: (value: string) => Promise<unknown>;
}

function Pick({ label, value, table, reason, onPick }: PickProps) {
  const [refusal, setRefusal] = useState("");
  if (reason !== null) {
    return value ? wordOf(table, value) : <span className="faint">None</span>;
  }
  return (
    <>
      <select
        className={styles["select"]}
        aria-label={label}
        value={value}
        onChange={(event) => {
          setRefusal("");
          onPick(event.currentTarget.value).catch((error: unknown) => setRefusal(problemOf(error).message));
        }}
      >
        {!Object.hasOwn(table, value) && <option value={value}>{value ? wordOf(table, value) : "None"}</option>}
        {Object.entries(table).map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
      {refusal && (
        <p className="bad small break" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

function Ending({ incident, edit, reason, fails }: { incident: Incident; edit: ReturnType<typeof useIncidentEdit>; reason: string | null; fails: boolean }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const { active } = incident;
  const verb = active ? "Resolve incident" : "Open it again";
  const end = async () => {
    setBusy(true);
    setRefusal("");
    const message = text.trim();
    const stage = Object.hasOwn(stages, incident.stage) ? { stage: incident.stage as Stage } : {};
    try {
      await edit.setStatus({ active: !active, state: active ? "RESOLVED" : "ACTIVE", message }, { ...(active ? { state: "RESOLVED" as const, ...stage } : { state: "ACTIVE" as const }), ...(message ? { message } : {}) });
      setText("");
      toast({ title: active ? "The incident was resolved" : "The incident is open again" });
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
    setBusy(false);
  };
  return (
    <form
      className={styles["resolve"]}
      onSubmit={(event) => {
        event.preventDefault();
        void end();
      }}
    >
      <h3>{active ? "Resolve" : "Open again"}</h3>
      {reason === null && <textarea aria-label={active ? "What ended it" : "Why it is open again"} placeholder={active ? "What ended it" : "Why it is open again"} value={text} maxLength={10_000} onChange={(event) => setText(event.currentTarget.value)} />}
      {refusal && (
        <Note tone="bad" title="Nothing was changed">
          {refusal}
        </Note>
      )}
      <div>
        <Button look={active ? "primary" : "plain"} type="submit" size="small" busy={busy} reason={reason}>
          {verb}
        </Button>
      </div>
      {active && fails && <p className="faint small">The check fails still.</p>}
    </form>
  );
}
