import { useQuery } from "@tanstack/react-query";

import { Asset } from "../../components/asset";
import { Bones, Failure } from "../../components/parts";
import { pageIn } from "../../lib/found";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { AssetsOf } from "./govern.operations";
import { listedIn, type Listed } from "./read";
import styles from "./govern.module.css";

/** Reads a page of the assets whose index field contains a URN. */
export async function readAssets(field: string | readonly string[], urn: string, { text = "", start = 0, count = 10, columns = false } = {}, signal?: AbortSignal): Promise<{ items: Listed[]; total: number }> {
  const { data } = await run(AssetsOf, { input: assetsInput(field, urn, { text, start, count }), columns }, signal);
  return pageIn(data.searchAcrossEntities, (entity) => listedIn(entity, urn));
}

/** The search input of readAssets, also for users to copy. */
export const assetsInput = (field: string | readonly string[], urn: string, { text = "", start = 0, count = 10 } = {}) => ({
  query: text === "" ? "*" : text,
  start,
  count,
  orFilters: [field].flat().map((each) => ({ and: [{ field: each, values: [urn] }] })),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

const first = 10;

/** The number of assets that use an entity, with the first of them, for confirmations before a deletion. */
export function Uses({ field, urn, none, verb }: { field: string; urn: string; none: string; verb: string }) {
  const { data, error, refetch } = useQuery({ queryKey: ["assets-of", field, urn, "first"], staleTime: 0, queryFn: ({ signal }) => readAssets(field, urn, { count: first }, signal) });
  if (error) {
    return <Failure what="its uses" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={3} what="its uses" />;
  }
  if (data.total === 0) {
    return <p>{none}</p>;
  }
  return (
    <>
      <p>
        <b className="num">{counted(data.total, "asset")}</b> {verb}
        {data.total > data.items.length ? `, among them:` : ":"}
      </p>
      <ul className={styles["uses"]} aria-label="Assets">
        {data.items.map((asset) => (
          <li key={asset.urn}>
            <Asset urn={asset.urn} name={asset.name} type={asset.type} />
          </li>
        ))}
      </ul>
    </>
  );
}
