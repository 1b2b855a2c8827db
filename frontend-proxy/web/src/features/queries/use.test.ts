import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { peopleAsked, runsAsked, usesIn, type Stats } from "./use";

const table = (...rows: unknown[]) => answered<Stats>({ value: { table: { rows } } });

it("asks of all queries of a page at once", () => {
  expect(runsAsked(["urn:li:query:a", "urn:li:query:b"], 5).filter).toEqual({ or: [{ and: [{ field: "urn", values: ["urn:li:query:a", "urn:li:query:b"] }, { field: "timestampMillis", condition: "GREATER_THAN_OR_EQUAL_TO", values: ["5"] }] }] });
  expect(peopleAsked([], 5).buckets.map(({ key }) => key)).toEqual(["urn", "userCounts.user"]);
});

it("tells when a query ran, how often, and who ran it most", () => {
  const uses = usesIn(
    table(["urn:li:query:a", "1795410000000", "545"], ["urn:li:query:b", "NULL", "NULL"]),
    table(["urn:li:query:a", "urn:li:corpuser:ilse", "2"], ["urn:li:query:a", "urn:li:corpuser:noor", "7"], ["urn:li:query:a", "NULL", "1"]),
  );
  expect(uses.get("urn:li:query:a")).toEqual({ last: 1_795_410_000_000, runs: 545, people: [{ urn: "urn:li:corpuser:noor", count: 7 }, { urn: "urn:li:corpuser:ilse", count: 2 }] });
  expect(uses.get("urn:li:query:b")).toEqual({ last: undefined, runs: 0, people: [] });
});

it("bears answers that tell nothing", () => {
  expect([null, {}, { value: null }, table(null, [], [null, null], "x")].map((answer) => usesIn(answer, answer).size)).toEqual([0, 0, 0, 0]);
});
