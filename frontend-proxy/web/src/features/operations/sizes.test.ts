import { expect, it } from "vitest";

import { readSizes, sizeText, sizeWithUnit, stepsTo, unitOf } from "./sizes";

const entry = (aspectName: string, sizeMb: unknown, more = {}) => ({ indexName: `dataset_${aspectName}_v1`, entityName: "dataset", aspectName, sizeMb, ...more });
const reply = (value: unknown) => ({ value: JSON.stringify(value) });

it("reads the list in the text, the largest first", () => {
  const { sizes } = readSizes(reply({ indexSizes: [entry("operation", 1.5), entry("datasetprofile", 20)] }));
  expect(sizes?.map(({ aspect, mb }) => [aspect, mb])).toEqual([["datasetprofile", 20], ["operation", 1.5]]);
});

it("keeps what it does not know of an index, and does not count the second name of the size to it", () => {
  const read = readSizes(reply({ indexSizes: [entry("operation", 1, { sizeInMb: 1, documents: 12, shards: [1, 2], note: null })] }));
  expect(read.sizes?.[0]?.more).toEqual({ documents: "12", shards: "[1,2]", note: "" });
  expect(read.sizes === null ? null : read.names).toEqual(["documents", "shards", "note"]);
});

it("takes a list without something around it, and one that is not in a text", () => {
  expect(readSizes(reply([entry("operation", "2.5")])).sizes?.[0]?.mb).toBe(2.5);
  expect(readSizes({ value: { sizes: [entry("operation", 3)] } }).sizes?.[0]?.mb).toBe(3);
  expect(readSizes(reply({ indexSizes: [] })).sizes).toEqual([]);
});

it("puts an index without a size last and does not blank", () => {
  const { sizes } = readSizes(reply({ indexSizes: [entry("a", null), entry("b", "large"), entry("c", 0), { sizeInMb: 4 }] }));
  expect(sizes?.map(({ mb }) => mb)).toEqual([4, 0, null, null]);
});

it("gives the text as it came where it cannot be read", () => {
  expect(readSizes({ value: "{indexSizes=[…]}" })).toEqual({ sizes: null, text: "{indexSizes=[…]}" });
  expect(readSizes(reply({ indexSizes: ["x"] })).sizes).toBeNull();
  expect(readSizes(reply(7))).toEqual({ sizes: null, text: "7" });
  expect(readSizes(null)).toEqual({ sizes: null, text: "null" });
  expect(readSizes(undefined)).toEqual({ sizes: null, text: "" });
});

it("shows sizes in a unit that suits the largest", () => {
  expect([250_000, 18_432, 1.9, 0.4, 0].map((mb) => unitOf(mb).name)).toEqual(["GB", "MB", "MB", "kB", "kB"]);
  expect(sizeText(18_432, unitOf(18_432))).toBe("18,432");
  expect(sizeText(0.0368, unitOf(1.9))).toBe("0.04");
  expect(sizeWithUnit(43_200)).toEqual(["43.2", "GB"]);
});

it("has round steps that reach the largest", () => {
  expect(stepsTo(18_432)).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  expect(stepsTo(1.95)).toEqual([0, 0.5, 1, 1.5, 2]);
  expect(stepsTo(0)).toEqual([0, 1]);
});
