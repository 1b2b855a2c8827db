import type { Asset } from "./asset";

/** The direction: upstream or downstream. */
export type Way = "up" | "down";
export const ways: readonly Way[] = ["up", "down"];

/** The loaded neighbours of an asset in one direction, in server order. */
export interface Neighbours {
  rows: readonly { urn: string; manual: boolean }[];
  total: number;
}

/** All loaded lineage data. */
export interface Read {
  assets: ReadonlyMap<string, Asset>;
  /** Neighbours by the key from keyOf. */
  neighbours: ReadonlyMap<string, Neighbours>;
  /** The URNs of the first neighbours, without further data, and the total number, by the key from keyOf. */
  peeks: ReadonlyMap<string, { urns: readonly string[]; total: number }>;
}

export interface Edge {
  from: string;
  to: string;
  /** A user added the edge manually. */
  manual: boolean;
  /** The edge represents a path through hidden assets. */
  through?: boolean;
}

export interface Graph {
  root: string;
  /** The visible assets, in order of discovery. */
  urns: readonly string[];
  edges: readonly Edge[];
  /** The signed distance of each asset; negative is upstream. */
  steps: ReadonlyMap<string, number>;
}

export const keyOf = (urn: string, way: Way) => `${way} ${urn}`;

const edgeKey = (from: string, to: string) => `${from}\n${to}`;

/**
 * Builds the graph of the assets that are reachable from a root. wanted returns the number of neighbours to show for
 * an asset at a distance; extra edges are always included.
 */
export function grow(root: string, read: Read, shown: readonly Way[], wanted: (urn: string, way: Way, distance: number) => number, extra: readonly Edge[] = []): Graph {
  const edges = new Map<string, Edge>();
  const found = new Set([root]);
  for (const way of shown) {
    reach(root, read, way, wanted, adjacency(extra, way), found, edges);
  }
  for (const edge of extra) {
    found.add(edge.from).add(edge.to);
    edges.set(edgeKey(edge.from, edge.to), edges.get(edgeKey(edge.from, edge.to)) ?? edge);
  }
  for (const [key, { urns }] of read.peeks) {
    const [way, urn] = split(key);
    for (const other of found.has(urn) ? urns : []) {
      const [from, to] = way === "up" ? [other, urn] : [urn, other];
      if (found.has(other) && !edges.has(edgeKey(from, to))) {
        edges.set(edgeKey(from, to), { from, to, manual: false });
      }
    }
  }
  const list = [...edges.values()];
  return { root, urns: [...found], edges: list, steps: stepsOf(root, list, found) };
}

const split = (key: string): [Way, string] => {
  const at = key.indexOf(" ");
  return [key.slice(0, at) as Way, key.slice(at + 1)];
};

// The search is breadth-first, so distances are minimal. Visited assets are skipped, so cycles end.
function reach(
  root: string,
  read: Read,
  way: Way,
  wanted: (urn: string, way: Way, distance: number) => number,
  extra: ReadonlyMap<string, readonly string[]>,
  found: Set<string>,
  edges: Map<string, Edge>,
) {
  let ring = [root];
  const seen = new Set(ring);
  for (let distance = 0; ring.length > 0; distance++) {
    const next: string[] = [];
    for (const urn of ring) {
      const rows = read.neighbours.get(keyOf(urn, way))?.rows.slice(0, wanted(urn, way, distance)) ?? [];
      for (const { urn: other, manual } of [...rows, ...(extra.get(urn) ?? []).map((each) => ({ urn: each, manual: false }))]) {
        const [from, to] = way === "up" ? [other, urn] : [urn, other];
        edges.set(edgeKey(from, to), { from, to, manual: manual || edges.get(edgeKey(from, to))?.manual === true });
        found.add(other);
        if (!seen.has(other)) {
          seen.add(other);
          next.push(other);
        }
      }
    }
    ring = next;
  }
}

/**
 * The signed distance of each asset from the root. An asset that is reachable in both directions gets the shorter
 * distance. An unreachable asset gets 1.
 */
export function stepsOf(root: string, edges: readonly Edge[], urns: Iterable<string>): Map<string, number> {
  const up = distances(root, edges, "up");
  const down = distances(root, edges, "down");
  return new Map(
    [...urns].map((urn) => {
      const above = up.get(urn) ?? Infinity;
      const below = down.get(urn) ?? Infinity;
      return [urn, above < below ? -above : below === Infinity ? 1 : below];
    }),
  );
}

function distances(root: string, edges: readonly Edge[], way: Way): Map<string, number> {
  const next = adjacency(edges, way);
  const found = new Map([[root, 0]]);
  for (const urn of found.keys()) {
    for (const other of next.get(urn) ?? []) {
      if (!found.has(other)) {
        found.set(other, (found.get(urn) ?? 0) + 1);
      }
    }
  }
  return found;
}

