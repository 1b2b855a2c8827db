import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ChangeStream, noticeIn, type Message, type Source } from "./stream";

class FakeSource implements Source {
  readyState = 0;
  #listeners = new Map<string, (event: MessageEvent) => void>();
  addEventListener(kind: string, listener: unknown) {
    this.#listeners.set(kind, listener as (event: MessageEvent) => void);
  }
  close() {
    this.readyState = 2;
  }
  happen(kind: string, data = "") {
    this.#listeners.get(kind)?.({ data } as MessageEvent);
  }
}

let sources: FakeSource[];
let told: Message[];
let stream: ChangeStream;

const open = () => {
  const source = new FakeSource();
  sources.push(source);
  return source;
};

beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  told = [];
  stream = new ChangeStream("/x", (message) => told.push(message), { open });
});
afterEach(() => {
  stream.stop();
  vi.useRealTimers();
});

const kinds = () => told.map((message) => (message.kind === "state" ? (message.up ? "up" : "down") : message.kind));

it("tells changes, and leaves out what is none", () => {
  sources[0]?.happen("open");
  sources[0]?.happen("change", '{"entityUrn":"urn:li:tag:a","category":"TAG","actor":"urn:li:corpuser:b","time":5,"owned":true}');
  sources[0]?.happen("change", '{"entityUrn":7}');
  sources[0]?.happen("change", "not JSON");
  sources[0]?.happen("reset");
  expect(kinds()).toEqual(["up", "notice", "reset"]);
  expect(told[1]).toEqual({ kind: "notice", notice: { urn: "urn:li:tag:a", category: "TAG", actor: "urn:li:corpuser:b", at: 5, owned: true } });
  expect(noticeIn('{"entityUrn":"urn:li:tag:a"}')).toMatchObject({ owned: false, at: 0 });
});

it("lets the browser connect anew after a cut, which tells the server where it was", () => {
  const [source] = sources;
  source?.happen("open");
  source?.happen("error");
  vi.advanceTimersByTime(120_000);
  expect(sources).toHaveLength(1);
  source?.happen("open");
  expect(kinds()).toEqual(["up", "down", "up"]);
});

it("comes back after a refusal, later each time, and has everything read again", () => {
  sources[0]?.happen("open");
  for (const wait of [3000, 6000]) {
    const source = sources.at(-1);
    if (source) {
      source.readyState = 2;
      source.happen("error");
    }
    const before = sources.length;
    vi.advanceTimersByTime(wait - 1);
    expect(sources).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(sources).toHaveLength(before + 1);
  }
  sources.at(-1)?.happen("open");
  expect(kinds()).toEqual(["up", "down", "reset", "up"]);
});

it("has everything read again where it takes the place of another", () => {
  const next = new ChangeStream("/x", (message) => told.push(message), { open, behind: true });
  sources[1]?.happen("open");
  expect(kinds()).toEqual(["reset", "up"]);
  next.stop();
});

it("does not come back once it was stopped", () => {
  const [source] = sources;
  if (source) {
    source.readyState = 2;
    source.happen("error");
  }
  stream.stop();
  vi.advanceTimersByTime(120_000);
  expect(sources).toHaveLength(1);
});
