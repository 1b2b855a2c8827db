import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { chartsIn, doubtfulSources, isDoubtful } from "./charts";

const orders = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)";
const source = (status: string) => ({ entity: { urn: orders, type: "DATASET", name: "orders", health: [{ type: "ASSERTIONS", status, message: "1 of 12 assertions are failing" }] } });
const chart = (key: string, more: object) => ({ entity: { urn: `urn:li:chart:(looker,${key})`, ...more } });
const answerOf = (...relationships: unknown[]) => ({ entity: { relationships: { total: 4, relationships } } });

it("reads what a dashboard is made of, the most viewed first", () => {
  const { total, charts } = chartsIn(answered(
    answerOf(
      chart("quiet", { chart: { name: "Quiet", type: "BAR", description: " " }, stats: { viewCountLast30Days: 3 } }),
      chart("busy", {
        chart: { name: "Busy", type: "LINE", description: "By week" },
        stats: { viewCountLast30Days: 40 },
        inputFields: { fields: [{ schemaField: { fieldPath: "net" } }, { schemaField: { fieldPath: "net" } }, { schemaField: null }, null] },
        sources: { total: 3, relationships: [source("FAIL"), { entity: { urn: "urn:li:restricted:x", type: "RESTRICTED" } }, { entity: null }] },
      }),
      { entity: { urn: "urn:li:dashboard:(looker,inner)", dashboard: { name: "Inner" } } },
      null,
    ),
  ));
  expect(total).toBe(4);
  expect(charts.map(({ name, kind, described, views }) => [name, kind, described, views])).toEqual([
    ["Busy", "Line", true, 40],
    ["Quiet", "Bars", false, 3],
    ["Inner", "Dashboard", false, undefined],
  ]);
  const [busy] = charts;
  expect(busy).toMatchObject({ shows: ["net"], sourceCount: 3, sources: [{ name: "orders", state: { tone: "bad" } }, { name: "Restricted asset", restricted: true }] });
  expect(charts.map(isDoubtful)).toEqual([true, false, false]);
  expect(doubtfulSources(charts).map(({ name }) => name)).toEqual(["orders"]);
});

it("doubts nothing whose checks pass, and names a source once", () => {
  const { charts } = chartsIn(answered(answerOf(chart("a", { sources: { relationships: [source("PASS")] } }), chart("b", { sources: { relationships: [source("PASS")] } }))));
  expect(charts.some(isDoubtful)).toBe(false);
  const both = chartsIn(answered(answerOf(chart("a", { sources: { relationships: [source("FAIL")] } }), chart("b", { sources: { relationships: [source("FAIL")] } }))));
  expect(doubtfulSources(both.charts)).toHaveLength(1);
});

it("takes answers for anything, and kinds that it does not know", () => {
  for (const other of [null, 7, "x", [], {}, { entity: [] }, { entity: { relationships: { relationships: [7, { entity: {} }] } } }]) {
    expect(chartsIn(answered(other))).toEqual({ total: 0, charts: [] });
  }
  expect(chartsIn(answered(answerOf(chart("a", { chart: { type: "constructor" } })))).charts[0]).toMatchObject({ name: "a", kind: "constructor" });
});
