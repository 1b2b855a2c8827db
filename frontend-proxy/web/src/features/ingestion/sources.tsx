import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../app/session";
import { useTitle } from "../../app/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { AddIcon, DownloadIcon, RunIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, Note, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { executionOf } from "./execution";
import { BeganAt, needsIngestion, runNow, soon, sourceAddress, StateOf, Took } from "./executions";
import { IngestionHead } from "./head";
import { IngestionSources, type IngestionSourcesQueryVariables } from "./ingestion.operations";
import { scheduleText } from "./schedule";

const Edit = lazy(() => import("./edit"));

const size = 50;

async function read(variables: IngestionSourcesQueryVariables, signal: AbortSignal) {
  const { data } = await run(IngestionSources, variables, signal);
  const sources = (data.listIngestionSources?.ingestionSources ?? []).map((source) => {
    const [last] = source.executions?.executionRequests ?? [];
    return { source, last: last ? executionOf(last) : null };
  });
  // Failing first; the order is otherwise that of the server.
  const failing = sources.filter(({ last }) => last?.tone === "bad");
  return { sources: [...failing, ...sources.filter((one) => !failing.includes(one))], total: data.listIngestionSources?.total ?? 0, taken: data.taken?.total };
}

/** Where the catalog gets its entries from, when, and whether it last did. */
export default function SourcesPage() {
  useTitle("Ingestion");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const variables = { input: { start, count: size, query: text || "*" } };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["ingestion", "sources", text, start],
    enabled: may.manageIngestion,
    queryFn: ({ signal }) => read(variables, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.sources.some(({ last }) => last?.ended === false) ? soon : false),
  });
  const reason = may.manageIngestion ? null : needsIngestion;
  return (
    <div className="page">
      <IngestionHead
        tab="sources"
        lead="Where the catalog gets its entries from, and whether it did."
        actions={
          <>
            <CopyAs call={{ query: IngestionSources.toString(), variables }} />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setCreating(true)}>
              New source
            </Button>
          </>
        }
      />
      {reason ? (
        <Note title="You may not see the ingestion sources">{reason}</Note>
      ) : (
        <>
          {data?.taken === 0 && (
            <Note tone="warn" title="No executor has taken a run yet">
              The catalog asks for runs and runs none itself. They wait until an executor, such as that of the actions framework, follows it.
            </Note>
          )}
          <Tools>
            <Find label="Find a source" value={get("find")} onChange={(find) => set({ find, page: "" })} />
          </Tools>
          {error && !data ? (
            <Failure what="the ingestion sources" error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Bones rows={6} what="the ingestion sources" />
          ) : data.sources.length === 0 ? (
            <Empty icon={<DownloadIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No source matches" : "No source yet"} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}>
              {text ? "Try another name." : "A source says what to read, and when."}
            </Empty>
          ) : (
            <Kept old={isPlaceholderData}>
              <Rows
                label="Ingestion sources"
                head={["Source", "Kind", "Runs", "Last run", "At", "Took", "Actions"]}
                items={data.sources}
                keyOf={({ source }) => source.urn}
                row={({ source: { urn, name, type, schedule, source: origin }, last }) => (
                  <>
                    <td>
                      <Link className="name break" href={sourceAddress(urn)}>
                        <bdi>{name || urn}</bdi>
                      </Link>{" "}
                      {origin?.type === "SYSTEM" && <Badge>System</Badge>}
                    </td>
                    <td className="muted break" data-label="Kind">
                      {type}
                    </td>
                    <td className="muted break" data-label="Runs" title={schedule?.timezone ?? ""}>
                      {schedule?.interval ? scheduleText(schedule.interval) : "by hand"}
                    </td>
                    <td data-label="Last run">{last ? <StateOf run={last} /> : <span className="faint">Not run yet</span>}</td>
                    <td data-label="At">{last && <BeganAt run={last} />}</td>
                    <td className="num nowrap" data-label="Took">
                      {last && <Took run={last} />}
                    </td>
                    <td className="right">
                      <Button size="small" label={`Run ${name} now`} icon={<RunIcon size={16} stroke={1.5} aria-hidden />} onClick={() => void runNow({ urn, name }, queries)} />
                    </td>
                  </>
                )}
              />
              <Pager label="sources" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
            </Kept>
          )}
        </>
      )}
      {creating && <Edit source={null} onClose={() => setCreating(false)} />}
    </div>
  );
}
