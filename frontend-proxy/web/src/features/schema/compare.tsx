import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { FilterMenu } from "../../components/filters";
import { AddIcon, EditIcon, LessIcon } from "../../components/icons";
import { Bones, CopyButton, Empty, Failure } from "../../components/parts";
import { at } from "../../lib/loose";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { dateText } from "../../lib/time";
import { columnsIn, plainPath } from "./columns";
import { SchemaAt, SchemaVersions } from "./schema.operations";
import styles from "./schema.module.css";
import { differencesOf, differencesText, versionsIn, type Difference, type Version } from "./versions";

const nameOf = ({ name, at: time }: Version) => (time === undefined ? name : `${name}, ${dateText(time)}`);

interface Props {
  urn: string;
  /** The numbers of the versions to begin with, in the form 3-0; else the newest and the one before. */
  chosen?: string;
  onChoose?: (chosen: string) => void;
}

/** Two versions of a schema, chosen, and what they differ in. */
export default function Compare({ urn, chosen, onChoose }: Props) {
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "schema-versions"], queryFn: async ({ signal }) => versionsIn((await run(SchemaVersions, { urn }, signal)).data) });
  const [own, setOwn] = useState("");
  if (error) {
    return <Failure what="the versions" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={3} what="the versions" />;
  }
  const [latest, before] = data;
  if (!latest || !before) {
    return (
      <Empty title={latest ? `One version: ${nameOf(latest)}` : "No version is kept"}>
        Each time ingestion writes another schema, the one before is kept to compare with.
      </Empty>
    );
  }
  const [, first, second] = /^(\d+)-(\d+)$/u.exec(chosen ?? own) ?? [];
  const find = (number: string | undefined, otherwise: Version) => data.find((version) => String(version.number) === number) ?? otherwise;
  const [from, to] = [find(first, before), find(second, latest)];
  const choose = onChoose ?? setOwn;
  const options = data.map((version) => ({ value: String(version.number), name: nameOf(version) }));
  return (
    <div className="stack">
      <div className={styles["pair"]} role="group" aria-label="Versions to compare">
        <FilterMenu label={`From ${from.name}`} value={String(from.number)} options={options} onChange={(number) => choose(`${number}-${to.number}`)} />
        <FilterMenu label={`To ${to.name}`} value={String(to.number)} options={options} onChange={(number) => choose(`${from.number}-${number}`)} />
      </div>
      <Differences key={`${from.number} ${to.number}`} urn={urn} from={from} to={to} />
    </div>
  );
}

function useSchemaAt(urn: string, { number }: Version) {
  return useQuery({
    queryKey: ["asset", urn, "schema-at", number],
    queryFn: async ({ signal }) => columnsIn(at((await run(SchemaAt, { urn, version: number }, signal)).data.dataset, "schemaMetadata")),
  });
}

function Differences({ urn, from, to }: { urn: string; from: Version; to: Version }) {
  const older = useSchemaAt(urn, from);
  const newer = useSchemaAt(urn, to);
  const failed = [older, newer].find(({ error }) => error);
  if (failed) {
    return <Failure what="this version" error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (!older.data || !newer.data) {
    return <Bones rows={4} what="this version" />;
  }
  const all = differencesOf(older.data, newer.data);
  const same = newer.data.length - all.filter(({ kind }) => kind !== "removed").length;
  return (
    <>
      <p className="muted" role="status">
        {all.length === 0 ? "The columns are the same." : <b>{countsText(all)}</b>} {all.length > 0 && same > 0 && `${numberText(same)} ${same === 1 ? "stays as it was" : "stay as they were"}.`}
      </p>
      {all.length > 0 && (
        <>
          <ul className={styles["differences"]}>
            {all.slice(0, most).map((each) => (
              <One key={each.path} of={each} />
            ))}
          </ul>
          {all.length > most && <p className="faint small">and {counted(all.length - most, "column")} more, which the copy holds</p>}
          <p>
            <CopyButton label="Copy differences" text={() => differencesText(all)} />
          </p>
        </>
      )}
    </>
  );
}

// More differences are not drawn.
const most = 500;

const kinds = {
  added: { word: "Added", Icon: AddIcon, tone: "ok" },
  changed: { word: "Changed", Icon: EditIcon, tone: "warn" },
  removed: { word: "Removed", Icon: LessIcon, tone: "bad" },
} as const;

function countsText(all: readonly Difference[]): string {
  const told = (["added", "changed", "removed"] as const).flatMap((kind) => {
    const count = all.filter((each) => each.kind === kind).length;
    return count > 0 ? [{ kind, count }] : [];
  });
  return `${told.map(({ kind, count }, index) => (index === 0 ? `${counted(count, "column")} ${kind}` : `${numberText(count)} ${kind}`)).join(", ")}.`;
}

function One({ of: { path, kind, text, was, is } }: { of: Difference }) {
  const { word, Icon, tone } = kinds[kind];
  return (
    <li>
      <Icon size={14} stroke={1.5} className={tone} aria-hidden />
      <code className="break">{plainPath(path)}</code>
      <span className="muted small">{word}</span>
      <span className={styles["what"]}>
        {was !== undefined && <del>{was}</del>} {is !== undefined && <ins>{is}</ins>} {text && <span className="muted">{text}</span>}
      </span>
    </li>
  );
}
