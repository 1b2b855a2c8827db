import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { isRecent, readBackups } from "./backups";

const good = { startedMillis: 1_000, endedMillis: 2_000, sizeBytes: 5, succeeded: true, secrets: true, path: "/b/x" };

it("reads backups, and no more than there is", () => {
  expect(readBackups(answered({ value: { backups: [good, { error: "no room" }, null, 7] } }))).toEqual([
    { started: 1_000, ended: 2_000, succeeded: true, bytes: 5, secrets: true, path: "/b/x", error: "" },
    { started: 0, ended: 0, succeeded: false, bytes: 0, secrets: false, path: "", error: "no room" },
  ]);
  expect([readBackups(null), readBackups(answered({ value: "x" })), readBackups(answered({ value: { backups: {} } }))]).toEqual([[], [], []]);
});

it("tells by the last one that succeeded whether backups are made daily", () => {
  const list = readBackups({ value: { backups: [{ endedMillis: 9_000, error: "no room" }, good] } });
  const hour = 3_600_000;
  expect([isRecent(list, 29 * hour), isRecent(list, 31 * hour), isRecent(list.slice(0, 1), hour)]).toEqual([true, false, null]);
});
