import { expect, it } from "vitest";

import { newerThan, ownedIn, ownedPath } from "./owned";

const entry = (entityUrn: string, time: number, changes: object[], actor = "urn:li:corpuser:ilse") => ({ entityUrn, entityType: "dataset", actor, time, changes });

it("reads changes, and puts together what was written at once", () => {
  const { changes, next } = ownedIn({
    changes: [
      entry("urn:li:dataset:a", 5, [{ category: "TAG", operation: "ADD", modifier: "urn:li:tag:pii", parameters: { fieldPath: "email" } }]),
      entry("urn:li:dataset:a", 5, [{ category: "DOCUMENTATION", operation: "MODIFY", parameters: { description: "words" } }]),
      entry("urn:li:dataset:b", 5, [{ category: "LIFECYCLE", operation: "SOFT_DELETE" }]),
      entry("urn:li:dataset:b", 4, [{ category: "DEPRECATION", operation: "MODIFY", parameters: { status: "DEPRECATED", note: "old" } }]),
      entry("nonsense", 3, []),
      null,
    ],
    next: "17",
  });
  expect(next).toBe("17");
  expect(changes.map(({ urn, changes: of }) => [urn, of.map(({ noun, said, urn: thing, column, detail }) => [noun || said, thing, column, detail].filter(Boolean).join(" "))])).toEqual([
    ["urn:li:dataset:a", ["description words", "tag urn:li:tag:pii email"]],
    ["urn:li:dataset:b", ["removed"]],
    ["urn:li:dataset:b", ["marked as deprecated old"]],
  ]);
  expect(newerThan(changes, 4)).toBe(2);
  expect(ownedIn(undefined)).toEqual({ changes: [], next: "" });
});

it("bears categories that it does not know", () => {
  const { changes } = ownedIn({ changes: [entry("urn:li:dataset:a", 5, [{ category: "constructor", operation: "toString" }, {}])] });
  expect(changes[0]?.changes.map(({ noun, said }) => noun + said)).toEqual(["", ""]);
});

it("asks for what is needed", () => {
  expect(ownedPath({})).toBe("/events/owned");
  expect(ownedPath({ since: 5, before: "9", count: 1 })).toBe("/events/owned?since=5&before=9&count=1");
});
