import type { Asset } from "./asset";
import type { Columns, Trace } from "../../shared/lineage/columns";
import { columnName } from "../../shared/lineage/columns";
import type { Graph } from "./graph";
import { firstMembers, groupsOf, membersShown, type Group } from "./group";
import type { Box, Places, Task } from "./layout";

/** Sizes of the drawing in px. The stylesheet contains the same values. */
export const size = { asset: 196, narrow: 168, head: 52, row: 26, group: 34 };

/** The number of initially visible columns of an asset. */
export const firstColumns = 3;

/** The maximum number of visible columns of an asset. */
export const mostColumns = 100;

/** A box of an asset with its columns. */
export interface AssetBox extends Box {
  kind: "asset";
  columns: readonly string[];
  /** The number of hidden columns. */
  more: number;
}

/** A box of a group with its visible members. */
export interface GroupBox extends Box {
  kind: "group";
  group: Group;
  members: readonly string[];
}

export type Drawn = AssetBox | GroupBox;

interface Options {
  assets: ReadonlyMap<string, Asset>;
  columns: Columns;
  trace: Trace | null;
  /** The assets on a highlighted path, beside the trace. */
  lit: ReadonlySet<string>;
  grouped: boolean;
  chosen: string;
  /** The numbers of visible columns by asset, and of visible members by group, as expanded by the user. */
  unfolded: ReadonlyMap<string, number>;
}

/** The visible columns of an asset; columns of the trace come first. */
export function columnsShown(urn: string, { columns, trace, unfolded }: Pick<Options, "columns" | "trace" | "unfolded">) {
  const all = columns.of(urn);
  const hot = new Set(trace?.in(urn));
  const count = Math.max(unfolded.get(urn) ?? firstColumns, Math.min(hot.size, firstColumns));
  const sorted = [...all.filter((path) => hot.has(path)), ...all.filter((path) => !hot.has(path))];
  const shown = sorted.slice(0, Math.min(count, mostColumns));
  return { columns: shown, more: all.length - shown.length };
}

/** The boxes of a graph, before the layout. */
export function drawnOf(graph: Graph, options: Options): Drawn[] {
  const width = options.grouped ? size.narrow : size.asset;
  const assetBox = (urn: string): AssetBox => {
    const { columns, more } = columnsShown(urn, options);
    return { kind: "asset", id: urn, width, height: size.head + (columns.length + (more > 0 ? 1 : 0)) * size.row, step: graph.steps.get(urn) ?? 0, columns, more };
  };
  if (!options.grouped) {
    return graph.urns.map(assetBox);
  }
  const marked = (urn: string) => options.trace?.touches(urn) === true || options.lit.has(urn);
  const groups = groupsOf(graph, options.assets, marked).map((group): GroupBox => {
    const members = membersShown(group, options.unfolded.get(group.id) ?? firstMembers, options.chosen);
    return { kind: "group", id: group.id, width, height: size.group + (members.length + (members.length < group.urns.length ? 1 : 0)) * size.row, step: group.step, group, members };
  });
  return [assetBox(graph.root), ...groups];
}

/** The box of each asset. */
export function boxesOf(drawn: readonly Drawn[]): Map<string, Drawn> {
  const at = new Map<string, Drawn>();
  for (const box of drawn) {
    for (const urn of box.kind === "asset" ? [box.id] : box.group.urns) {
      at.set(urn, box);
    }
  }
  return at;
}

/** The input of the layout for boxes. */
export function taskOf(graph: Graph, drawn: readonly Drawn[], grouped: boolean): Task {
  const at = boxesOf(drawn);
  const edges = new Map<string, [string, string]>();
  for (const { from, to } of graph.edges) {
    const [a, b] = [at.get(from)?.id, at.get(to)?.id];
    if (a !== undefined && b !== undefined && a !== b) {
      edges.set(`${a}\n${b}`, [a, b]);
    }
  }
  return { boxes: drawn.map(({ id, width, height, step }) => ({ id, width, height, step })), edges: [...edges.values()], by: grouped ? "steps" : "ranks" };
}

/** A line of the graph. */
export interface Line {
  id: string;
  d: string;
  look: "feeds" | "hot" | "through" | "manual";
}

