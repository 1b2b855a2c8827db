import { describe, expect, it } from "vitest";

import { at, listAt, numberAt, textAt } from "./aspects";

describe("JSON of an unknown type", () => {
  it("is read by a path, whatever is on the way", () => {
    expect(at({ a: { b: [1] } }, "a", "b")).toEqual([1]);
    for (const value of [null, undefined, 7, "a", [], [{ a: 1 }], { a: null }, { a: "x" }]) {
      expect(at(value, "a", "b")).toBeUndefined();
    }
  });

  it("gives texts, numbers and lists, and nothing of another type", () => {
    expect([textAt("x"), textAt({ a: 4 }, "a"), textAt(null, "a"), textAt({})]).toEqual(["x", "4", "", ""]);
    expect([numberAt({ a: 4 }, "a"), numberAt("12"), numberAt("x"), numberAt(null)]).toEqual([4, 12, undefined, undefined]);
    expect([listAt({ a: [1, null, 2] }, "a"), listAt("ab"), listAt(null)]).toEqual([[1, 2], [], []]);
  });
});
