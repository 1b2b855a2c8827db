import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { Asset as Chip } from "../../components/asset";
import { nameIn } from "../../lib/name";
import { Bones, Failure } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { columnUrn } from "../../lib/column";
import { rowsIn } from "../../lib/found";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { ColumnLineage as Read, type ColumnLineageQuery } from "./column-lineage.operations";
import styles from "./schema.module.css";

// Results are sorted by rank, so the nearest assets are selected from a larger page.
const most = 100;
const few = 5;

/** The upstream and downstream lineage of a column, with the nearest assets. */
export function ColumnLineage({ urn, path }: { urn: string; path: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "column-lineage", path],
    queryFn: async ({ signal }) => (await run(Read, { column: columnUrn(urn, path), most }, signal)).data,
  });
  return (
    <>
      <h3>Lineage</h3>
      {error ? (
        <Failure what="the lineage of the column" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={2} what="the lineage of the column" />
      ) : !data.up?.total && !data.down?.total ? (
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

function Reach({ title, found }: { title: string; found: ColumnLineageQuery["down"] }) {
  const total = found?.total ?? 0;
  const nearest = rowsIn(found)
    .toSorted((a, b) => a.degree - b.degree)
    .flatMap(({ entity }) => (entity ? [entity] : []))
    .slice(0, few);
  return (
    <section className={styles["reach"]} aria-label={`${title} ${counted(total, "asset")}`}>
      <p className="muted small">
        {title} {total === 0 ? "nothing" : counted(total, "asset")}
        {found?.isPartial && " or more"}
      </p>
      <ul>
        {nearest.map((entity) => (
          <li key={entity.urn}>
            <Chip urn={entity.urn} name={nameIn(entity)} />
          </li>
        ))}
      </ul>
      {total > nearest.length && nearest.length > 0 && <p className="faint small num">and {numberText(total - nearest.length)} more</p>}
    </section>
  );
}
