import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it } from "vitest";

import { readSettled, updateOptimistically } from "./optimistic";

const queryKey = ["asset", "orders"];

let client: QueryClient;
let stored: string[];
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  stored = ["sold"];
});

// A promise that the test settles.
function deferred<Value>() {
  let settle: { resolve: (value: Value) => void; reject: (error: Error) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value: Value) => settle?.resolve(value), reject: (error: Error) => settle?.reject(error) };
}

const shown = () => client.getQueryData<string[]>(queryKey);
const inTime = () => new Promise((passed) => setTimeout(passed));
const read = (from: () => Promise<string[]> = () => Promise.resolve(stored)) => client.fetchQuery({ queryKey, staleTime: 0, queryFn: readSettled(from) });

// An optimistic update that adds a tag; the test completes the request.
function add(tag: string) {
  const { promise, resolve, reject } = deferred<undefined>();
  let sent = false;
  const done = updateOptimistically<string[]>(client, {
    queryKey,
    expected: (before) => [...before, tag],
    act: async () => {
      sent = true;
      await promise;
      stored = [...stored, tag];
    },
  });
  return { done, isSent: () => sent, accept: () => resolve(undefined), refuse: () => reject(new Error("refused")) };
}

it("shows what is expected at once, and reads it again afterwards", async () => {
  await read();
  const gold = add("gold");
  expect(shown()).toEqual(["sold", "gold"]);
  gold.accept();
  await gold.done;
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

it("takes back what was refused, and nothing else", async () => {
  await read();
  const gold = add("gold");
  const old = add("old");
  expect(shown()).toEqual(["sold", "gold", "old"]);
  gold.refuse();
  await expect(gold.done).rejects.toThrow("refused");
  expect(shown()).toEqual(["sold", "old"]);
  old.accept();
  await old.done;
  expect(shown()).toEqual(["sold", "old"]);
  expect(stored).toEqual(["sold", "old"]);
});

it("sends changes of one answer one after another", async () => {
  await read();
  const gold = add("gold");
  const old = add("old");
  await inTime();
  expect([gold.isSent(), old.isSent()]).toEqual([true, false]);
  gold.accept();
  await gold.done;
  await inTime();
  expect(old.isSent()).toBe(true);
  old.accept();
  await old.done;
});

it("reads after the changes under way", async () => {
  await read();
  const gold = add("gold");
  const reading = read();
  await inTime();
  expect(shown()).toEqual(["sold", "gold"]);
  gold.accept();
  expect(await reading).toEqual(["sold", "gold"]);
});

it("reads anew what was being read when a change began", async () => {
  await read();
  const answers = [deferred<string[]>(), deferred<string[]>()];
  let asked = 0;
  const reading = read(() => answers[asked++]?.promise ?? Promise.reject(new Error("asked too often")));
  await inTime();
  const gold = add("gold");
  answers[0]?.resolve(["sold"]);
  await inTime();
  expect(shown()).toEqual(["sold", "gold"]);
  gold.accept();
  await gold.done;
  answers[1]?.resolve(["sold", "gold"]);
  expect(await reading).toEqual(["sold", "gold"]);
  expect(asked).toBe(2);
});
