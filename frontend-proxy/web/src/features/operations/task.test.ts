import { expect, it } from "vitest";

import { goesOn, kindText, shareOf, statusOf } from "./task";

it("reads the state of a task from a text that holds JSON", () => {
  const value = JSON.stringify({ completed: false, taskId: "n:1", status: { state: "running", kind: "truncateTimeseriesAspect", done: 5, total: 20 } });
  const task = statusOf("n:1", { value });
  expect(task).toMatchObject({ id: "n:1", state: "running", progress: { done: 5, total: 20 } });
  expect([goesOn(task), shareOf(task)]).toEqual([true, 0.25]);
});

it("takes what cannot be read of a task for its failure, with the text", () => {
  expect(statusOf("n:1", { value: "<html>" })).toMatchObject({ state: "failed", error: "<html>" });
  expect(statusOf("n:1", { value: '{"error":"Could not get task status for n:1"}' })).toMatchObject({ state: "failed", error: "Could not get task status for n:1" });
  expect(statusOf("n:1", { value: '{"completed":true}' })).toMatchObject({ state: "succeeded" });
  expect(goesOn(statusOf("n:1", null))).toBe(true);
});

it("does not wait for a task in a state that is not known, and shows a kind as it is spelled", () => {
  expect(goesOn({ state: "paused" })).toBe(false);
  expect(goesOn({ state: "running", ended: 5 })).toBe(false);
  expect(kindText("sortSocks")).toBe("sortSocks");
  expect(shareOf({})).toBeNull();
});
