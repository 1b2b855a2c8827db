import { expect, it } from "vitest";

import { startOf } from "./parameters";

it("reads the page of an address, and takes what is none for the first", () => {
  expect(["", "1", "2", "40", "0", "-3", "1.5", "x", "1e400"].map((text) => startOf(text, 25))).toEqual([0, 0, 25, 975, 0, 0, 0, 0, 0]);
});