/** The neighbours of each asset in one direction. */
export function adjacency(edges: readonly Edge[], way: Way): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const [here, there] = way === "up" ? [to, from] : [from, to];
    const known = next.get(here);
    if (known) {
      known.push(there);
    } else {
      next.set(here, [there]);
    }
  }
  return next;
}

/** A graph without hidden assets. An edge replaces each path through them. */
export function without(graph: Graph, hidden: (urn: string) => boolean): Graph {
  const gone = new Set(graph.urns.filter((urn) => urn !== graph.root && hidden(urn)));
  if (gone.size === 0) {
    return graph;
  }
  const next = adjacency(graph.edges, "down");
  const edges = new Map<string, Edge>();
  for (const edge of graph.edges.filter(({ from, to }) => !gone.has(from) && !gone.has(to))) {
    edges.set(edgeKey(edge.from, edge.to), edge);
  }
  for (const from of graph.urns.filter((urn) => !gone.has(urn))) {
    for (const to of beyond(from, next, gone)) {
      if (to !== from && !edges.has(edgeKey(from, to))) {
        edges.set(edgeKey(from, to), { from, to, manual: false, through: true });
      }
    }
  }
  return { ...graph, urns: graph.urns.filter((urn) => !gone.has(urn)), edges: [...edges.values()] };
}

// The first visible assets behind hidden ones.
function beyond(from: string, next: ReadonlyMap<string, readonly string[]>, gone: ReadonlySet<string>): Set<string> {
  const passed = new Set<string>();
  const ends = new Set<string>();
  const todo = (next.get(from) ?? []).filter((urn) => gone.has(urn));
  for (let urn = todo.pop(); urn !== undefined; urn = todo.pop()) {
    if (!passed.has(urn)) {
      passed.add(urn);
      for (const other of next.get(urn) ?? []) {
        if (gone.has(other)) {
          todo.push(other);
        } else {
          ends.add(other);
        }
      }
    }
  }
  return ends;
}

/** The number of hidden neighbours of an asset in one direction; null if unknown. */
export function furtherOf(read: Read, shown: ReadonlySet<string>, urn: string, way: Way, wanted: number): number | null {
  const known = read.neighbours.get(keyOf(urn, way));
  if (known && wanted > 0) {
    return Math.max(0, known.total - Math.min(wanted, known.rows.length));
  }
  const peek = read.peeks.get(keyOf(urn, way));
  return peek ? Math.max(0, peek.total - peek.urns.filter((other) => shown.has(other)).length) : known ? known.total : null;
}

/** The assets on paths between two assets, including both, in either direction. Empty if there is no path. */
export function between(edges: readonly Edge[], a: string, b: string): Set<string> {
  for (const way of ways) {
    const after = distances(a, edges, way);
    if (after.has(b)) {
      const before = distances(b, edges, way === "up" ? "down" : "up");
      return new Set([...after.keys()].filter((urn) => before.has(urn)));
    }
  }
  return new Set();
}

/** The shortest path from one asset to another; empty if there is none. */
export function shortest(edges: readonly Edge[], from: string, to: string, way: Way): string[] {
  const next = adjacency(edges, way);
  const came = new Map<string, string | null>([[from, null]]);
  for (const urn of came.keys()) {
    if (urn === to) {
      break;
    }
    for (const other of next.get(urn) ?? []) {
      if (!came.has(other)) {
        came.set(other, urn);
      }
    }
  }
  const path: string[] = [];
  for (let at: string | null | undefined = came.has(to) ? to : null; at !== null && at !== undefined; at = came.get(at)) {
    path.unshift(at);
  }
  return path;
}

/** A short hash that identifies an asset in an address, where its URN would be too long. */
export function markOf(urn: string): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = 0; at < urn.length; at++) {
    hash = Math.imul(hash ^ urn.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Parses the numbers of visible neighbours in an address: "1a2b.u50-3c4d.d150". */
export function readOpen(text: string): Map<string, number> {
  const open = new Map<string, number>();
  for (const part of text.split("-")) {
    const [, mark, way, count] = /^([0-9a-z]{1,7})\.([ud])(\d{1,4})$/u.exec(part) ?? [];
    if (mark !== undefined && Number(count) > 0) {
      open.set(`${way === "u" ? "up" : "down"} ${mark}`, Number(count));
    }
  }
  return open;
}

/** Formats the numbers of visible neighbours for readOpen. */
export const writeOpen = (open: ReadonlyMap<string, number>) =>
  [...open]
    .map(([key, count]) => {
      const [way, mark] = split(key);
      return `${mark}.${way === "up" ? "u" : "d"}${count}`;
    })
    .join("-");

/** The key of an asset and a direction in the result of readOpen. */
export const openKey = (urn: string, way: Way) => keyOf(markOf(urn), way);
