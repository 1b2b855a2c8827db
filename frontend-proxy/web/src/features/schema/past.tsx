import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

import { Button } from "../../components/button";
import { HistoryIcon } from "../../components/icons";
import { Bones, Empty, Failure } from "../../components/parts";
import { dateText } from "../../lib/time";
import type { Column } from "../../shared/schema/columns";
import { schemaAtQuery, versionsQuery } from "../../shared/schema/read";
import styles from "./schema.module.css";
import { differenceSigns } from "../../shared/schema/signs";
import { countsText, pastColumns, versionOf, wordOf, type PastColumn, type Version } from "../../shared/schema/versions";

/** A schema in one of its versions. */
interface InVersion {
  /** The version in sight; undefined as long as it is not known which there are. */
  version: Version | undefined;
  /** The same where it is an older one. */
  past: Version | undefined;
  newest: Version | undefined;
  /** Undefined where state takes their place: they are being read, cannot be read, or are not kept. */
  columns: readonly PastColumn[] | undefined;
  state: ReactNode;
}

/** The columns of the version that the address asks for, with what became of them since; else the newest, which were read. */
export function useVersion(urn: string, asked: string, newest: readonly Column[], onNewest: () => void): InVersion {
  const versions = useQuery(versionsQuery(urn));
  const [latest] = versions.data ?? [];
  const version = asked === "" ? latest : versionOf(versions.data ?? [], asked);
  const past = version === latest ? undefined : version;
  const then = useQuery({ ...schemaAtQuery(urn, past?.number ?? 0), enabled: past !== undefined });
  const marked = useMemo(() => then.data && pastColumns(then.data, newest), [then.data, newest]);
  const known = { version, past, newest: latest };
  const failed = [versions, then].find(({ error, data }) => error && !data);
  if (asked === "" || (version && !past)) {
    return { ...known, columns: newest, state: null };
  }
  if (failed) {
    return { ...known, columns: undefined, state: <Failure what="this version" error={failed.error} onRetry={() => void failed.refetch()} /> };
  }
  if ((versions.data && !version) || then.data === null) {
    const named = version ? `version ${version.name}` : /^[\d.]{1,20}$/u.test(asked) ? `version ${asked}` : "such version";
    const state = (
      <Empty icon={<HistoryIcon size={20} stroke={1.5} aria-hidden />} title={`There is no ${named} of this schema`} actions={<Button onClick={onNewest}>Show the newest</Button>}>
        It never was, or is not kept any more: of each schema the last versions are kept.
      </Empty>
    );
    return { ...known, columns: undefined, state };
  }
  return { ...known, columns: marked ?? undefined, state: marked ? null : <Bones rows={10} what="this version" /> };
}

interface NoteProps {
  version: Version;
  columns: readonly PastColumn[];
  onNewest: () => void;
  onCompare: () => void;
}

/** Says that the columns are not those of today, and leads back to them. */
export function PastNote({ version: { name, at }, columns, onNewest, onCompare }: NoteProps) {
  const counts = countsText(columns.flatMap(({ since }) => (since ? [since.kind] : [])));
  return (
    <div className={styles["past"]} role="note">
      <HistoryIcon size={16} stroke={1.5} aria-hidden />
      <p>
        As of <b>version {name}</b>
        {at !== undefined && `, ${dateText(at)}`}. {counts ? `Since then ${counts}.` : "The columns are the same today."}{" "}
        <span className="faint">Descriptions and labels are those that ingestion wrote then.</span>
      </p>
      <Button size="small" onClick={onNewest}>
        Back to the newest
      </Button>
      {counts && (
        <Button size="small" look="quiet" onClick={onCompare}>
          Compare with the newest
        </Button>
      )}
    </div>
  );
}

/** What became of a column since the version in sight. */
export function Since({ of: since }: { of: NonNullable<PastColumn["since"]> }) {
  const { Icon, tone } = differenceSigns[since.kind];
  return (
    <span className={styles["since"]}>
      <Icon size={14} stroke={1.5} className={tone} aria-hidden />
      {wordOf(since)} since{since.text && `: ${since.text}`}
    </span>
  );
}
