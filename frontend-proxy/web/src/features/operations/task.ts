import { numberIn, textIn } from "../../lib/answer";
import { problemOf } from "../../lib/problem";
import { send } from "../../lib/request";

/** The result of a task, as far as pages show it: the numbers of a rebuild. */
export interface Result {
  Rows?: number | null;
  Completed?: number | null;
}

/** A task in a response. Members can be missing if the actor may read only the state. */
export interface Task {
  id: string;
  kind: string;
  state: string;
  actor?: string;
  progress?: { done?: number; total?: number; message?: string };
  result?: Result | null;
  error?: string;
  created?: number;
  started?: number;
  ended?: number;
}

const open = new Set(["queued", "running", ""]);

/** Reports whether a task is in progress. An unknown state counts as ended, so that the page does not poll forever. */
export const goesOn = ({ state, ended }: Pick<Task, "state" | "ended">) => !ended && open.has(state);

/** The states for filters, with labels. */
export const states: Record<string, string> = { queued: "waits", running: "runs", succeeded: "done", failed: "failed", cancelled: "cancelled" };

const kinds: Record<string, string> = {
  truncateTimeseriesAspect: "Truncate a time series",
  restoreIndices: "Rebuild search",
  computeFeatures: "Sum up use and size of datasets",
  "metadata-tests": "Run metadata tests",
};

/** The label of a task kind; an unknown kind is returned unchanged. */
export const kindText = (kind: string) => kinds[kind] ?? kind;

export interface TaskPage {
  total: number;
  tasks: Task[];
}

export const tasksPath = (state: string, start: number, count: number) =>
  `/openapi/operations/tasks?start=${start}&count=${count}${state ? `&state=${encodeURIComponent(state)}` : ""}`;

export const readTasks = (path: string, signal: AbortSignal) => send<TaskPage>(path, { signal });

const of = (id: string) => `/openapi/operations/tasks/${encodeURIComponent(id)}`;

/**
 * Reads a task. Actors without access to tasks of others use the older endpoint, which needs fewer privileges and
 * returns only the state.
 */
export async function readTask(id: string, signal: AbortSignal): Promise<Task> {
  try {
    return await send<Task>(of(id), { signal });
  } catch (error) {
    if (problemOf(error).reason !== "refused") {
      throw error;
    }
    return statusOf(id, await send<StatusReply | null>("/api/gms/operations?action=getEsTaskStatus", { method: "POST", body: { task: id }, signal }));
  }
}

interface StatusReply {
  value?: string | Status | null;
}

interface Status {
  completed?: boolean | null;
  error?: string | null;
  status?: { state?: string | null; kind?: string | null; done?: number | null; total?: number | null; error?: string | null; result?: Result | null } | null;
}

/** Reads the older format of a task state, which is a string with JSON. */
export function statusOf(id: string, reply: StatusReply | null): Task {
  const value = reply?.value ?? null;
  let parsed: Status | null;
  try {
    parsed = typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    parsed = { error: String(value) };
  }
  const { completed, status, error } = parsed ?? {};
  const failure = textIn(error) || textIn(status?.error);
  return {
    id,
    kind: textIn(status?.kind),
    state: textIn(status?.state) || (failure ? "failed" : completed === true ? "succeeded" : "running"),
    progress: { done: numberIn(status?.done) ?? 0, total: numberIn(status?.total) ?? 0 },
    result: status?.result ?? null,
    ...(failure ? { error: failure } : {}),
  };
}

export const cancelTask = (id: string) => send<Task>(`${of(id)}/cancel`, { method: "POST" });

/** The progress of a task from 0 to 1; null while unknown. */
export function shareOf({ progress }: Pick<Task, "progress">): number | null {
  const { done = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(1, done / total) : null;
}
