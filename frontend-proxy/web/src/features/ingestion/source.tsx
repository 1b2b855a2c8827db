import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { DeleteIcon, DownloadIcon, EditIcon, RunIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Code, Empty, PageHead, Section } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { numberIn } from "../../lib/answer";
import { lazy } from "../../lib/lazy";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { momentText, untilText } from "../../lib/time";
import { decoded } from "../../lib/asset-address";
import { executionsIn } from "./execution";
import { BeganAt, needsIngestion, runAddress, runNow, soon, StateOf, Took } from "./executions";
import { DeleteIngestionSource, IngestionSource } from "./ingestion.operations";
import { NotThere } from "./loaded";
import { nextRun } from "./next";
import { scheduleText } from "./schedule";
import { sourceIn } from "./stored";

const Edit = lazy(() => import("./edit"));

const size = 25;

/** The page of a source: recipe, schedule and runs. */
export default function SourcePage() {
  const { source: part = "" } = useParams<{ source: string }>();
  const urn = decoded(part);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const { may } = useSession();
  const now = useNow();
  const [get, set] = useParameters();
  const start = startOf(get("page"), size);
  const [asking, setAsking] = useState<"edit" | "delete" | null>(null);
  const variables = { urn, start, count: size };
  const { data, error, refetch } = useQuery({
    queryKey: ["ingestion", "source", urn, start],
    queryFn: async ({ signal }) => {
      const { ingestionSource: found } = (await run(IngestionSource, variables, signal)).data;
      return { source: sourceIn(found), runs: executionsIn(found?.executions), total: numberIn(found?.executions?.total) ?? 0 };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ ended }) => !ended) ? soon : false),
  });
  const source = data?.source;
  useTitle(source?.name ?? "Source", "Ingestion");
  if (!data || !source) {
    return <NotThere what="the ingestion source" icon={<DownloadIcon size={20} stroke={1.5} aria-hidden />} value={data && null} error={error} onRetry={() => void refetch()} />;
  }
  const { schedule } = source;
  const due = schedule ? nextRun(schedule.interval, schedule.timezone, now) : undefined;
  const reason = may.manageIngestion ? null : needsIngestion;
  return (
    <div className="page">
      <p className="small">
        <Link href="/ingestion">Ingestion</Link>
      </p>
      <PageHead
        title={source.name}
        actions={
          <>
            <CopyAs call={{ query: IngestionSource.toString(), variables }} urn={urn} />
            <Button icon={<DeleteIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("delete")}>
              Delete
            </Button>
            <Button icon={<EditIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("edit")}>
              Edit
            </Button>
            <Button look="primary" icon={<RunIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => void runNow(source, queries)}>
              Run now
            </Button>
          </>
        }
      >
        {`${source.type}. Runs ${schedule ? `${scheduleText(schedule.interval)}, ${schedule.timezone}` : "by hand"}, on the executor ${source.config.executorId}.${due === undefined ? "" : ` Next ${untilText(due, now)}, ${momentText(due)}.`}`}
      </PageHead>
      <Section title="Runs">
        {data.runs.length === 0 ? (
          <Empty title="Not run yet">{schedule ? "It runs by its schedule, or when somebody asks for it." : "It runs when somebody asks for it."}</Empty>
        ) : (
          <>
            <Rows
              label="Runs"
              head={["State", "Began", "Took", "Asked for", "Actions"]}
              numbers={["Took"]}
              items={data.runs}
              keyOf={(one) => one.urn}
              row={(one) => (
                <>
                  <td>
                    <StateOf run={one} />
                  </td>
                  <td data-label="Began">
                    <BeganAt run={one} />
                  </td>
                  <td className="right num nowrap" data-label="Took">
                    <Took run={one} />
                  </td>
                  <td className="muted" data-label="Asked for">
                    {one.by}
                  </td>
                  <td className="right">
                    <Link href={runAddress(one.urn)}>Show the run</Link>
                  </td>
                </>
              )}
            />
            <Pager label="runs" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
          </>
        )}
      </Section>
      <Section title="Recipe">
        <Code text={source.config.recipe} label="Recipe" />
      </Section>
      {asking === "edit" && <Edit source={source} onClose={() => setAsking(null)} />}
      {asking === "delete" && (
        <Confirm
          title={`Delete ${source.name}?`}
          verb="Delete source"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await change(DeleteIngestionSource, { urn });
            toast({ title: `${source.name} was deleted` });
            await queries.invalidateQueries({ queryKey: ["ingestion", "sources"] });
            go("/ingestion");
          }}
        >
          It runs no more. What it wrote stays in the catalog. This cannot be undone.
        </Confirm>
      )}
    </div>
  );
}
