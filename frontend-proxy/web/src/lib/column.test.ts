import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { columnOf, columnUrn } from "./column";
import { shortOf } from "./text";

const dataset = "urn:li:dataset:(urn:li:dataPlatform:mssql,erp.invoice,PROD)";

test.each([
  ["id", "id"],
  ["Amount (EUR)", "Amount %28EUR%29"],
  ["Last, First", "Last%2C First"],
  ["half (", "half %28"],
  ["100%", "100%"],
  ["a%2528b", "a%2528b"],
  [`"quoted" [x] 'y'`, `"quoted" [x] 'y'`],
  ["prix 💶", "prix 💶"],
  ["شحن (كغ)", "شحن %28كغ%29"],
  ["line\nbreak\u0000", "line\nbreak\u0000"],
  ["piece\u241Fpiece", "piece%E2%90%9Fpiece"],
])("the URN of column %j encodes what would part it", (path, encoded) => {
  const urn = columnUrn(dataset, path);
  expect(urn).toBe(`urn:li:schemaField:(${dataset},${encoded})`);
  expect(columnOf(urn)).toEqual({ urn: dataset, path });
  expect(columnUrn(dataset, encoded)).toBe(urn);
  expect(shortOf(urn)).toBe(path);
});

test("URNs of columns without encoding are read", () => {
  expect(columnOf(`urn:li:schemaField:(${dataset},Amount (EUR))`)?.path).toBe("Amount (EUR)");
  expect(columnOf(`urn:li:schemaField:(${dataset},Last%2c First)`)?.path).toBe("Last, First");
  expect(columnOf("urn:li:dataset:(a,b)")).toBeNull();
  expect(columnOf("")).toBeNull();
});

test("no other code makes the URN of a column", () => {
  const made = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.tsx?$/u.test(file) && !file.endsWith(join("lib", "column.ts")))
    .filter((file) => readFileSync(join(import.meta.dirname, "..", file), "utf8").includes("urn:li:schemaField:("));
  expect(made).toEqual([]);
});
