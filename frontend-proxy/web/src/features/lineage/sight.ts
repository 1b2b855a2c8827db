import type { Sight } from "./canvas";
import type { Place, Places } from "./layout";
import { size, type Drawn } from "./picture";

/** What is kept free around the graph, for the bar and the buttons. */
const room = { left: 56, right: 56, top: 72, bottom: 64 };

/** As small as rows can be drawn and still be hit, which are 26 px high. */
const leastWhole = 0.925;

interface Window {
  width: number;
  height: number;
}

/**
 * The sight of the whole of a graph. One that is too large to be read as a whole shows what is around the asset that
 * somebody is at, and leaves no side of the window empty while there is more on the other.
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

// How far an extent is moved to lie in the middle of what can be seen; if it is longer, the point to look at lies
// there, as far as the ends allow.
function offset({ from, to }: { from: number; to: number }, seen: number, at = (from + to) / 2): number {
  return to - from <= seen ? seen / 2 - (from + to) / 2 : Math.min(-from, Math.max(seen - to, seen / 2 - at));
}

/** The sight moved so far that an asset at a place is in it. */
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
