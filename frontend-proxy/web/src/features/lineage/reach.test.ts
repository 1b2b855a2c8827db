import { describe, expect, it } from "vitest";

import { csvText } from "../../lib/csv";
import { readAddress } from "./address";
import { assetOf, stateText } from "./asset";
import { shownText } from "./bar";
import { zoomed } from "./canvas";
import { impactInput } from "./read";
import { cellsOf, fileHead, mostRows, readAll, reachedOf, type Reached } from "./reach";

const row = (at: number): Reached => reachedOf({ degree: 1, entity: { urn: `urn:li:dataset:${at}` } });
const never = new AbortController().signal;

describe("a list for a file", () => {
  it("is read page by page to its end", async () => {
    const told: number[] = [];
    const asked: (string | null)[] = [];
    const { rows, total } = await readAll(
      (after) => {
        asked.push(after);
        return Promise.resolve({ rows: [row(asked.length)], next: asked.length < 3 ? `page ${asked.length}` : null, total: 3 });
      },
      (done) => told.push(done),
      never,
    );
    expect([rows.length, total, told, asked]).toEqual([3, 3, [1, 2, 3], [null, "page 1", "page 2"]]);
  });

  it("has an end even where the server names a next page for ever", async () => {
    const many = Array.from({ length: 1000 }, (_, at) => row(at));
    const { rows, total } = await readAll(() => Promise.resolve({ rows: many, next: "on", total: 100_000 }), () => undefined, never);
    expect([rows.length, total]).toEqual([mostRows, 100_000]);
    expect((await readAll(() => Promise.resolve({ rows: [], next: "on", total: 5 }), () => undefined, never)).rows).toEqual([]);
  });

  it("stops when somebody cancels, and fails where a page does", async () => {
    const abort = new AbortController();
    let pages = 0;
    const stopping = () => {
      pages++;
      abort.abort();
      return Promise.resolve({ rows: [row(pages)], next: "on", total: 9 });
    };
    await expect(readAll(stopping, () => undefined, abort.signal)).rejects.toThrow("aborted");
    expect(pages).toBe(1);
    await expect(readAll(() => Promise.reject(new Error("away")), () => undefined, never)).rejects.toThrow("away");
  });

  it("holds names that spreadsheets would run as text", () => {
    const entity = { urn: "urn:li:dataset:x", properties: { name: '=cmd("x")' }, platform: { urn: null, name: "kafka", properties: null }, deprecation: { deprecated: true } };
    const text = csvText(fileHead, [cellsOf(reachedOf({ degree: 2, entity }))]);
    expect(text).toContain(`"'=cmd(""x"")"`);
    expect(text).toContain("kafka");
    expect(text).toContain("Deprecated");
  });
});

const state = (entity: object) => stateText(assetOf({ urn: "urn:li:dataset:x", ...entity }));

const health = (...list: object[]) => assetOf({ urn: "urn:li:dataset:x", health: list } as { urn: string }).healthText;

describe("an asset", () => {
  it("is read where its members are null or of another kind", () => {
    for (const odd of [null, 7, "x", [null], {}]) {
      const asset = assetOf({
        urn: "urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)",
        type: odd,
        health: odd,
        ownership: { owners: odd },
        platform: odd,
        parentContainers: { containers: odd },
        status: odd,
        properties: odd,
        subTypes: { typeNames: odd },
      } as unknown as { urn: string });
      expect(asset.name).toBe("orders");
      expect(asset.healthText).toBe("No checks");
    }
  });

  it("says why it is drawn dashed", () => {
    expect(state({})).toBe("");
    expect(state({ status: { removed: true }, deprecation: { deprecated: true } })).toBe("Removed");
    expect(state({ exists: false })).toBe("Not in the catalog");
    expect(state({ type: "RESTRICTED" })).toBe("You may not view it");
  });

  it("passes by checks alone, and fails by whatever is worst", () => {
    expect(health({ type: "INCIDENTS", status: "PASS" })).toBe("No checks");
    expect(health({ type: "INCIDENTS", status: "PASS" }, { type: "ASSERTIONS", status: "PASS" })).toBe("Checks pass");
    expect(health({ type: "ASSERTIONS", status: "FAIL", message: "1 assertion of 12 failing" })).toBe("1 of 12 checks fails");
    expect(health({ type: "ASSERTIONS", status: "PASS" }, { type: "INCIDENTS", status: "FAIL" })).toBe("An incident is open");
    expect(health({ type: "SOMETHING_NEW", status: "WARN", message: "Late" })).toBe("Late");
    expect(health({ type: "ASSERTIONS", status: "UNHEARD_OF" })).toBe("No checks");
  });
});

const read = (text: string, narrow = false) => {
  const parameters = new URLSearchParams(text);
  return readAddress((name) => parameters.get(name) ?? "", "urn:li:dataset:root", narrow);
};

describe("the address", () => {
  it("opens with a graph, on a narrow page with the table", () => {
    expect(read("").view).toBe("graph");
    expect(read("", true).view).toBe("table");
    expect(read("view=graph", true).view).toBe("graph");
  });

  it("is read as usual where it says what cannot be", () => {
    expect(read("view=x&direction=left&steps=-4&most=9999999&node=javascript:1&open=%00&to=<b>")).toEqual(read(""));
    expect(read("steps=99&most=500")).toMatchObject({ steps: 10, most: 500 });
  });

  it("names a column of the root, or of another asset", () => {
    expect(read("column=total").column).toEqual({ urn: "urn:li:dataset:root", path: "total" });
    expect(read("column=total&of=urn:li:dataset:b").column?.urn).toBe("urn:li:dataset:b");
  });

  it("filters the list of what is reached", () => {
    const address = { direction: "both" as const, platform: "", kind: "DASHBOARD", live: true };
    expect(impactInput("urn:li:dataset:root", address, "3+")).toEqual({
      urn: "urn:li:dataset:root",
      direction: "DOWNSTREAM",
      query: "*",
      orFilters: [{ and: [{ field: "degree", values: ["3+"] }, { field: "_entityType", values: ["DASHBOARD"] }, { field: "deprecated", values: ["true"], negated: true }] }],
      searchFlags: { includeSoftDeleted: false },
    });
  });
});

it("says how much is shown", () => {
  expect(shownText(9, 23, false, 0)).toBe("9 of 23 assets shown");
  expect(shownText(54, 100, false, 11)).toBe("54 of 100 assets, in 11 groups");
  expect(shownText(51, 40_000, true, 0)).toBe("51 of 40,000 or more assets shown");
  expect(shownText(1, 0, false, 0)).toBe("1 of 1 asset shown");
});

it("draws larger around the point that somebody points at", () => {
  const sight = zoomed({ x: 10, y: 20, zoom: 1 }, 2, { x: 110, y: 120 });
  expect(sight).toEqual({ x: -90, y: -80, zoom: 2 });
  expect(zoomed(sight, 100, { x: 0, y: 0 }).zoom).toBe(2);
});
