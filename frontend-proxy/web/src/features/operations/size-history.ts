const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** What an index took at a time. */
export interface Point {
  at: number;
  /** Megabytes of 1,000,000 bytes, as in the sizes of today. */
  mb: number;
}

/** What one index took over time, the oldest point first. */
export interface Series {
  index: string;
  aspect: string;
  points: Point[];
}

/** Reads what the indices took over time. What is no point is left out. */
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

/** All indices together: at each time the last size that is known of each of them. */
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

/** The points of a line in a drawing of a width and a height, over an axis that ends at a size. */
export function lineOf(points: readonly Point[], last: number, width: number, height: number): string {
  const from = points[0]?.at ?? 0;
  const span = (points.at(-1)?.at ?? from) - from;
  return points.map(({ at, mb }) => `${(span > 0 ? ((at - from) / span) * width : width).toFixed(1)},${(height - (last > 0 ? mb / last : 0) * height).toFixed(1)}`).join(" ");
}
