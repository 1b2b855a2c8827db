import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { HistoryIcon } from "../../components/icons";
import { Bones, Empty, Failure } from "../../components/parts";
import { at } from "../../lib/loose";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { dateText } from "../../lib/time";
import { columnsIn, differencesOf, plainPath, versionsIn, type Column, type Version } from "./columns";
import { SchemaAt, SchemaVersions } from "./schema.operations";
import styles from "./schema.module.css";

/** Leads to the versions of a schema, and to what one differs in from what it is now. */
export function Versions({ urn, columns }: { urn: string; columns: readonly Column[] }) {
  const [open, setOpen] = useState(false);
  return (
    <span className={styles["versions"]}>
      <Button size="small" look="quiet" icon={<HistoryIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setOpen(true)}>
        Versions
      </Button>
      {open && (
        <Dialog title="Versions of the schema" size={640} onClose={() => setOpen(false)} actions={<Button onClick={() => setOpen(false)}>Close</Button>}>
          <Compare urn={urn} columns={columns} />
        </Dialog>
      )}
    </span>
  );
}

const nameOf = ({ name, at: time }: Version) => (time === undefined ? name : `${name}, ${dateText(time)}`);

function Compare({ urn, columns }: { urn: string; columns: readonly Column[] }) {
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "schema-versions"], queryFn: async ({ signal }) => versionsIn((await run(SchemaVersions, { urn }, signal)).data) });
  const [number, setNumber] = useState<number | null>(null);
  if (error) {
    return <Failure what="the versions" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={3} what="the versions" />;
  }
  const [latest, ...older] = data;
  if (!latest || older.length === 0) {
    return (
      <Empty title={latest ? `One version: ${nameOf(latest)}` : "No version is kept"}>
        Each time ingestion writes another schema, the one before is kept to compare with.
      </Empty>
    );
  }
  const chosen = older.find((version) => version.number === number) ?? older[0];
  return (
    <>
      <p className="row wrap">
        <label className="row">
          <span className="faint">From</span>
          <select className={styles["select"]} value={chosen?.number} onChange={(event) => setNumber(Number(event.currentTarget.value))}>
            {older.map((version) => (
              <option key={version.number} value={version.number}>
                {nameOf(version)}
              </option>
            ))}
          </select>
        </label>
        <span className="muted">to {nameOf(latest)}</span>
      </p>
      {chosen && <Differences key={chosen.number} urn={urn} version={chosen} columns={columns} />}
    </>
  );
}

function Differences({ urn, version, columns }: { urn: string; version: Version; columns: readonly Column[] }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "schema-at", version.number],
    queryFn: async ({ signal }) => columnsIn(at((await run(SchemaAt, { urn, version: version.number }, signal)).data.dataset, "schemaMetadata")),
  });
  if (error) {
    return <Failure what="this version" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="this version" />;
  }
  const all = differencesOf(data, columns);
  return (
    <>
      <p className="muted" role="status">
        {all.length === 0 ? "The columns are the same." : `${counted(all.length, "column")} differ${all.length === 1 ? "s" : ""}.`}
      </p>
      <ul className={styles["differences"]}>
        {all.slice(0, 500).map(({ path, kind, text }) => (
          <li key={path}>
            {kind === "added" ? (
              <ins className={styles["added"]}>
                <code>{plainPath(path)}</code>
              </ins>
            ) : kind === "removed" ? (
              <del className={styles["removed"]}>
                <code>{plainPath(path)}</code>
              </del>
            ) : (
              <code>{plainPath(path)}</code>
            )}{" "}
            <span className="muted">{kind === "changed" ? text : `${kind}, ${text}`}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