/** The lines between boxes: one for each pair of linked boxes, and the trace from column to column. */
export function linesOf(graph: Graph, drawn: readonly Drawn[], places: Places, trace: Trace | null, lit: ReadonlySet<string>): Line[] {
  const at = boxesOf(drawn);
  const lines = new Map<string, Line>();
  const draw = (from: Anchor | null, to: Anchor | null, look: Line["look"]) => {
    if (from && to) {
      const id = `${look === "hot" ? "hot" : ""}${from.box.id}:${from.y}>${to.box.id}:${to.y}`;
      if (!lines.has(id)) {
        lines.set(id, { id, d: curve(from, to, places), look });
      }
    }
  };
  for (const { from, to, manual, through } of graph.edges) {
    const look = lit.has(from) && lit.has(to) ? "hot" : through ? "through" : manual ? "manual" : "feeds";
    const [a, b] = [at.get(from), at.get(to)];
    const row = look === "hot";
    // Edges within a group are not drawn.
    if (a && b && (a !== b || a.kind === "asset")) {
      draw(row ? anchor(a, from) : head(a), row ? anchor(b, to) : head(b), look);
    }
  }
  for (const { from, to, via } of trace?.links ?? []) {
    const [a, b, task] = [at.get(from.urn), at.get(to.urn), via === undefined ? undefined : at.get(via)];
    if (task && via !== undefined) {
      draw(a ? anchor(a, from.urn, from.path) : null, anchor(task, via), "hot");
      draw(anchor(task, via), b ? anchor(b, to.urn, to.path) : null, "hot");
    } else if (a && b) {
      draw(anchor(a, from.urn, from.path), anchor(b, to.urn, to.path), "hot");
    }
  }
  // Highlighted lines are drawn on top.
  return [...lines.values()].toSorted((a, b) => Number(a.look === "hot") - Number(b.look === "hot"));
}

interface Anchor {
  box: Drawn;
  y: number;
}

const head = (box: Drawn): Anchor => ({ box, y: box.kind === "asset" ? size.head / 2 : size.group / 2 });

// The end point of a line at an asset or one of its columns; at the header of the box if the column is hidden.
function anchor(box: Drawn, urn: string, path?: string): Anchor {
  if (box.kind === "group") {
    const row = box.members.indexOf(urn);
    return row < 0 ? head(box) : { box, y: size.group + (row + 0.5) * size.row };
  }
  const row = path === undefined ? -1 : box.columns.indexOf(path);
  return row < 0 ? head(box) : { box, y: size.head + (row + 0.5) * size.row };
}

function curve(from: Anchor, to: Anchor, places: Places): string {
  const a = places.get(from.box.id) ?? { x: 0, y: 0 };
  const b = places.get(to.box.id) ?? { x: 0, y: 0 };
  const [x1, y1, x2, y2] = [a.x + from.box.width, a.y + from.y, b.x, b.y + to.y];
  if (from.box === to.box) {
    const top = a.y - 22; // a self-edge curves above the box
    return `M${x1} ${y1}C${x1 + 46} ${y1} ${x1 + 30} ${top} ${x1 - 20} ${top}H${x2 + 20}C${x2 - 30} ${top} ${x2 - 46} ${y2} ${x2} ${y2}`;
  }
  if (Math.abs(a.x - b.x) < from.box.width / 2) {
    const end = b.x + to.box.width; // within a column, the line curves beside the boxes
    return `M${x1} ${y1}C${x1 + 32} ${y1} ${end + 32} ${y2} ${end} ${y2}`;
  }
  const bend = x2 > x1 ? (x2 - x1) / 2 : 60; // a backward line first bends outwards
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** A text with the names of columns, for screen readers. */
export const columnsText = (columns: readonly string[]) => columns.map(columnName).join(", ");

/** The next asset for an arrow key: left and right follow edges, up and down select the nearest asset. */
export function nextFrom(graph: Graph, spots: ReadonlyMap<string, { x: number; y: number }>, urn: string, key: string): string | null {
  const here = spots.get(urn);
  if (!here) {
    return null;
  }
  const nearest = (urns: readonly string[], far: (spot: { x: number; y: number }) => number) => {
    const ranked = urns.flatMap((each) => {
      const spot = each === urn ? undefined : spots.get(each);
      return spot ? [{ each, distance: far(spot) }] : [];
    });
    return ranked.filter(({ distance }) => distance < Infinity).toSorted((a, b) => a.distance - b.distance)[0]?.each ?? null;
  };
  const height = (spot: { y: number }) => Math.abs(spot.y - here.y);
  switch (key) {
    case "ArrowLeft":
      return nearest(graph.edges.filter(({ to }) => to === urn).map(({ from }) => from), height);
    case "ArrowRight":
      return nearest(graph.edges.filter(({ from }) => from === urn).map(({ to }) => to), height);
    case "ArrowUp":
    case "ArrowDown": {
      const sign = key === "ArrowUp" ? -1 : 1;
      // Only assets of the same column of the graph qualify, at any vertical distance.
      return nearest([...spots.keys()], ({ x, y }) => ((y - here.y) * sign > 0 && Math.abs(x - here.x) < size.narrow ? Math.abs(y - here.y) + Math.abs(x - here.x) * 4 : Infinity));
    }
    default:
      return null;
  }
}

/** The positions of visible assets. */
export function spotsOf(drawn: readonly Drawn[], places: Places): Map<string, { x: number; y: number }> {
  const spots = new Map<string, { x: number; y: number }>();
  for (const box of drawn) {
    const { x, y } = places.get(box.id) ?? { x: 0, y: 0 };
    if (box.kind === "asset") {
      spots.set(box.id, { x, y });
    } else {
      box.members.forEach((urn, row) => spots.set(urn, { x, y: y + size.group + row * size.row }));
    }
  }
  return spots;
}
