import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { Bones, Failure } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { counted } from "../../lib/text";
import { plainPath } from "./columns";
import styles from "./compare.module.css";
import { readTouched, touchedIn } from "./touched";
import { breaksIn, reachText, type Difference } from "./versions";

// The maximum number of columns to query: each column needs three lineage searches.
const most = 5;

interface Props {
  urn: string;
  differences: readonly Difference[];
  /** The number of queries within a month by column path; null if usage is unknown. */
  reads: ReadonlyMap<string, number> | null;
}

/** The downstream assets of removed columns and of columns with a new type, and the number of queries that read them. */
export function Touches({ urn, differences, reads }: Props) {
  const broken = breaksIn(differences);
  const paths = broken.slice(0, most).map(({ path }) => path);
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "column-touches", ...paths],
    enabled: paths.length > 0,
    queryFn: ({ signal }) => readTouched(urn, paths, signal),
  });
  return (
    <section className={styles["touches"]} aria-label="What it touches">
      <h2>What it touches</h2>
      {paths.length === 0 ? (
        <p className="muted">No column was removed or got another type.</p>
      ) : error && !data ? (
        <Failure what="what is made from the columns" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        paths.map((path, index) => (
          <p key={path} className="muted">
            <code className="break">{plainPath(path)}</code> <Reached urn={urn} path={path} text={reachText(touchedIn(data, index))} reads={reads && (reads.get(path) ?? reads.get(plainPath(path)) ?? 0)} />
          </p>
        ))
      ) : (
        <Bones rows={paths.length} what="what is made from the columns" />
      )}
      {data !== undefined && broken.length > most && <p className="faint small">and {counted(broken.length - most, "column")} more, of which the lineage tells</p>}
    </section>
  );
}

function Reached({ urn, path, text, reads }: { urn: string; path: string; text: string; reads: number | null }) {
  const read = reads !== null && reads > 0 && `was read by ${counted(reads, "query", "queries")} in the last 30 days`;
  const unread = reads === null ? "How many queries read it is not known." : "No query of the last 30 days is known to read it.";
  return text ? (
    <>
      feeds <Link href={`${assetPath(urn, "Lineage")}?column=${encodeURIComponent(path)}`}>{text}</Link>
      {read ? `, and ${read}.` : `. ${unread}`}
    </>
  ) : (
    <>
      {read || "feeds nothing that is known"}. {read ? "Nothing is known to be made from it." : unread}
    </>
  );
}
