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

/** One version of a schema. */
interface InVersion {
  /** The visible version; undefined until the versions are loaded. */
  version: Version | undefined;
  /** The visible version if it is not the latest, else undefined. */
  past: Version | undefined;
  newest: Version | undefined;
  /** Undefined if state replaces them: the columns are loading, cannot be read, or are no longer stored. */
  columns: readonly PastColumn[] | undefined;
  state: ReactNode;
}

/**
 * The columns of the version in the address, with their changes since then; by default the latest columns, which are
 * already loaded.
 */
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

/** A notice that the columns belong to an older version, with a link to the latest one. */
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

/** The change of a column since the visible version. */
export function Since({ of: since }: { of: NonNullable<PastColumn["since"]> }) {
  const { Icon, tone } = differenceSigns[since.kind];
  return (
    <span className={styles["since"]}>
      <Icon size={14} stroke={1.5} className={tone} aria-hidden />
      {wordOf(since)} since{since.text && `: ${since.text}`}
    </span>
  );
}
