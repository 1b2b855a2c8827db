import type { Sight } from "./canvas";
import type { Place, Places } from "./layout";
import { size, type Drawn } from "./picture";

/** The margins around the graph, for the toolbar and the buttons, in px. */
const room = { left: 56, right: 56, top: 72, bottom: 64 };

/** The smallest scale at which rows, which are 26 px high, are still large enough for a pointer. */
const leastWhole = 0.925;

interface Window {
  width: number;
  height: number;
}

/**
 * The viewport that fits the whole graph. If the graph would be too small to read, the viewport shows the area around
 * the current asset, without empty space on one side while content is hidden on the other.
 */
export function wholeOf(current: string, root: string, drawn: readonly Drawn[], places: Places, { width, height }: Window): Sight {
  const spots = drawn.map((box) => ({ box, ...(places.get(box.id) ?? { x: 0, y: 0 }) }));
  const [wide, high] = [Math.max(1, width - room.left - room.right), Math.max(1, height - room.top - room.bottom)];
  const across = { from: Math.min(...spots.map(({ x }) => x)), to: Math.max(...spots.map(({ x, box }) => x + box.width)) };
  const down = { from: Math.min(...spots.map(({ y }) => y)), to: Math.max(...spots.map(({ y, box }) => y + box.height)) };
  const zoom = Math.max(Math.min(1, wide / (across.to - across.from), high / (down.to - down.from)), leastWhole);
  const own = spots.find(({ box }) => box.id === current || (box.kind === "group" && box.members.includes(current))) ?? spots.find(({ box }) => box.id === root);
  return {
    x: room.left + offset(across, wide / zoom, own && own.x + own.box.width / 2) * zoom,
    y: room.top + offset(down, high / zoom, own && own.y + own.box.height / 2) * zoom,
    zoom,
  };
}

// The offset that centers a range in the visible length. If the range is longer, the given point is centered, within
// the limits of the range.
function offset({ from, to }: { from: number; to: number }, seen: number, at = (from + to) / 2): number {
  return to - from <= seen ? seen / 2 - (from + to) / 2 : Math.min(-from, Math.max(seen - to, seen / 2 - at));
}

/** The viewport, moved until an asset at a place is visible. */
export function withSpot(sight: Sight, to: Place | undefined, { width, height }: Window): Sight {
  if (!to) {
    return sight;
  }
  const { x, y, zoom } = sight;
  const [left, top] = [to.x * zoom + x, to.y * zoom + y];
  const [right, bottom] = [width - size.asset * zoom - room.right, height - size.head * zoom - room.bottom];
  return {
    x: x + (left < room.left ? room.left - left : Math.min(0, right - left)),
    y: y + (top < room.top ? room.top - top : Math.min(0, bottom - top)),
    zoom,
  };
}
