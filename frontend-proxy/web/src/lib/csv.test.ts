import { expect, it } from "vitest";

import { csvText, everyPage } from "./csv";

it("writes a table with quotes only where they are needed", () => {
  expect(csvText(["Name", "Uses"], [["plain", 3], ['with "quotes", and\nlines', null], [undefined, true]])).toBe(
    '\uFEFFName,Uses\r\nplain,3\r\n"with ""quotes"", and\nlines",\r\n,true\r\n',
  );
});

it("keeps spreadsheets from running a text as a formula", () => {
  expect(csvText(["Name"], [["=HYPERLINK(1)"], ["@cmd"], ["-2+3"], ["\tx"], [-5]])).toBe("\uFEFFName\r\n'=HYPERLINK(1)\r\n'@cmd\r\n'-2+3\r\n'\tx\r\n-5\r\n");
});

it("reads a list to its end", async () => {
  const asked: [number, number][] = [];
  const all = await everyPage(
    async (start, count) => {
      asked.push([start, count]);
      return { items: Array.from({ length: Math.min(count, 7 - start) }, (_, at) => start + at), total: 7 };
    },
    { size: 3 },
  );
  expect(all).toEqual({ items: [0, 1, 2, 3, 4, 5, 6], total: 7 });
  expect(asked).toEqual([
    [0, 3],
    [3, 3],
    [6, 3],
  ]);
});

it("ends at the most that an export holds, and where a page comes empty", async () => {
  expect(await everyPage(async (start, count) => ({ items: Array.from({ length: count }, (_, at) => start + at), total: 1e9 }), { size: 4, most: 6 })).toEqual({
    items: [0, 1, 2, 3, 4, 5],
    total: 1e9,
  });
  expect(await everyPage(async () => ({ items: [], total: 12 }))).toEqual({ items: [], total: 12 });
});
