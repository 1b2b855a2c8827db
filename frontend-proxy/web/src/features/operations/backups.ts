const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** A successful or failed backup. */
export interface Backup {
  started: number;
  ended: number;
  succeeded: boolean;
  /** The file size in bytes. */
  bytes: number;
  secrets: boolean;
  /** The path of the file; empty for a backup that was streamed through a pipe. */
  path: string;
  error: string;
}

/** Reads the known backups, newest first. */
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

// A day, plus some hours for a delayed timer.
const late = 30 * 3_600_000;

/** Reports whether the latest successful backup is recent enough for a daily schedule; null without one. */
export function isRecent(backups: readonly Backup[], now: number): boolean | null {
  const last = backups.find(({ succeeded }) => succeeded);
  return last ? now - last.ended < late : null;
}
