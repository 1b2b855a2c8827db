import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { send } from "../lib/request";
import { Bones, Failure, Kept } from "./parts";

let asked: AbortSignal[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  asked = [];
  // The stubbed request never completes; it ends only when it is aborted.
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    asked.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Terms() {
  const { data, error, refetch } = useQuery({ queryKey: ["terms"], queryFn: ({ signal }) => send<{ count: number }>("/terms", { signal }) });
  return error ? <Failure what="the terms" error={error} onRetry={() => void refetch()} /> : data ? <p>{data.count} terms</p> : <Bones what="the terms" />;
}

function Names() {
  const { data, isFetching } = useQuery({ queryKey: ["names"], queryFn: ({ signal }) => send("/names", { signal }) });
  return (
    <p>
      {String(data)}, {isFetching ? "read anew" : "at rest"}
    </p>
  );
}

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

const show = (inside: React.ReactNode, queries = client()) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={queries}>{inside}</QueryClientProvider>
    </MantineProvider>,
  );

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("offers after ten seconds to cancel, which aborts the request, and to try again", async () => {
  show(<Terms />);
  await wait(9_999);
  expect(screen.queryByText(/Still loading/)).toBe(null);
  await wait(1);
  expect(screen.getByText("Still loading. Wait, or cancel.")).toBeTruthy();
  expect(asked.map(({ aborted }) => aborted)).toEqual([false]);

  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await wait(0);
  expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
  expect(screen.getByText("Loading the terms was cancelled")).toBeTruthy();
  const again = screen.getByRole("button", { name: "Try again" });
  expect(document.activeElement).toBe(again);

  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"count": 3}')));
  fireEvent.click(again);
  await wait(0);
  expect(screen.getByText("3 terms")).toBeTruthy();
});

it("cancels what the page waits for, and nothing that it has", async () => {
  const queries = client();
  queries.setQueryData(["names"], "Noor");
  show(
    <>
      <Names />
      <Terms />
    </>,
    queries,
  );
  await wait(10_000);
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await wait(0);
  expect(asked.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(screen.getByText("Noor, read anew")).toBeTruthy();
});

it("has nothing to cancel while the page itself is on its way", async () => {
  show(<Bones />);
  await wait(10_000);
  expect(screen.getByText("Still loading. The page itself has not come yet.")).toBeTruthy();
  expect(screen.queryByRole("button")).toBe(null);
});

it("offers the same above what is kept while the next comes", async () => {
  const queries = client();
  show(
    <Kept old>
      <p>Page 1</p>
    </Kept>,
    queries,
  );
  await wait(10_000);
  expect(screen.getByText("Page 1")).toBeTruthy();
  expect(screen.getByText(/Still loading/)).toBeTruthy();
});
