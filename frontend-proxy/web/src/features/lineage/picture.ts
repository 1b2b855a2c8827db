import type { Asset } from "./asset";
import type { Columns, Trace } from "../../shared/lineage/columns";
import { columnName } from "../../shared/lineage/columns";
import type { Graph } from "./graph";
import { firstMembers, groupsOf, membersShown, type Group } from "./group";
import type { Box, Places, Task } from "./layout";

/** Measures of what is drawn, in px; the stylesheet has the same. */
export const size = { asset: 196, narrow: 168, head: 52, row: 26, group: 34 };

/** How many columns of an asset are shown before somebody asks for more. */
export const firstColumns = 3;

/** The most columns of an asset that are drawn. */
export const mostColumns = 100;

/** An asset with its columns. */
export interface AssetBox extends Box {
  kind: "asset";
  columns: readonly string[];
  /** How many more columns it has. */
  more: number;
}

/** A group with those of its members that are shown. */
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
  /** What is lit besides the trace: a path between assets. */
  lit: ReadonlySet<string>;
  grouped: boolean;
  chosen: string;
  /** How many columns of an asset, and members of a group, somebody asked for. */
  unfolded: ReadonlyMap<string, number>;
}

/** The columns of an asset that are shown: those of the trace first. */
export function columnsShown(urn: string, { columns, trace, unfolded }: Pick<Options, "columns" | "trace" | "unfolded">) {
  const all = columns.of(urn);
  const hot = new Set(trace?.in(urn));
  const count = Math.max(unfolded.get(urn) ?? firstColumns, Math.min(hot.size, firstColumns));
  const sorted = [...all.filter((path) => hot.has(path)), ...all.filter((path) => !hot.has(path))];
  const shown = sorted.slice(0, Math.min(count, mostColumns));
  return { columns: shown, more: all.length - shown.length };
}

/** What is drawn of a graph, before it has its place. */
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

/** Which box shows each asset. */
export function boxesOf(drawn: readonly Drawn[]): Map<string, Drawn> {
  const at = new Map<string, Drawn>();
  for (const box of drawn) {
    for (const urn of box.kind === "asset" ? [box.id] : box.group.urns) {
      at.set(urn, box);
    }
  }
  return at;
}

/** What is to be placed of what is drawn. */
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

/** The lines between what is drawn: one for each pair of boxes that are linked, and those of the trace from column to column. */
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
    // A group says nothing of edges within it.
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
  // What is lit lies above the rest.
  return [...lines.values()].toSorted((a, b) => Number(a.look === "hot") - Number(b.look === "hot"));
}

interface Anchor {
  box: Drawn;
  y: number;
}

const head = (box: Drawn): Anchor => ({ box, y: box.kind === "asset" ? size.head / 2 : size.group / 2 });

// Where a line meets an asset, or one of its columns; at the head of the box where that is not shown.
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
    const top = a.y - 22; // around the box, above it
    return `M${x1} ${y1}C${x1 + 46} ${y1} ${x1 + 30} ${top} ${x1 - 20} ${top}H${x2 + 20}C${x2 - 30} ${top} ${x2 - 46} ${y2} ${x2} ${y2}`;
  }
  if (Math.abs(a.x - b.x) < from.box.width / 2) {
    const end = b.x + to.box.width; // within a column, beside it
    return `M${x1} ${y1}C${x1 + 32} ${y1} ${end + 32} ${y2} ${end} ${y2}`;
  }
  const bend = x2 > x1 ? (x2 - x1) / 2 : 60; // what leads back goes out of its way
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** What somebody who cannot see the lines is told of an asset. */
export const columnsText = (columns: readonly string[]) => columns.map(columnName).join(", ");

/** Where somebody comes to who goes from a place with an arrow key: along edges to the sides, among what is near up and down. */
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
      // The same column counts as near, however far down it goes.
      return nearest([...spots.keys()], ({ x, y }) => ((y - here.y) * sign > 0 && Math.abs(x - here.x) < size.narrow ? Math.abs(y - here.y) + Math.abs(x - here.x) * 4 : Infinity));
    }
    default:
      return null;
  }
}

/** Where each asset that can be seen is. */
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
