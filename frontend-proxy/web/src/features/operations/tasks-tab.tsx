import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { ClockIcon, RefreshIcon } from "../../components/icons";
import { Bones, Empty, Failure, Segments, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { numberText } from "../../lib/text";
import type { TabProps } from "./sizes-tab";
import { goesOn, readTasks, states, tasksPath } from "./task";
import { taskHead, TaskLine } from "./task-line";
import styles from "./operations.module.css";

const count = 50;

/** The background tasks that are running or ended within the last 30 days. */
export function TasksTab({ head }: TabProps) {
  const [parameters, setParameters] = useSearchParams();
  const state = parameters.get("state") ?? "";
  const start = Math.max(0, Number.parseInt(parameters.get("start") ?? "0", 10) || 0);
  const path = tasksPath(Object.hasOwn(states, state) ? state : "", start, count);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["tasks", path],
    queryFn: ({ signal }) => readTasks(path, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: page } }) => (page?.tasks?.some(goesOn) ? 2000 : false),
  });
  const go = (changes: Record<string, string>) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      for (const [key, value] of Object.entries(changes)) {
        if (value === "" || value === "0") {
          after.delete(key);
        } else {
          after.set(key, value);
        }
      }
      return after;
    });
  const tasks = data?.tasks ?? [];
  return (
    <>
      {head(
        <>
          <CopyAs call={{ path, method: "GET" }} />
          <Button icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} busy={isFetching && data !== undefined} onClick={() => void refetch()}>
            Refresh
          </Button>
        </>,
      )}
      {error && !data ? (
        <Failure what="the tasks" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the tasks" />
      ) : (
        <>
          <Tools>
            <Segments
              label="State"
              value={state}
              options={[{ value: "", label: "All" }, ...Object.entries(states).map(([value, word]) => ({ value, label: word.charAt(0).toUpperCase() + word.slice(1) }))]}
              onChange={(value) => go({ state: value, start: "0" })}
            />
            <span className="muted small num end" role="status">
              {data.total === 1 ? "1 task" : `${numberText(data.total ?? 0)} tasks`}
            </span>
          </Tools>
          {tasks.length === 0 ? (
            <Empty icon={<ClockIcon size={20} stroke={1.5} aria-hidden />} title={state ? "No task is in this state" : "No task in the last 30 days"}>
              Truncations, runs of metadata tests and rebuilding of search stand here, as long as they go on and for 30 days after.
            </Empty>
          ) : (
            <Rows label="Tasks" head={taskHead} items={tasks} keyOf={({ id }) => id} row={(task) => <TaskLine task={task} />} />
          )}
          {data.total > count && (
            <div className={`row ${styles["pages"]}`}>
              <Button size="small" reason={start === 0 ? "These are the newest." : null} onClick={() => go({ start: String(Math.max(0, start - count)) })}>
                Newer
              </Button>
              <Button size="small" reason={start + count >= data.total ? "These are the oldest." : null} onClick={() => go({ start: String(start + count) })}>
                Older
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}
