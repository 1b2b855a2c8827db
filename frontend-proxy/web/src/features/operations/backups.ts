const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** A backup that was taken, or that failed. */
export interface Backup {
  started: number;
  ended: number;
  succeeded: boolean;
  /** Bytes of the file. */
  bytes: number;
  secrets: boolean;
  /** Where it was written; empty for one that went through a pipe. */
  path: string;
  error: string;
}

/** Reads the backups that the service knows of, the newest first. */
export function readBackups(reply: unknown): Backup[] {
  const value = isObject(reply) && isObject(reply["value"]) ? reply["value"] : {};
  const list = Array.isArray(value["backups"]) ? (value["backups"] as unknown[]).filter(isObject) : [];
  return list.map((one) => ({
    started: number(one["startedMillis"]),
    ended: number(one["endedMillis"]),
    succeeded: one["succeeded"] === true,
    bytes: number(one["sizeBytes"]),
    secrets: one["secrets"] === true,
    path: text(one["path"]),
    error: text(one["error"]),
  }));
}

// A day, and some hours for a timer that runs late.
const late = 30 * 3_600_000;

/** Whether the last backup that succeeded is as new as a daily one would be; null when there is none. */
export function isRecent(backups: readonly Backup[], now: number): boolean | null {
  const last = backups.find(({ succeeded }) => succeeded);
  return last ? now - last.ended < late : null;
}
