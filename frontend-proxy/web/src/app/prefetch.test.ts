import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { assetOf, delay, most, Prefetcher } from "./prefetch";

const link = (href: string) => Object.assign(document.createElement("a"), { href });

describe("Prefetcher", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("reads what the pointer rests on, and nothing that it passes over", () => {
    const read = vi.fn<(urn: string) => Promise<void>>(() => Promise.resolve());
    const prefetcher = new Prefetcher(read);
    prefetcher.at(link("/a"), "urn:li:tag:a");
    vi.advanceTimersByTime(delay - 1);
    const b = link("/b");
    prefetcher.at(b, "urn:li:tag:b");
    vi.advanceTimersByTime(delay - 1);
    prefetcher.at(b, "urn:li:tag:b"); // another element of the same link
    vi.advanceTimersByTime(1);
    expect(read.mock.calls).toEqual([["urn:li:tag:b"]]);
    prefetcher.at(link("/c"), "urn:li:tag:c");
    prefetcher.at(null, "");
    vi.advanceTimersByTime(delay);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("reads few at once, each once, and goes on when one has come or failed", async () => {
    const ends: (() => void)[] = [];
    const read = vi.fn<(urn: string) => Promise<void>>(() => new Promise<void>((_, fail) => ends.push(() => fail(new Error("away")))));
    const prefetcher = new Prefetcher(read);
    const rest = (urn: string) => {
      prefetcher.at(link("/"), urn);
      vi.advanceTimersByTime(delay);
    };
    rest("urn:li:tag:0");
    rest("urn:li:tag:0");
    expect(read).toHaveBeenCalledTimes(1);
    for (let i = 1; i < most + 2; i++) {
      rest(`urn:li:tag:${i}`);
    }
    expect(read).toHaveBeenCalledTimes(most);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    rest("urn:li:tag:last");
    expect(read).toHaveBeenLastCalledWith("urn:li:tag:last");
  });
});

describe("assetOf", () => {
  it("names the asset of a link within the pages", () => {
    expect(assetOf(link("/dataset/urn%3Ali%3Adataset%3Aa/Lineage"))).toBe("urn:li:dataset:a");
    expect(assetOf(link("/search?query=a"))).toBe("");
    expect(assetOf(link("https://elsewhere.example/dataset/urn%3Ali%3Adataset%3Aa"))).toBe("");
    expect(assetOf(null)).toBe("");
  });

  it("leaves out the asset that is shown", () => {
    history.replaceState(null, "", "/tag/urn%3Ali%3Atag%3Aa");
    expect(assetOf(link("/tag/urn%3Ali%3Atag%3Aa/History"))).toBe("");
    history.replaceState(null, "", "/");
  });
});
