import { describe, expect, it } from "vitest";

import { executionOf, idleOf } from "./execution";
import type { AskedFragment } from "./ingestion.operations";
import { scheduleText } from "./schedule";

const asked = (result: unknown, type: unknown = "MANUAL_INGESTION_SOURCE") => executionOf({ urn: "urn:li:dataHubExecutionRequest:a", input: { requestedAt: 5000, executorId: null, source: { type } }, result } as AskedFragment);

describe("scheduleText", () => {
  it.each([
    ["* * * * *", "every minute"],
    ["0 * * * *", "every hour"],
    ["10 * * * *", "every hour, 10 min past"],
    ["*/15 * * * *", "every 15 minutes"],
    ["0 */6 * * *", "every 6 hours"],
    ["10 3 * * *", "daily, 03:10"],
    ["0 6 * * mon", "weekly, Monday 06:00"],
    ["0 6 * * 7", "weekly, Sunday 06:00"],
    ["0 5 * * mon-fri", "weekdays, 05:00"],
    ["0 5 * * 1-5", "weekdays, 05:00"],
    ["30 2 1 * *", "monthly, day 1, 02:30"],
  ])("says %s as %s", (cron, words) => expect(scheduleText(cron)).toBe(words));

  it.each(["*/7 * * * *", "0 */5 * * *", "0 3 1 1 *", "0 3 1 * 1", "0 3 * * 1-4", "99 3 * * *", "nonsense", ""])("leaves %j as it is", (cron) => expect(scheduleText(cron)).toBe(cron));
});

describe("executionOf", () => {
  it("tells what nobody took from what goes on and what is over", () => {
    expect(asked(null)).toMatchObject({ state: "Waiting", ended: false, by: "By hand", executor: "default", askedAt: 5000, took: undefined });
    expect(asked({ status: "RUNNING", startTimeMs: 6000 })).toMatchObject({ state: "Running", ended: false, startedAt: 6000 });
    expect(asked({ status: "FAILURE", durationMs: 9 }, "SCHEDULED_INGESTION_SOURCE")).toMatchObject({ state: "Failed", tone: "bad", ended: true, took: 9, by: "By schedule" });
  });

  it("bears states and members that no schema promises", () => {
    expect(asked({ status: "HALF_DONE", startTimeMs: "x" }, null)).toMatchObject({ state: "Half done", tone: "plain", ended: true, startedAt: undefined, by: "Not told" });
    expect(executionOf({ urn: "u", input: null, result: null } as unknown as AskedFragment)).toMatchObject({ state: "Waiting", askedAt: undefined });
  });
});

describe("what is said when nothing runs sources", () => {
  it("goes by who follows the catalog before runs of the past", () => {
    expect(idleOf(false, 12)?.title).toBe("No executor is there");
    expect(idleOf(undefined, 0)?.title).toBe("No executor has taken a run yet");
    expect(idleOf(true, 0)?.title).toBe("No executor has taken a run yet");
    expect(idleOf(true, 12)).toBeNull();
    expect(idleOf(undefined, 12)).toBeNull();
    expect(idleOf(undefined, undefined)).toBeNull();
  });
});
