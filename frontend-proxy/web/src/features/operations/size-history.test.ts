import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { lineOf, readSizeHistory, totalOf, type HistoryReply } from "./size-history";

const reply = answered<HistoryReply>({
  value: {
    indices: [
      { indexName: "a_baspect_v1", aspectName: "b", points: [{ timestampMillis: 20, sizeBytes: 3_000_000 }, { timestampMillis: 10, sizeBytes: 1_000_000 }, { timestampMillis: "x" }, null] },
      { indexName: "other", points: [{ timestampMillis: 15, sizeBytes: 500_000 }] },
      7,
    ],
  },
});

it("reads the history in the order of time, and no more than there is", () => {
  expect(readSizeHistory(reply)).toEqual([
    { index: "a_baspect_v1", aspect: "b", points: [{ at: 10, mb: 1 }, { at: 20, mb: 3 }] },
    { index: "other", aspect: "other", points: [{ at: 15, mb: 0.5 }] },
  ]);
  expect([readSizeHistory(null), readSizeHistory(answered("x")), readSizeHistory(answered({ value: { indices: {} } }))]).toEqual([[], [], []]);
});

it("adds up the last size that is known of each index", () => {
  expect(totalOf(readSizeHistory(reply))).toEqual([
    { at: 10, mb: 1 },
    { at: 15, mb: 1.5 },
    { at: 20, mb: 3.5 },
  ]);
});

it("draws a line from the left to the right, and a single point at the right", () => {
  expect(lineOf([{ at: 0, mb: 0 }, { at: 10, mb: 5 }], 10, 100, 50)).toBe("0.0,50.0 100.0,25.0");
  expect(lineOf([{ at: 3, mb: 10 }], 10, 100, 50)).toBe("100.0,0.0");
  expect(lineOf([{ at: 3, mb: 0 }], 0, 100, 50)).toBe("100.0,50.0");
});
