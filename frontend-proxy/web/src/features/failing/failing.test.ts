import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { assetsOf, checksIn, foundText, incidentsIn, sinceIsKnown } from "./failing";

const day = 86_400_000;
const event = (at: number, type: string, more = {}) => ({ timestampMillis: at * day, asserteeUrn: "urn:li:dataset:a", result: { type, ...more } });
const entity = (urn: string, runEvents: unknown[], dataset: unknown = { urn: "urn:li:dataset:a", type: "DATASET", name: "a" }) => ({ entity: { urn, info: { description: urn }, runEvents: { runEvents }, dataset } });

const runs = (n: number, type: string) => Array.from({ length: n }, (_, at) => event(20 - at, type));

const known = (list: unknown[]) => checksIn(answered({ searchResults: [entity("x", list)] })).map(({ check }) => sinceIsKnown(check));

describe("checks that do not pass", () => {
  it("stand failing first, and of these the one that began to fail last", () => {
    const page = {
      searchResults: [
        entity("old", [event(9, "FAILURE"), event(8, "FAILURE"), event(7, "SUCCESS")]),
        entity("error", [event(9, "ERROR", { error: { type: "SOURCE_QUERY_FAILED", properties: [{ key: "message", value: "no such table" }] } })]),
        entity("new", [event(9, "FAILURE", { unexpectedCount: 3 }), event(8, "SUCCESS")], { urn: "urn:li:dataset:b", type: "DATASET", name: "b" }),
      ],
    };
    const checks = checksIn(answered(page));
    expect(checks.map(({ check }) => check.urn)).toEqual(["new", "old", "error"]);
    expect(checks.map(({ check }) => foundText(check))).toEqual(["3 unexpected", "Failed", "Source query failed: no such table"]);
    expect(assetsOf(checks)).toBe(2);
  });

  it("name the asset of the run where the definition names none, and none where nothing does", () => {
    const [by, none] = checksIn(answered({ searchResults: [entity("by", [event(1, "FAILURE")], null), entity("none", [], null)] }));
    expect(by?.asset?.urn).toBe("urn:li:dataset:a");
    expect(none?.asset).toBeNull();
  });

  it("tell that it may be longer where all known runs failed", () => {
    expect([known(runs(14, "FAILURE")), known(runs(3, "FAILURE")), known([...runs(13, "FAILURE"), event(1, "SUCCESS")])]).toEqual([[false], [true], [true]]);
  });

  it("bear answers that came in part", () => {
    expect(checksIn(answered(null))).toEqual([]);
    expect(checksIn(answered({ searchResults: [null, { entity: null }, { entity: { urn: 5 } }] })).length).toBeLessThanOrEqual(1);
    expect(incidentsIn(answered({ searchResults: [{ entity: { urn: "urn:li:incident:a", entity: null } }] }))[0]).toMatchObject({ asset: null });
  });
});
