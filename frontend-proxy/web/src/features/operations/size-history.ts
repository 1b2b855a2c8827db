const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** The size of an index at a time. */
export interface Point {
  at: number;
  /** The size in megabytes of 1,000,000 bytes, as in the table of current sizes. */
  mb: number;
}

/** The size of an index over time, oldest first. */
export interface Series {
  index: string;
  aspect: string;
  points: Point[];
}

/** Reads the sizes of indices over time. Invalid points are omitted. */
export function readSizeHistory(reply: unknown): Series[] {
  const value = isObject(reply) && isObject(reply["value"]) ? reply["value"] : {};
  return list(value["indices"]).map((one) => ({
    index: text(one["indexName"]),
    aspect: text(one["aspectName"]) || text(one["indexName"]),
    points: list(one["points"])
      .flatMap(({ timestampMillis, sizeBytes }) => (typeof timestampMillis === "number" && typeof sizeBytes === "number" ? [{ at: timestampMillis, mb: sizeBytes / 1e6 }] : []))
      .toSorted((a, b) => a.at - b.at),
  }));
}

/** The total size of all indices over time, with the latest known size of each index at each time. */
export function totalOf(all: readonly Series[]): Point[] {
  const changes = all.flatMap(({ index, points }) => points.map((point) => ({ index, ...point }))).toSorted((a, b) => a.at - b.at);
  const now = new Map<string, number>();
  const out = new Map<number, number>();
  for (const { index, at, mb } of changes) {
    now.set(index, mb);
    out.set(
      at,
      [...now.values()].reduce((sum, one) => sum + one, 0),
    );
  }
  return [...out].map(([at, mb]) => ({ at, mb }));
}

/** The points of a line for a drawing of the given size, with an axis up to a maximum. */
export function lineOf(points: readonly Point[], last: number, width: number, height: number): string {
  const from = points[0]?.at ?? 0;
  const span = (points.at(-1)?.at ?? from) - from;
  return points.map(({ at, mb }) => `${(span > 0 ? ((at - from) / span) * width : width).toFixed(1)},${(height - (last > 0 ? mb / last : 0) * height).toFixed(1)}`).join(" ");
}
