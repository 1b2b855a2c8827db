import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { between, betweenResets, collect, Refresher } from "./refresher";

const me = "urn:li:corpuser:me";
const other = "urn:li:corpuser:other";
const orders = "urn:li:dataset:orders";

let queries: QueryClient;
let editing: boolean;
let refresher: Refresher;
const observers: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  editing = false;
  refresher = new Refresher(queries, me, () => editing);
});
afterEach(() => {
  for (const stop of observers.splice(0)) {
    stop();
  }
  refresher.stop();
  queries.clear();
  vi.useRealTimers();
});

// An active query; read counts its fetches.
async function shown(queryKey: unknown[], data: unknown) {
  const read = vi.fn<() => Promise<unknown>>(() => Promise.resolve(data));
  const stop = new QueryObserver(queries, { queryKey, queryFn: read }).subscribe(() => undefined);
  observers.push(stop);
  await vi.advanceTimersByTimeAsync(1);
  return { read, stop };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const times = ({ read }: { read: { mock: { calls: unknown[] } } }) => read.mock.calls.length;

it("reads what holds the changed thing once for a burst, and nothing else", async () => {
  const inside = await shown(["list", 1], { rows: [{ owner: { urn: orders } }] });
  const byKey = await shown(["asset", orders], "text");
  const map = await shown(["map"], new Map([[orders, "orders"]]));
  const elsewhere = await shown(["asset", "urn:li:dataset:other"], { urn: "urn:li:dataset:other" });
  const frame = await shown(["frame"], { urn: orders });
  await pass(1);
  for (let n = 0; n < 1000; n++) {
    refresher.note({ urn: orders, actor: other });
  }
  await pass(collect - 1);
  expect([inside, byKey, map].map(times)).toEqual([1, 1, 1]);
  await pass(2);
  expect([inside, byKey, map, elsewhere, frame].map(times)).toEqual([2, 2, 2, 1, 1]);
});

it("reads at most once within two seconds while changes come all the time", async () => {
  const asset = await shown(["asset", orders], {});
  for (let ms = 0; ms < 10_000; ms += 100) {
    refresher.note({ urn: orders, actor: other });
    await pass(100);
  }
  expect(times(asset)).toBeGreaterThan(3);
  expect(times(asset)).toBeLessThanOrEqual(1 + 10_000 / between);
});

it("reads everything once in ten seconds while changes are left out", async () => {
  const [one, two] = [await shown(["a"], {}), await shown(["b"], {})];
  for (let ms = 0; ms < 30_000; ms += 250) {
    refresher.reset();
    refresher.note({ urn: orders, actor: other });
    await pass(250);
  }
  expect(times(one)).toBeGreaterThan(2);
  expect(times(one)).toBeLessThanOrEqual(2 + 30_000 / betweenResets);
  expect(times(two)).toBe(times(one));
});

it("marks what is not on the page as old, for when it is shown again", async () => {
  const asset = await shown(["asset", orders], {});
  asset.stop();
  await pass(1);
  refresher.note({ urn: orders, actor: other });
  await pass(collect + 1);
  expect(times(asset)).toBe(1);
  expect(queries.getQueryState(["asset", orders])?.isInvalidated).toBe(true);
});

it("waits while somebody writes on the page", async () => {
  const asset = await shown(["asset", orders], {});
  await pass(1);
  editing = true;
  refresher.note({ urn: orders, actor: other });
  await pass(30_000);
  expect(times(asset)).toBe(1);
  editing = false;
  await pass(1100);
  expect(times(asset)).toBe(2);
});

it("does not read again what was read since, but for what was under way when another changed it", async () => {
  const asset = await shown(["asset", orders], {});
  await pass(1);
  refresher.note({ urn: orders, actor: me });
  await pass(10);
  await queries.refetchQueries({ queryKey: ["asset", orders] });
  await pass(collect + 1);
  expect(times(asset)).toBe(2);

  let answer: (() => void) | undefined;
  asset.read.mockImplementationOnce(() => new Promise((done) => (answer = () => done({}))));
  void queries.refetchQueries({ queryKey: ["asset", orders] });
  await pass(between);
  refresher.note({ urn: orders, actor: other });
  await pass(1);
  answer?.();
  await pass(collect + 1);
  expect(times(asset)).toBe(4);
});
