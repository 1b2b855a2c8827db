import { describe, expect, it } from "vitest";

import { assetOf } from "./asset";
import { between, furtherOf, grow, keyOf, markOf, openKey, readOpen, shortest, without, writeOpen, type Read, type Way } from "./graph";
import { joined, nothing } from "./read";
import { batches, wantedOf } from "./use-lineage";

// Builds a fully read lineage from the downstream assets of each asset.
function read(feeds: Readonly<Record<string, readonly string[]>>): Read {
  const urns = new Set([...Object.keys(feeds), ...Object.values(feeds).flat()]);
  const rows = (urn: string, way: Way) => (way === "down" ? (feeds[urn] ?? []) : [...urns].filter((each) => feeds[each]?.includes(urn)));
  return joined(nothing, {
    assets: [...urns].map((urn) => assetOf({ urn })),
    neighbours: [...urns].flatMap((urn) => (["up", "down"] as const).map((way) => [keyOf(urn, way), { rows: rows(urn, way).map((each) => ({ urn: each, manual: false })), total: rows(urn, way).length }, 0] as const)),
    peeks: [],
  });
}

const all = () => 50;
const near = (_urn: string, _way: Way, distance: number) => (distance < 1 ? 50 : 0);
const both: readonly Way[] = ["up", "down"];

