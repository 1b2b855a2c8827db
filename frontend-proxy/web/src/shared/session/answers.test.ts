import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { connection } from "../../lib/connection";
import { send } from "../../lib/request";
import { answers } from "./answers";

afterEach(() => {
  answers.clear();
  vi.unstubAllGlobals();
});

const replies = (status: number, body: unknown) => vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status })));

async function readTwice(then: () => void) {
  replies(200, { name: "Noor" });
  const observer = new QueryObserver<{ name: string }>(answers, { queryKey: ["me"], queryFn: ({ signal }) => send("/me", { signal }), retry: false });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ name: "Noor" }));
  then();
  await observer.refetch();
  stop();
  return observer.getCurrentResult();
}

it("keeps what was read while the catalog is away", async () => {
  const { data, error } = await readTwice(() => replies(502, { message: "The catalog is not there." }));
  expect(connection().state).toBe("away");
  expect([data, error]).toEqual([{ name: "Noor" }, null]);
});

it("tells of a failure when the catalog is there", async () => {
  const { data, error } = await readTwice(() => replies(500, { message: "Broken." }));
  expect(connection().state).toBe("up");
  expect([data, error?.message]).toEqual([{ name: "Noor" }, "Broken."]);
});

it("tells that nothing was read", async () => {
  replies(502, { message: "The catalog is not there." });
  await expect(answers.fetchQuery({ queryKey: ["nothing"], queryFn: () => send("/me"), retry: false })).rejects.toThrow("The catalog is not there.");
  expect(answers.getQueryState(["nothing"])?.status).toBe("error");
});
