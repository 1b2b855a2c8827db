import { listIn, numberIn, textIn } from "../../lib/answer";

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

/** The response with the known backups. */
export interface Reply {
  value?: { backups?: readonly (Written | null)[] | null } | null;
}

interface Written {
  startedMillis?: number | null;
  endedMillis?: number | null;
  succeeded?: boolean | null;
  sizeBytes?: number | null;
  secrets?: boolean | null;
  path?: string | null;
  error?: string | null;
}

/** Reads the known backups, newest first. */
export const readBackups = (reply: Reply | null): Backup[] =>
  listIn(reply?.value?.backups)
    .filter((one) => typeof one === "object")
    .map((one) => ({
      started: numberIn(one.startedMillis) ?? 0,
      ended: numberIn(one.endedMillis) ?? 0,
      succeeded: one.succeeded === true,
      bytes: numberIn(one.sizeBytes) ?? 0,
      secrets: one.secrets === true,
      path: textIn(one.path),
      error: textIn(one.error),
    }));

// A day, plus some hours for a delayed timer.
const late = 30 * 3_600_000;

/** Reports whether the latest successful backup is recent enough for a daily schedule; null without one. */
export function isRecent(backups: readonly Backup[], now: number): boolean | null {
  const last = backups.find(({ succeeded }) => succeeded);
  return last ? now - last.ended < late : null;
}
