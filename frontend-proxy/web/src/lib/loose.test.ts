import { describe, expect, it } from "vitest";

import { at, listIn, numberIn, textIn, textsIn, timeIn } from "./loose";

describe("answers whose members may be anything", () => {
  it("are read by a path, whatever is on the way", () => {
    expect(at({ a: { b: [1] } }, "a", "b")).toEqual([1]);
    for (const value of [null, undefined, 7, "a", [], [{ a: 1 }], { a: null }, { a: "x" }]) {
      expect(at(value, "a", "b")).toBeUndefined();
    }
  });

  it("give texts, numbers, moments and lists, and nothing of another kind", () => {
    expect([textIn("x"), textIn(4), textIn(null), textIn({})]).toEqual(["x", "4", "", ""]);
    expect([numberIn(4), numberIn("12"), numberIn(""), numberIn("x"), numberIn(Number.NaN), numberIn(null)]).toEqual([4, 12, undefined, undefined, undefined, undefined]);
    expect([timeIn(1), timeIn(0), timeIn(9e15), timeIn("5")]).toEqual([1, undefined, undefined, 5]);
    expect([listIn([1, null, 2]), listIn("ab"), listIn(null)]).toEqual([[1, 2], [], []]);
    expect(textsIn(["a", "", null, {}, "b"])).toEqual(["a", "b"]);
  });
});
