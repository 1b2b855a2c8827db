import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { change } from "../../lib/request";
import type { Entry } from "./entry";
import { levelQuery, top } from "./levels";
import { move, refusalOf, without, withEntry, type Place } from "./move";

vi.mock("../../lib/request", () => ({ change: vi.fn<typeof change>(), run: vi.fn<() => void>() }));

const entry = (name: string, group = false): Entry => ({ urn: `urn:li:${group ? "glossaryNode" : "glossaryTerm"}:${name}`, name, definition: "", group, count: 0 });

const [finance, metrics, revenue, churn] = [entry("Finance", true), entry("Metrics", true), entry("Revenue"), entry("Churn")];

const all = { entry: true, place: true };
const place = ({ urn, name }: Entry, ...path: Entry[]): Place => ({ urn, name, path: path.map((each) => each.urn) });
const atTop: Place = { urn: top, name: "the top", path: [] };

describe("where an entry can be moved", () => {
  it("is any other group, and the top", () => {
    expect(refusalOf({ entry: revenue, from: metrics.urn }, place(finance), all)).toBeNull();
    expect(refusalOf({ entry: revenue, from: metrics.urn }, atTop, all)).toBeNull();
    expect(refusalOf({ entry: metrics, from: top }, place(finance), { entry: undefined, place: undefined })).toBeNull();
  });

  it("is not itself, what it holds, and where it lies", () => {
    expect(refusalOf({ entry: metrics, from: top }, place(metrics), all)).toBe("Metrics cannot go into itself.");
    expect(refusalOf({ entry: metrics, from: top }, place(finance, metrics), all)).toBe("Finance is in Metrics, which cannot go into what it holds.");
    expect(refusalOf({ entry: revenue, from: metrics.urn }, place(metrics), all)).toBe("Revenue is in Metrics already.");
    expect(refusalOf({ entry: metrics, from: top }, atTop, all)).toBe("Metrics is at the top already.");
  });

  it("is where somebody has the privilege, of both", () => {
    const moved = { entry: revenue, from: metrics.urn };
    expect(refusalOf(moved, place(finance), { entry: false, place: true })).toContain("Manage Glossaries to move Revenue");
    expect(refusalOf(moved, place(finance), { entry: true, place: false })).toContain("Manage Direct Glossary Children on Finance");
    expect(refusalOf(moved, atTop, { entry: true, place: false })).toBe("You need the privilege Manage Glossaries to move it to the top.");
  });
});

it("puts an entry in its order, and counts it once", () => {
  const level = withEntry(withEntry({ entries: [finance, revenue], total: 2 }, churn), churn);
  expect(level).toEqual({ entries: [finance, churn, revenue], total: 3 });
  expect(without(without(level, churn.urn), churn.urn)).toEqual({ entries: [finance, revenue], total: 2 });
});

describe("a move", () => {
  const queries = new QueryClient();
  const names = (urn: string) => queries.getQueryData(levelQuery(urn).queryKey)?.entries.map(({ name }) => name);

  beforeEach(() => {
    queries.setQueryData(levelQuery(metrics.urn).queryKey, { entries: [churn, revenue], total: 2 });
    queries.setQueryData(levelQuery(finance.urn).queryKey, { entries: [], total: 0 });
    queries.setQueryData(levelQuery(top).queryKey, { entries: [finance, metrics], total: 2 });
  });

  it("is seen in both levels at once, and taken back in both when it is refused", async () => {
    let refuse: ((error: Error) => void) | undefined;
    vi.mocked(change).mockReturnValueOnce(new Promise((_, reject) => (refuse = reject)));
    const moving = move(queries, { entry: churn, from: metrics.urn }, finance.urn);
    expect([names(metrics.urn), names(finance.urn)]).toEqual([["Revenue"], ["Churn"]]);
    refuse?.(new Error("You may not"));
    await expect(moving).rejects.toThrow("You may not");
    expect([names(metrics.urn), names(finance.urn)]).toEqual([["Churn", "Revenue"], []]);
  });

  it("is sent once, after those before it in either level, also when they cross", async () => {
    const sent: string[] = [];
    vi.mocked(change).mockImplementation((_, variables) => {
      sent.push(JSON.stringify(variables));
      return Promise.resolve() as never;
    });
    await Promise.all([
      move(queries, { entry: churn, from: metrics.urn }, top),
      move(queries, { entry: revenue, from: metrics.urn }, finance.urn),
      move(queries, { entry: churn, from: top }, metrics.urn),
    ]);
    expect(sent.map((each) => JSON.parse(each).input)).toEqual([{ resourceUrn: churn.urn }, { resourceUrn: revenue.urn, parentNode: finance.urn }, { resourceUrn: churn.urn, parentNode: metrics.urn }]);
  });
});
