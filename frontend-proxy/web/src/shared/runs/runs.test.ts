import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { runsIn } from "./runs";

const event = (status: unknown, timestampMillis: unknown, more = {}) => ({ status, timestampMillis, attempt: 1, ...more });
const read = (...runs: readonly unknown[]) => runsIn(answered({ total: 9, runs }));
const run = (state: readonly unknown[], more = {}) => ({ urn: "urn:li:dataProcessInstance:a", state, ...more });

it("tells how a run ended, when it began and how long it took", () => {
  const { runs, total } = read(
    run([event("COMPLETE", 5000, { durationMillis: 1500, result: { resultType: "SUCCESS" } }), event("STARTED", 3500)]),
    run([event("COMPLETE", 5000, { result: { resultType: "FAILURE" } }), event("STARTED", 2000)]),
    run([event("COMPLETE", 5000, { durationMillis: 1500, result: { resultType: "SKIPPED" } })]),
    run([event("STARTED", 4000)]),
  );
  expect(total).toBe(9);
  expect(runs.map(({ state, startedAt, took }) => [state.text, startedAt, took])).toEqual([
    ["Succeeded", 3500, 1500],
    ["Failed", 2000, 3000],
    ["Skipped", 3500, 1500],
    ["Running", 4000, undefined],
  ]);
});

it("tells the last try", () => {
  const { runs } = read(run([event("STARTED", 1000), event("COMPLETE", 2000, { result: { resultType: "UP_FOR_RETRY" } }), event("STARTED", 3000, { attempt: 2 })]));
  expect(runs[0]).toMatchObject({ state: { text: "Running" }, attempt: 2, startedAt: 3000, endedAt: undefined, took: undefined });
});

it("bears what no schema promises", () => {
  const { runs } = read(
    null,
    { urn: null },
    run([event("COMPLETE", null, { result: { resultType: "PAUSED_FOREVER" } })], { reads: { total: 40, relationships: [null, { entity: null }, { entity: { urn: "urn:li:dataset:(p,n,PROD)" } }] }, properties: { name: null, created: { time: 7 } } }),
    run([]),
    run([event(null, 3)], { parentTemplate: { urn: "urn:li:dataFlow:(a,b,c)", properties: { name: "Nightly" } } }),
  );
  expect(runs.map(({ state }) => state.text)).toEqual(["Paused forever", "Not known", "Not known"]);
  expect(runs[0]).toMatchObject({ name: "a", startedAt: 7, reads: { some: [{ name: "n" }], total: 40 } });
  expect(runs[2]?.of?.name).toBe("Nightly");
  expect(runsIn(null)).toEqual({ runs: [], total: 0 });
});
