import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { FailIcon, PassIcon } from "../../components/icons";
import { Badge, Bones, Failure, Meter, Note, type Tone } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { runIn } from "./result";
import styles from "./tests.module.css";
import { CancelRun, Run } from "./tests.operations";

const words: Record<string, { word: string; tone: Tone }> = {
  queued: { word: "waits", tone: "plain" },
  running: { word: "runs", tone: "info" },
  succeeded: { word: "done", tone: "ok" },
  failed: { word: "failed", tone: "bad" },
  cancelled: { word: "cancelled", tone: "warn" },
};

/** The state of a run as a badge. */
export function StateWord({ state }: { state: string }) {
  const { word, tone } = words[state] ?? { word: state, tone: "plain" };
  return (
    <Badge tone={tone} icon={tone === "ok" ? <PassIcon size={13} stroke={1.5} aria-hidden /> : tone === "bad" ? <FailIcon size={13} stroke={1.5} aria-hidden /> : null}>
      {word}
    </Badge>
  );
}

/** Shows the progress of a run on all assets until it ends, with a button that cancels it. */
export function RunState({ id }: { id: string }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["test-run", id],
    queryFn: async ({ signal }) => runIn((await run(Run, { id }, signal)).data.testRun)[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.active === false ? false : 1000),
  });
  const told = useRef(false);
  const over = data !== undefined && !data?.active;
  useEffect(() => {
    if (over && !told.current) {
      told.current = true;
      void queries.invalidateQueries({ queryKey: ["tests"] });
      void queries.invalidateQueries({ queryKey: ["test-runs"] });
    }
  }, [over, queries]);
  if (error && data === undefined) {
    return <Failure what="the run" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return data === null ? <p className="muted">The run is not remembered any more.</p> : <Bones rows={2} what="the run" />;
  }
  const cancel = () => {
    change(CancelRun, { id })
      .then(
        () => toast({ tone: "info", title: "The run ends soon", text: "Results that it has kept stay." }),
        (failure: unknown) => toast({ tone: "bad", title: "The run goes on", text: problemOf(failure).message }),
      )
      .finally(() => void refetch());
  };
  return (
    <div className={styles["run"]}>
      <div className="row wrap" role="status">
        <StateWord state={data.state} />
        <span className="muted num">{data.total > 0 ? `${numberText(data.done)} of ${counted(data.total, "asset")}` : counted(data.done, "asset")}</span>
        <span className="ok num">{numberText(data.passing)} pass</span>
        <span className="bad num">{numberText(data.failing)} fail</span>
        {data.active && (
          <span className="end">
            <Button size="small" look="careful" reason={may.manageTests ? null : "You need the privilege Manage Tests."} onClick={cancel}>
              Cancel run
            </Button>
          </span>
        )}
      </div>
      {data.active && <Meter share={data.total > 0 ? data.done / data.total : 0} tone="accent" />}
      {data.error && <p className="bad small break">{data.error}</p>}
      {data.problems.map(({ test, message }) => (
        <Note key={test} tone="warn" title={`${test} was passed over`}>
          {message}
        </Note>
      ))}
    </div>
  );
}
