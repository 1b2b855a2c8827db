import { describe, expect, it } from "vitest";

import { assetOf, type Asset } from "./asset";
import { Columns } from "../../shared/lineage/columns";
import { grow, keyOf, type Graph, type Way } from "./graph";
import { groupsOf, membersShown } from "./group";
import { placesOf, type Task } from "./layout";
import { drawnOf, linesOf, nextFrom, size, spotsOf, taskOf } from "./picture";
import { joined, nothing } from "./read";

const none: ReadonlySet<string> = new Set();
const columns = new Columns([]);
const options = { columns, trace: null, lit: none, grouped: false, chosen: "", unfolded: new Map<string, number>() };

function task(count: number, edges: (at: number) => [number, number], by: Task["by"]): Task {
  return {
    boxes: Array.from({ length: count }, (_, at) => ({ id: `${at}`, width: 196, height: 52, step: at === 0 ? 0 : 1 + (at % 5) })),
    edges: Array.from({ length: count - 1 }, (_, at) => edges(at + 1)).map(([from, to]) => [`${from}`, `${to}`] as const),
    by,
  };
}

function overlapping({ boxes }: Task, places: ReturnType<typeof placesOf>): number {
  let found = 0;
  for (const [at, a] of boxes.entries()) {
    for (const b of boxes.slice(at + 1)) {
      const [p, q] = [places.get(a.id), places.get(b.id)];
      if (p && q && p.x < q.x + b.width && q.x < p.x + a.width && p.y < q.y + b.height && q.y < p.y + a.height) {
        found++;
      }
    }
  }
  return found;
}

describe("places", () => {
  it("lie left to right along the edges and never over each other", () => {
    for (const by of ["ranks", "steps"] as const) {
      const tree = task(120, (at) => [Math.floor((at - 1) / 3), at], by);
      const places = placesOf(tree);
      expect(places.size).toBe(120);
      expect(overlapping(tree, places)).toBe(0);
    }
    const chain = placesOf(task(5, (at) => [at - 1, at], "ranks"));
    expect([0, 1, 2, 3].every((at) => (chain.get(`${at}`)?.x ?? 0) < (chain.get(`${at + 1}`)?.x ?? 0))).toBe(true);
  });

  it("are found for 500 assets, for cycles and for edges from an asset to itself", () => {
    const large = task(500, (at) => [Math.floor((at - 1) / 4), at], "ranks");
    expect(overlapping(large, placesOf(large))).toBe(0);
    expect(placesOf(task(6, (at) => [at, at === 5 ? 0 : at + 1], "ranks")).size).toBe(6);
    expect(placesOf(task(3, (at) => [at, at], "ranks")).size).toBe(3);
    expect(placesOf({ boxes: [], edges: [], by: "ranks" }).size).toBe(0);
  });
});

const asset = (urn: string, holder: string): Asset => ({ ...assetOf({ urn }), name: urn, holder, path: [holder] });

function star(count: number): { graph: Graph; assets: Map<string, Asset> } {
  const urns = Array.from({ length: count }, (_, at) => `t${at}`);
  const assets = [asset("root", "home"), ...urns.map((urn, at) => asset(urn, `schema${at % 2}`))];
  const read = joined(nothing, { assets, neighbours: [[keyOf("root", "down"), { rows: urns.map((urn) => ({ urn, manual: false })), total: count }, 0]], peeks: [] });
  return { graph: grow("root", read, ["up", "down"] as Way[], () => 500), assets: new Map(read.assets) };
}

describe("groups", () => {
  const { graph, assets } = star(60);

  it("hold the assets of one step and container, the marked first", () => {
    const groups = groupsOf(graph, assets, (urn) => urn === "t9");
    expect(groups.map(({ name, urns }) => [name, urns.length])).toEqual([
      ["schema0", 30],
      ["schema1", 30],
    ]);
    expect(groups[1]?.urns[0]).toBe("t9");
  });

  it("show few members at first, and the chosen one always", () => {
    const [first] = groupsOf(graph, assets, () => false);
    expect(first && membersShown(first, 3, "")).toHaveLength(3);
    expect(first && membersShown(first, 3, "t58")).toContain("t58");
    expect(first && membersShown(first, 3, "t58")).toHaveLength(3);
    expect(first && membersShown(first, 3, "root")).not.toContain("root");
  });

  it("are drawn with one line for all the edges between two of them", () => {
    const drawn = drawnOf(graph, { ...options, assets, grouped: true });
    expect(drawn).toHaveLength(3);
    const places = placesOf(taskOf(graph, drawn, true));
    expect(linesOf(graph, drawn, places, null, none)).toHaveLength(2);
    expect(linesOf(graph, drawn, places, null, new Set(["root", "t0"])).filter(({ look }) => look === "hot")).toHaveLength(1);
  });
});

describe("what is drawn", () => {
  it("shows up to three columns of an asset, those of the trace first, and more on ask", () => {
    const { graph, assets } = star(1);
    const known = new Columns(["a", "b", "c", "d", "z"].map((path) => ({ from: { urn: "root", path }, to: { urn: "t0", path } })));
    const trace = known.trace({ urn: "root", path: "z" });
    const [root] = drawnOf(graph, { ...options, assets, columns: known, trace });
    expect(root).toMatchObject({ columns: ["z", "a", "b"], more: 2, height: size.head + 4 * size.row });
    const [all] = drawnOf(graph, { ...options, assets, columns: known, trace, unfolded: new Map([["root", 23]]) });
    expect(all).toMatchObject({ more: 0 });
    const drawn = drawnOf(graph, { ...options, assets, columns: known, trace });
    const lines = linesOf(graph, drawn, placesOf(taskOf(graph, drawn, false)), trace, none);
    expect(lines.map(({ look }) => look)).toEqual(["feeds", "hot"]);
  });

  it("is walked by arrow keys along edges and within a column", () => {
    const { graph, assets } = star(3);
    const drawn = drawnOf(graph, { ...options, assets });
    const spots = spotsOf(drawn, placesOf(taskOf(graph, drawn, false)));
    const middle = nextFrom(graph, spots, "root", "ArrowRight") ?? "";
    expect(middle).toMatch(/^t/u);
    expect(nextFrom(graph, spots, middle, "ArrowLeft")).toBe("root");
    expect(nextFrom(graph, spots, "root", "ArrowLeft")).toBeNull();
    const below = nextFrom(graph, spots, middle, "ArrowDown") ?? "";
    expect(nextFrom(graph, spots, below, "ArrowUp")).toBe(middle);
    expect(nextFrom(graph, spots, "root", "Home")).toBeNull();
  });

  it("draws an asset that feeds itself", () => {
    const read = joined(nothing, { assets: [asset("a", "x")], neighbours: [[keyOf("a", "down"), { rows: [{ urn: "a", manual: false }], total: 1 }, 0]], peeks: [] });
    const graph = grow("a", read, ["down"], () => 50);
    const drawn = drawnOf(graph, { ...options, assets: read.assets });
    expect(linesOf(graph, drawn, placesOf(taskOf(graph, drawn, false)), null, none)).toHaveLength(1);
  });
});
