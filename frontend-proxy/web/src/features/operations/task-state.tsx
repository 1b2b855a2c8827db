import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { Button } from "../../components/button";
import { FailIcon, PassIcon } from "../../components/icons";
import { Badge, Bones, Failure, Meter, type Tone } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { numberText } from "../../lib/text";
import { cancelTask, goesOn, readTask, shareOf, states, type Task } from "./task";
import styles from "./operations.module.css";

const tones: Record<string, Tone> = { succeeded: "ok", failed: "bad", cancelled: "warn", running: "info" };

/** The state of a task as a badge. An unknown state is shown as the server spells it. */
export function StateBadge({ state }: { state: string }) {
  const icon = state === "succeeded" ? <PassIcon size={13} stroke={1.5} aria-hidden /> : state === "failed" ? <FailIcon size={13} stroke={1.5} aria-hidden /> : null;
  return (
    <Badge tone={tones[state] ?? "plain"} icon={icon}>
      {states[state] ?? state}
    </Badge>
  );
}

/** Shows the progress of a task until it ends, with a button that cancels it. */
export function TaskState({ id, onEnd }: { id: string; onEnd?: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["task", id],
    queryFn: ({ signal }) => readTask(id, signal),
    refetchInterval: ({ state }) => (state.data && !goesOn(state.data) ? false : 1000),
  });
  const told = useRef(false);
  useEffect(() => {
    if (data && !goesOn(data) && !told.current) {
      told.current = true;
      onEnd?.();
    }
  }, [data, onEnd]);
  if (error && !data) {
    return <Failure what="the task" error={error} onRetry={() => void refetch()} />;
  }
  return data ? <State task={data} /> : <Bones rows={2} what="the task" />;
}

function State({ task }: { task: Task }) {
  const share = shareOf(task);
  return (
    <div className={styles["task"]}>
      <div className="row wrap" role="status">
        <StateBadge state={task.state} />
        <span className="muted small num">{progressText(task)}</span>
        {goesOn(task) && (
          <span className="end">
            <CancelTask id={task.id} />
          </span>
        )}
      </div>
      {goesOn(task) && <Meter share={share ?? 0} tone="accent" />}
      {task.error && <p className="bad small break">{task.error}</p>}
      <p className="faint small break">
        Task <code>{task.id}</code>
      </p>
    </div>
  );
}

/** The progress of a task as text. */
export function progressText({ progress = {} }: Task): string {
  const { done = 0, total = 0, message = "" } = progress;
  const parts = [total > 0 ? `${numberText(done)} of ${numberText(total)}` : done > 0 ? numberText(done) : "", message];
  return parts.filter(Boolean).join(", ");
}

/** Cancels a task. Completed work is not undone. */
export function CancelTask({ id, name }: { id: string; name?: string }) {
  const queries = useQueryClient();
  return (
    <Button
      size="small"
      look="careful"
      {...(name ? { "aria-label": `Cancel ${name}` } : {})}
      onClick={() => {
        cancelTask(id).then(
          () => toast({ tone: "info", title: "The task ends soon", text: "What it has done stays done." }),
          (error: unknown) => toast({ tone: "bad", title: "The task goes on", text: problemOf(error).message }),
        ).finally(() => {
          void queries.invalidateQueries({ queryKey: ["task", id] });
          void queries.invalidateQueries({ queryKey: ["tasks"] });
        });
      }}
    >
      Cancel
    </Button>
  );
}
