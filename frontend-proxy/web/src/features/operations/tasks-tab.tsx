import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { ClockIcon, RefreshIcon } from "../../components/icons";
import { Bones, Empty, Failure, Meter, Person, Segments, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { keyOf, numberText } from "../../lib/text";
import { durationText } from "../../lib/time";
import type { TabProps } from "./sizes-tab";
import { goesOn, kindText, readTasks, shareOf, states, tasksPath, type Task } from "./task";
import { CancelTask, StateBadge, progressText } from "./task-state";
import styles from "./operations.module.css";

const count = 50;

/** What takes long: what goes on, and what has ended in the last 30 days. */
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
            <Rows label="Tasks" head={["Task", "State", "Progress", "Started by", "Began", "Took", "Actions"]} items={tasks} keyOf={({ id }) => id} row={(task) => <Line task={task} />} />
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

function Line({ task }: { task: Task }) {
  const share = shareOf(task);
  const began = task.started ?? task.created;
  return (
    <>
      <td>
        <span className="name break">{kindText(task.kind)}</span>
        <span className={`${styles["id"]} faint small break`}>{task.id}</span>
      </td>
      <td data-label="State">
        <StateBadge state={task.state} />
        {task.error && <span className={`${styles["id"]} bad small break`}>{task.error}</span>}
      </td>
      <td className="num muted" data-label="Progress">
        {progressText(task)}
        {goesOn(task) && <Meter share={share ?? 0} tone="accent" />}
      </td>
      <td data-label="Started by">
        <Person name={keyOf(task.actor ?? "") === "__datahub_system" ? "the catalog" : keyOf(task.actor ?? "")} />
      </td>
      <td className="muted" data-label="Began">
        {began ? <When at={began} /> : ""}
      </td>
      <td className="muted num" data-label="Took">
        {task.started && task.ended ? durationText(task.ended - task.started) : ""}
      </td>
      <td className="right">{goesOn(task) && <CancelTask id={task.id} name={kindText(task.kind)} />}</td>
    </>
  );
}
