import { Graph as DagreGraph, layout } from "@dagrejs/dagre";

/** A box for the layout. */
export interface Box {
  id: string;
  width: number;
  height: number;
  /** The signed distance from the root, which orders boxes in the layout by steps. */
  step: number;
}

export interface Place {
  x: number;
  y: number;
}

export interface Task {
  boxes: readonly Box[];
  edges: readonly (readonly [from: string, to: string])[];
  /** Ranks follow the edges and can mix distances. Steps use one column per distance. */
  by: "ranks" | "steps";
}

export type Places = ReadonlyMap<string, Place>;

/** Above this number of boxes, a worker computes the layout. */
export const mostAtOnce = 200;

/** Computes the position of each box, left to right. Cycles and self-edges are allowed. */
export const placesOf = (task: Task): Places => (task.by === "ranks" ? byRanks(task) : bySteps(task));

const apart = { ranks: 56, boxes: 28 };

function byRanks({ boxes, edges }: Task): Places {
  const graph = new DagreGraph();
  // The default ranker takes five times as long for 500 boxes, with hardly visible differences.
  graph.setGraph({ rankdir: "LR", ranksep: apart.ranks, nodesep: apart.boxes, ranker: "tight-tree" });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(boxes.map(({ id }) => id));
  for (const { id, width, height } of boxes) {
    graph.setNode(id, { width, height });
  }
  for (const [from, to] of edges) {
    if (from !== to && known.has(from) && known.has(to)) {
      graph.setEdge(from, to);
    }
  }
  layout(graph);
  return new Map(
    boxes.map(({ id, width, height }) => {
      const { x = 0, y = 0 } = graph.node(id) as Partial<Place>;
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
}

const gap = { across: 48, down: 44 };

/** The x coordinate of a column in the layout by steps, for boxes of a given width. */
export const columnAt = (step: number, width: number) => step * (width + gap.across);

function bySteps({ boxes, edges }: Task): Places {
  const steps = [...new Set(boxes.map(({ step }) => step))].toSorted((a, b) => Math.abs(a) - Math.abs(b) || a - b);
  const wide = Math.max(0, ...boxes.map(({ width }) => width));
  const middles = new Map<string, number>();
  const places = new Map<string, Place>();
  const next = neighbours(edges);
  for (const step of steps) {
    const here = boxes.filter((box) => box.step === step).map((box) => ({ box, pull: pullOf(next.get(box.id), middles) }));
    here.sort((a, b) => a.pull - b.pull);
    let y = -(here.reduce((sum, { box }) => sum + box.height, 0) + gap.down * (here.length - 1)) / 2;
    for (const { box } of here) {
      places.set(box.id, { x: columnAt(step, wide), y: Math.round(y) });
      middles.set(box.id, y + box.height / 2);
      y += box.height + gap.down;
    }
  }
  return places;
}

function neighbours(edges: Task["edges"]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) {
    for (const [here, there] of [
      [from, to],
      [to, from],
    ] as const) {
      const known = next.get(here);
      if (known) {
        known.push(there);
      } else {
        next.set(here, [there]);
      }
    }
  }
  return next;
}

// The mean height of the placed neighbours of a box, which attracts the box.
function pullOf(linked: readonly string[] | undefined, middles: ReadonlyMap<string, number>): number {
  const heights = (linked ?? []).flatMap((id) => middles.get(id) ?? []);
  return heights.length === 0 ? 0 : heights.reduce((sum, height) => sum + height, 0) / heights.length;
}