describe("a graph", () => {
  it("begins with one step each way", () => {
    const graph = grow("b", read({ a: ["b"], b: ["c"], c: ["d"] }), both, near);
    expect(graph.urns.toSorted()).toEqual(["a", "b", "c"]);
    expect(Object.fromEntries(graph.steps)).toEqual({ a: -1, b: 0, c: 1 });
  });

  it("grows by what somebody wants to see of one asset", () => {
    const graph = grow("b", read({ a: ["b"], b: ["c"], c: ["d"] }), both, (urn, way, distance) => (urn === "c" && way === "down" ? 50 : near(urn, way, distance)));
    expect(graph.urns.toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(graph.steps.get("d")).toBe(2);
  });

  it("ends with cycles and with assets that feed themselves", () => {
    const graph = grow("a", read({ a: ["a", "b"], b: ["c"], c: ["a"] }), both, all);
    expect(graph.urns.toSorted()).toEqual(["a", "b", "c"]);
    expect(graph.edges).toContainEqual({ from: "a", to: "a", manual: false });
    expect(graph.steps.get("c")).toBe(-1);
  });

  it("shows one way alone", () => {
    expect(grow("b", read({ a: ["b"], b: ["c"] }), ["up"], all).urns.toSorted()).toEqual(["a", "b"]);
  });

  it("draws edges between what is shown and known by name alone", () => {
    const known = read({ b: ["c", "d"] });
    const graph = grow("b", { ...known, peeks: new Map([[keyOf("c", "down"), { urns: ["d", "e"], total: 9 }]]) }, ["down"], near);
    expect(graph.edges).toContainEqual({ from: "c", to: "d", manual: false });
    expect(graph.urns).not.toContain("e");
    expect(furtherOf({ ...known, peeks: new Map([[keyOf("c", "down"), { urns: ["d", "e"], total: 9 }]]) }, new Set(graph.urns), "c", "down", 0)).toBe(8);
  });

  it("leads through what a filter leaves out, and keeps the root", () => {
    const graph = without(grow("a", read({ a: ["b"], b: ["c", "b2"], b2: ["c"], c: ["d"] }), both, all), (urn) => urn.startsWith("b") || urn === "a");
    expect(graph.urns).toEqual(["a", "c", "d"]);
    expect(graph.edges).toContainEqual({ from: "a", to: "c", manual: false, through: true });
    expect(graph.edges).toContainEqual({ from: "c", to: "d", manual: false });
    expect(graph.edges).toHaveLength(2);
  });

  it("goes on from a path that leads far away", () => {
    const known = read({ a: ["b"], x: ["y"], y: ["z"] });
    const extra = [
      { from: "a", to: "x", manual: false },
      { from: "x", to: "y", manual: false },
    ];
    const graph = grow("a", known, both, (urn, _way, distance) => (distance < 1 || urn === "y" ? 50 : 0), extra);
    expect(graph.urns.toSorted()).toEqual(["a", "b", "x", "y", "z"]);
    expect(graph.steps.get("z")).toBe(3);
  });
});

describe("paths", () => {
  const { edges } = grow("a", read({ a: ["b", "c"], b: ["d"], c: ["e"], e: ["d"], d: ["f"] }), both, all);

  it("are what lies between two assets, whichever is upstream", () => {
    expect([...between(edges, "a", "d")].toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect([...between(edges, "d", "a")].toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect([...between(edges, "b", "c")]).toEqual([]);
  });

  it("are shortest by the number of steps", () => {
    expect(shortest(edges, "a", "d", "down")).toEqual(["a", "b", "d"]);
    expect(shortest(edges, "d", "a", "up")).toEqual(["d", "b", "a"]);
    expect(shortest(edges, "d", "a", "down")).toEqual([]);
  });
});

const peek = (total: number) => ({ urns: [], total });

describe("what is wanted", () => {
  it("is read in pages and put together", () => {
    const known = read({ a: ["b", "c"] });
    const bare: Read = { ...known, neighbours: new Map([...known.neighbours].filter(([key]) => key.endsWith(" a"))), peeks: new Map([[keyOf("b", "down"), peek(3)], [keyOf("c", "down"), peek(2)]]) };
    const graph = grow("a", bare, both, all);
    const { now, held } = wantedOf(graph, bare, all, both, 100);
    expect(held).toEqual([]);
    expect(now).toEqual([
      { urn: "b", way: "down", start: 0, count: 50 },
      { urn: "c", way: "down", start: 0, count: 50 },
    ]);
    expect(batches(now)).toHaveLength(1);
    expect(batches(Array.from({ length: 45 }, (_, at) => ({ urn: `${at}`, way: "up" as const, start: 0, count: 50 }))).map((batch) => batch.length)).toEqual([20, 20, 5]);
  });

  it("is held back where the graph would become too large", () => {
    const known = read({ a: ["b", "c"] });
    const bare: Read = { ...known, neighbours: new Map([...known.neighbours].filter(([key]) => key.endsWith(" a"))), peeks: new Map([[keyOf("b", "down"), peek(46)], [keyOf("c", "down"), peek(2)]]) };
    const { now, held } = wantedOf(grow("a", bare, both, all), bare, all, both, 40);
    expect(now.map(({ urn }) => urn)).toEqual(["c"]);
    expect(held).toEqual([{ urn: "b", way: "down", start: 0, count: 46 }]);
  });

  it("never includes what may not be viewed", () => {
    const known = read({ a: ["urn:li:restricted:x"] });
    const bare: Read = { ...known, neighbours: new Map([...known.neighbours].filter(([key]) => key.endsWith(" a"))), assets: new Map([["urn:li:restricted:x", assetOf({ urn: "urn:li:restricted:x", type: "RESTRICTED" } as { urn: string })]]) };
    expect(wantedOf(grow("a", bare, both, all), bare, all, both, 100).now).toEqual([]);
  });
});

describe("addresses", () => {
  it("hold what is open by marks of assets", () => {
    const open = new Map([
      [openKey("urn:li:dataset:a", "up"), 50],
      [openKey("urn:li:dataset:b", "down"), 150],
    ]);
    expect(readOpen(writeOpen(open))).toEqual(open);
    expect(writeOpen(open)).toMatch(/^[0-9a-z]+\.u50-[0-9a-z]+\.d150$/u);
  });

  it("are read without what they cannot mean", () => {
    expect(readOpen("x.u0-<b>.d1-a.q1-zz.d99999-")).toEqual(new Map());
    expect(markOf("urn:li:dataset:a")).not.toBe(markOf("urn:li:dataset:b"));
  });
});
