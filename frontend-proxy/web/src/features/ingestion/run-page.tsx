import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";

import { useTitle } from "../../app/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { CloseIcon, RunIcon } from "../../components/icons";
import { Bones, Code, Empty, Failure, Note, PageHead, Section } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { change, run } from "../../lib/request";
import { decoded } from "../asset/address";
import { executionOf } from "./execution";
import { BeganAt, runNow, soon, sourceAddress, StateOf, Took } from "./executions";
import { CancelIngestionRun, IngestionRun } from "./ingestion.operations";

/** One run of a source: what became of it, and what it said. */
export default function RunPage() {
  const { run: part = "" } = useParams<{ run: string }>();
  const urn = decoded(part);
  const queries = useQueryClient();
  const [cancelling, setCancelling] = useState(false);
  const variables = { urn };
  const { data, error, refetch } = useQuery({
    queryKey: ["ingestion", "run", urn],
    queryFn: async ({ signal }) => {
      const { executionRequest: asked } = (await run(IngestionRun, variables, signal)).data;
      return { one: asked ? executionOf(asked) : null, source: asked?.source ?? null, log: asked?.result?.report ?? "" };
    },
    refetchInterval: ({ state }) => (state.data?.one?.ended === false ? soon : false),
  });
  const name = data?.source?.name;
  useTitle(name ? `Run of ${name}` : "Run", "Ingestion");
  if (error && !data) {
    return (
      <div className="page">
        <Failure what="the run" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className="page">
        <Bones rows={6} what="the run" />
      </div>
    );
  }
  const { one, source, log } = data;
  if (!one) {
    return (
      <div className="page">
        <Empty icon={<RunIcon size={20} stroke={1.5} aria-hidden />} title="There is no such run">
          It was deleted, or never was. <Link href="/ingestion">All sources</Link>
        </Empty>
      </div>
    );
  }
  return (
    <div className="page">
      <Link href={source ? sourceAddress(source.urn) : "/ingestion"}>{name ?? "Ingestion"}</Link>
      <PageHead
        title={name ? `Run of ${name}` : "Run"}
        actions={
          <>
            <CopyAs call={{ query: IngestionRun.toString(), variables }} urn={urn} />
            {source &&
              (one.ended ? (
                <Button icon={<RunIcon size={16} stroke={1.5} aria-hidden />} onClick={() => void runNow(source, queries)}>
                  Run again
                </Button>
              ) : (
                <Button icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setCancelling(true)}>
                  Cancel run
                </Button>
              ))}
          </>
        }
      />
      <Rows
        label="The run"
        head={["State", "Began", "Took", "Asked for", "Executor"]}
        items={[one]}
        keyOf={() => urn}
        row={() => (
          <>
            <td>
              <StateOf run={one} />
            </td>
            <td data-label="Began">
              <BeganAt run={one} />
            </td>
            <td className="num nowrap" data-label="Took">
              <Took run={one} />
            </td>
            <td className="muted" data-label="Asked for">
              {one.by}
            </td>
            <td className="muted break" data-label="Executor">
              {one.executor}
            </td>
          </>
        )}
      />
      {one.state === "Waiting" && <Note title="No executor has taken it yet">{`It begins when the executor ${one.executor} takes it.`}</Note>}
      <Section title="Log">{log ? <Code text={log} label="Log" /> : <Empty title="No log yet">The executor reports it, at the latest when the run ends.</Empty>}</Section>
      {cancelling && source && (
        <Confirm
          title={`Cancel this run of ${source.name}?`}
          verb="Cancel run"
          keep="Let it run"
          onClose={() => setCancelling(false)}
          onConfirm={async () => {
            await change(CancelIngestionRun, { source: source.urn, run: urn });
            await queries.invalidateQueries({ queryKey: ["ingestion"] });
            toast({ title: "The executor was told to stop" });
          }}
        >
          What it has written stays in the catalog.
        </Confirm>
      )}
    </div>
  );
}
