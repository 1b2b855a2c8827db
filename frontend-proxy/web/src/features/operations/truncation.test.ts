import { expect, it } from "vitest";

import { dayOf, startOf } from "../../lib/day";
import { countsIn, dayProblem, taskIn } from "./truncation";

it("cuts where the chosen day begins here", () => {
  const at = startOf("2026-05-01");
  expect(at).toBe(new Date(2026, 4, 1).getTime());
  expect(dayOf(at ?? 0)).toBe("2026-05-01");
});

it("refuses what is no day, and days to come", () => {
  const now = new Date(2026, 4, 1, 12).getTime();
  expect(["", "2026-02-30", "1 May", "2026-05-02", "1969-05-01"].map((day) => dayProblem(day, now) === null)).toEqual([false, false, false, false, false]);
  expect(dayProblem("2026-05-01", now)).toBeNull();
});

it("finds in the text of a dry run how much would go", () => {
  expect(countsIn("Delete 0 out of 0 rows (0.00%). This was a dry run.")).toEqual({ gone: 0, all: 0 });
  expect(countsIn("Would delete 2,148,730 of 3,604,112 documents")).toEqual({ gone: 2_148_730, all: 3_604_112 });
  expect(countsIn("Nothing to do")).toBeNull();
});

it("tells the id of a task from a text for people", () => {
  expect(taskIn("ZKHEGLHNYABG3JKVTIWXHKWDCJ:12")).toBe("ZKHEGLHNYABG3JKVTIWXHKWDCJ:12");
  expect(taskIn("Both options are set: nothing was done")).toBeNull();
});
