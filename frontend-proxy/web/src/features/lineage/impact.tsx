import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { Path } from "../../components/asset";
import { Button } from "../../components/button";
import { CloseIcon, DownloadIcon, LineageIcon } from "../../components/icons";
import { Bones, Empty, Failure, Note } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { numberIn, textIn } from "../../lib/answer";
import { csvText, saveText } from "../../lib/csv";
import { rowsIn } from "../../lib/found";
import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { stepText } from "./asset";
import type { AddressState } from "./address";
import { LineageImpact, type LineageImpactQueryVariables } from "./lineage.operations";
import styles from "./lineage.module.css";
import { impactInput } from "./read";
import { cellsOf, fileHead, mostRows, reachedOf, readAll, rowsAtOnce, type Reached } from "./reach";
import { HealthText, Named, Owner } from "./table";

const pageSize = 50;

async function readPage(input: LineageImpactQueryVariables["input"], after: string | null, count: number, signal: AbortSignal) {
  const { data } = await run(LineageImpact, { input: { ...input, count, ...(after === null ? {} : { scrollId: after }) } }, signal);
  const found = data.scrollAcrossLineage;
  return { rows: rowsIn(found).map(reachedOf), next: textIn(found?.nextScrollId) || null, total: numberIn(found?.total) ?? 0, partial: found?.isPartial === true };
}

/** All transitive upstream or downstream assets as a list, loaded during scrolling, with filters and export. */
export default function Impact({ root, name, address, degree }: { root: string; name: string; address: AddressState; degree: string }) {
  const input = impactInput(root, address, degree);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = useInfiniteQuery({
    queryKey: ["lineage", "impact", input],
    queryFn: ({ pageParam, signal }) => readPage(input, pageParam, pageSize, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.rows.length === 0 ? null : last.next),
  });
  const foot = useRef<HTMLDivElement>(null);
  const ready = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    const at = foot.current;
    if (!at || !ready || typeof IntersectionObserver === "undefined") {
      return;
    }
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), { rootMargin: "200px" });
    watch.observe(at);
    return () => watch.disconnect();
  }, [ready, fetchNextPage]);

  if (error && !data) {
    return <Failure what="what is reached" error={error} onRetry={() => void refetch()} />;
  }
  const [first] = data?.pages ?? [];
  if (!data || !first) {
    return <Bones rows={8} what="what is reached" />;
  }
  const rows = data.pages.flatMap((page) => page.rows);
  const down = address.direction !== "up";
  return (
    <>
      <div className={styles["foot"]}>
        <span className="muted small num" role="status">
          {numberText(rows.length)} of {numberText(first.total)}
          {first.partial ? " or more" : ""} {first.total === 1 ? "asset" : "assets"} {down ? "downstream" : "upstream"}
        </span>
        <span className="row end">
          <ExportAll input={input} total={first.total} name={name} />
        </span>
      </div>
      {first.partial && (
        <Note tone="warn" title="There may be more">
          The server stops after a number of edges, so that the list and its counts may not have all.
        </Note>
      )}
      {rows.length === 0 ? (
        <Empty icon={<LineageIcon size={20} stroke={1.5} aria-hidden />} title={down ? "Nothing is known to be made from it" : "Nothing is known that it is made from"}>
          {degree || address.platform || address.kind || address.live ? "With the filters that are set, that is." : "Lineage comes with ingestion, or is added by hand."}
        </Empty>
      ) : (
        <Rows label={`What is ${down ? "downstream" : "upstream"} of ${name}`} head={["Asset", "Steps", "Where", "Owner", "Health"]} items={rows} keyOf={({ asset }) => asset.urn} row={(row) => <Line {...row} down={down} />} />
      )}
      {error && data ? <Failure what="the rest" error={error} onRetry={() => void fetchNextPage()} /> : null}
      {hasNextPage && (
        <div className={styles["foot"]} ref={foot}>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function Line({ asset, degree, down }: Reached & { down: boolean }) {
  return (
    <>
      <td>
        <Named asset={asset} />
      </td>
      <td data-label="Steps" className="num nowrap muted">
        {stepText(down ? degree : -degree)}
      </td>
      <td data-label="Where">
        <Path platform={asset.platform || undefined} steps={asset.path.slice(-2)} />
      </td>
      <td data-label="Owner">
        <Owner asset={asset} />
      </td>
      <td data-label="Health">
        <HealthText asset={asset} />
      </td>
    </>
  );
}

// Reads the whole list for an export. The user can cancel it.
function ExportAll({ input, total, name }: { input: LineageImpactQueryVariables["input"]; total: number; name: string }) {
  const [state, setState] = useState<{ done: number; total: number; abort: AbortController } | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const save = async () => {
    const mine = new AbortController();
    abort.current = mine;
    setState({ done: 0, total, abort: mine });
    try {
      const all = await readAll(
        (after) => readPage({ ...input, searchFlags: { ...input.searchFlags, skipAggregates: true } }, after, rowsAtOnce, mine.signal),
        (done, of) => setState({ done, total: of, abort: mine }),
        mine.signal,
      );
      saveText(`${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")}-${input.direction === "UPSTREAM" ? "upstream" : "downstream"}.csv`, csvText(fileHead, all.rows.map(cellsOf)));
      toast({
        title: `${counted(all.rows.length, "row")} exported`,
        text: all.total > all.rows.length ? `A file holds ${numberText(mostRows)} rows; the list has ${numberText(all.total)}. Narrow it to export the rest.` : "",
      });
    } catch (error) {
      if (!mine.signal.aborted) {
        toast({ tone: "bad", title: "Nothing was exported", text: problemOf(error).message });
      }
    }
    setState(null);
  };
  return state ? (
    <>
      <span className="muted small num" role="status">
        {numberText(state.done)} of {numberText(Math.min(state.total, mostRows))} rows read
      </span>
      <Button size="small" icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={() => state.abort.abort()}>
        Cancel
      </Button>
    </>
  ) : (
    <Button size="small" icon={<DownloadIcon size={14} stroke={1.5} aria-hidden />} reason={total === 0 ? "There is nothing to export." : null} onClick={() => void save()}>
      Export CSV
    </Button>
  );
}
