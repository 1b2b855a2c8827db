import { problemOf } from "../../lib/problem";
import { send } from "../../lib/request";

/** A task as the server tells of it. Members may be missing where somebody may ask for its state alone. */
export interface Task {
  id: string;
  kind: string;
  state: string;
  actor?: string;
  progress?: { done?: number; total?: number; message?: string };
  result?: unknown;
  error?: string;
  created?: number;
  started?: number;
  ended?: number;
}

const open = new Set(["queued", "running", ""]);

/** Tells whether a task goes on. One in a state that is not known here does not, so that nobody waits for ever. */
export const goesOn = ({ state, ended }: Pick<Task, "state" | "ended">) => !ended && open.has(state);

/** The states that people may filter by, with their words. */
export const states: Record<string, string> = { queued: "waits", running: "runs", succeeded: "done", failed: "failed", cancelled: "cancelled" };

const kinds: Record<string, string> = {
  truncateTimeseriesAspect: "Truncate a time series",
  restoreIndices: "Rebuild search",
  computeFeatures: "Sum up use and size of datasets",
  "metadata-tests": "Run metadata tests",
};

/** What a task does, in words; its kind as the server spells it where there are none. */
export const kindText = (kind: string) => kinds[kind] ?? kind;

export interface TaskPage {
  total: number;
  tasks: Task[];
}

export const tasksPath = (state: string, start: number, count: number) =>
  `/openapi/operations/tasks?start=${start}&count=${count}${state ? `&state=${encodeURIComponent(state)}` : ""}`;

export const readTasks = (path: string, signal: AbortSignal) => send<TaskPage>(path, { signal });

const of = (id: string) => `/openapi/operations/tasks/${encodeURIComponent(id)}`;

/** Reads a task. Who may not see the tasks of others asks in the form that needs less, which tells no more than how it is. */
export async function readTask(id: string, signal: AbortSignal): Promise<Task> {
  try {
    return await send<Task>(of(id), { signal });
  } catch (error) {
    if (problemOf(error).reason !== "refused") {
      throw error;
    }
    return statusOf(id, await send<unknown>("/api/gms/operations?action=getEsTaskStatus", { method: "POST", body: { task: id }, signal }));
  }
}

const text = (one: unknown) => (typeof one === "string" ? one : "");
const figure = (one: unknown) => (typeof one === "number" ? one : 0);

/** Reads the older form of the state of a task, which is a text that holds JSON. */
export function statusOf(id: string, reply: unknown): Task {
  const { value } = (reply ?? {}) as { value?: unknown };
  let parsed: { completed?: unknown; error?: unknown; status?: { state?: unknown; kind?: unknown; done?: unknown; total?: unknown; error?: unknown; result?: unknown } };
  try {
    parsed = (typeof value === "string" ? JSON.parse(value) : value) ?? {};
  } catch {
    parsed = { error: String(value) };
  }
  const { completed, status, error } = parsed;
  const failure = text(error) || text(status?.error);
  return {
    id,
    kind: text(status?.kind),
    state: text(status?.state) || (failure ? "failed" : completed === true ? "succeeded" : "running"),
    progress: { done: figure(status?.done), total: figure(status?.total) },
    result: status?.result,
    ...(failure ? { error: failure } : {}),
  };
}

export const cancelTask = (id: string) => send<Task>(`${of(id)}/cancel`, { method: "POST" });

/** How far a task is, from 0 to 1; null while that is not known. */
export function shareOf({ progress }: Pick<Task, "progress">): number | null {
  const { done = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(1, done / total) : null;
}
