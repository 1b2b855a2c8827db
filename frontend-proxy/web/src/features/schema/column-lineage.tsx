import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { Asset as Chip } from "../../components/asset";
import { Bones, Failure } from "../../components/parts";
import { numberIn } from "../../lib/answer";
import { assetPath } from "../../lib/asset";
import { columnUrn } from "../../lib/column";
import { rowsIn } from "../../lib/found";
import { namedIn } from "../../lib/name";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { ColumnLineage as Read, type ColumnReachFragment } from "./column-lineage.operations";
import styles from "./schema.module.css";

// Results are sorted by rank, so the nearest assets are selected from a larger page.
const most = 100;
const few = 5;

/** The upstream and downstream lineage of a column, with the nearest assets. */
export function ColumnLineage({ urn, path }: { urn: string; path: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "column-lineage", path],
    queryFn: async ({ signal }) => {
      const { up, down } = (await run(Read, { column: columnUrn(urn, path), most }, signal)).data;
      return { up: reachIn(up), down: reachIn(down) };
    },
  });
  return (
    <>
      <h3>Lineage</h3>
      {error ? (
        <Failure what="the lineage of the column" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={2} what="the lineage of the column" />
      ) : data.up.total + data.down.total === 0 ? (
        <p className="faint">None is known of this column.</p>
      ) : (
        <>
          <Reach title="Made from" found={data.up} />
          <Reach title="Feeds" found={data.down} />
          <Link href={`${assetPath(urn, "Lineage")}?column=${encodeURIComponent(path)}`}>Show the column in the lineage</Link>
        </>
      )}
    </>
  );
}

const reachIn = (found: ColumnReachFragment | null) => ({
  total: numberIn(found?.total) ?? 0,
  partial: found?.isPartial === true,
  nearest: namedIn(
    rowsIn(found)
      .toSorted((a, b) => (numberIn(a.degree) ?? 0) - (numberIn(b.degree) ?? 0))
      .map(({ entity }) => entity),
  ).slice(0, few),
});

function Reach({ title, found: { total, partial, nearest } }: { title: string; found: ReturnType<typeof reachIn> }) {
  return (
    <section className={styles["reach"]} aria-label={`${title} ${counted(total, "asset")}`}>
      <p className="muted small">
        {title} {total === 0 ? "nothing" : counted(total, "asset")}
        {partial && " or more"}
      </p>
      <ul>
        {nearest.map((asset) => (
          <li key={asset.urn}>
            <Chip urn={asset.urn} name={asset.name} />
          </li>
        ))}
      </ul>
      {total > nearest.length && nearest.length > 0 && <p className="faint small num">and {numberText(total - nearest.length)} more</p>}
    </section>
  );
}
