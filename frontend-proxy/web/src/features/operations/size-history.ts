import { listIn, numberIn, textIn } from "../../lib/answer";

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

/** The response with the sizes of indices over time. */
export interface HistoryReply {
  value?: { indices?: readonly (Written | null)[] | null } | null;
}

interface Written {
  indexName?: string | null;
  aspectName?: string | null;
  points?: readonly ({ timestampMillis?: number | null; sizeBytes?: number | null } | null)[] | null;
}

/** Reads the sizes of indices over time. Invalid points are omitted. */
export const readSizeHistory = (reply: HistoryReply | null): Series[] =>
  listIn(reply?.value?.indices)
    .filter((one) => typeof one === "object")
    .map(({ indexName, aspectName, points }) => ({
      index: textIn(indexName),
      aspect: textIn(aspectName) || textIn(indexName),
      points: listIn(points)
        .flatMap(({ timestampMillis, sizeBytes }) => {
          const [at, bytes] = [numberIn(timestampMillis), numberIn(sizeBytes)];
          return at === undefined || bytes === undefined ? [] : [{ at, mb: bytes / 1e6 }];
        })
        .toSorted((a, b) => a.at - b.at),
    }));

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
