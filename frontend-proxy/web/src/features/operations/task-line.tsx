import { Meter, Person, When } from "../../components/parts";
import { keyOf } from "../../lib/text";
import { durationText } from "../../lib/time";
import styles from "./operations.module.css";
import { goesOn, kindText, shareOf, type Task } from "./task";
import { CancelTask, StateBadge, progressText } from "./task-state";

/** The column titles of the task table. */
export const taskHead = ["Task", "State", "Progress", "Started by", "Began", "Took", "Actions"] as const;

/** The cells of a task in the table, with a description of its results if known. */
export function TaskLine({ task, told = "" }: { task: Task; told?: string }) {
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
        {told || progressText(task)}
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
