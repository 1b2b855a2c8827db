import { describe, expect, it } from "vitest";

import type { Place } from "./layout";
import type { AssetBox } from "./picture";
import { wholeOf, withSpot } from "./sight";

const box = (id: string): AssetBox => ({ kind: "asset", id, width: 196, height: 52, step: 0, columns: [], more: 0 });
const window = { width: 1232, height: 700 };
const row = (count: number) => {
  const drawn = Array.from({ length: count }, (_, at) => box(`t${at}`));
  return { drawn, places: new Map<string, Place>(drawn.map(({ id }, at) => [id, { x: at * 252, y: 0 }])) };
};
const sightOf = (count: number, current: string) => {
  const { drawn, places } = row(count);
  const sight = wholeOf(current, "t0", drawn, places, window);
  const edges = drawn.map(({ id }) => [(places.get(id)?.x ?? 0) * sight.zoom + sight.x, ((places.get(id)?.x ?? 0) + 196) * sight.zoom + sight.x] as const);
  return { ...sight, edges };
};

describe("the sight of a graph", () => {
  it("is all of it where that can be read", () => {
    const { zoom, edges } = sightOf(5, "t0");
    expect(zoom).toBeGreaterThan(0.925);
    expect(edges.every(([left, right]) => left >= 56 && right <= 1232 - 56)).toBe(true);
  });

  it("is the part around an asset of one that is too long", () => {
    const { zoom, edges } = sightOf(20, "t10");
    expect(zoom).toBe(0.925);
    const [left = 0, right = 0] = edges[10] ?? [];
    expect((left + right) / 2).toBeCloseTo(1232 / 2);
  });

  it("leaves no side empty while there is more on the other", () => {
    expect(sightOf(20, "t0").edges[0]?.[0]).toBeCloseTo(56);
    expect(sightOf(20, "t19").edges[19]?.[1]).toBeCloseTo(1232 - 56);
  });

  it("moves to an asset that a panel would cover, and no further", () => {
    const sight = { x: 0, y: 0, zoom: 1 };
    expect(withSpot(sight, { x: 1000, y: 100 }, { ...window, width: 928 }).x).toBe(928 - 196 - 56 - 1000);
    expect(withSpot(sight, { x: 400, y: 100 }, { ...window, width: 928 })).toEqual(sight);
    expect(withSpot(sight, undefined, window)).toBe(sight);
  });
});
