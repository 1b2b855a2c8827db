import { expect, it } from "vitest";

import { answered } from "../lib/test-answer";
import { assetIn } from "../shared/asset/asset";
import { tabsOf } from "../shared/asset/tabs";
import { tabs } from "./asset-tabs";

const urn = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)";

const countsIn = (entity: Record<string, unknown>) => {
  const asset = assetIn(urn, answered({ entityExists: true, entity }));
  const all = tabsOf(asset, tabs);
  return { names: all.map(({ name }) => name), counts: Object.fromEntries(all.flatMap((tab) => (tab.count ? [[tab.name, tab.count(asset)]] : []))) };
};

it("tells by the head of an asset how much is in its tabs", () => {
  const { names, counts } = countsIn({
    columns: { fields: [{ nullable: true }, { nullable: false }, null] },
    upstream: { total: 5 },
    downstream: { total: 11 },
    forms: { incompleteForms: [{ form: { urn: "a" } }], completedForms: [{ form: { urn: "b" } }] },
    tests: { passing: [{ test: { urn: "c" } }], failing: null },
  });
  expect(counts).toMatchObject({ Schema: 2, Lineage: 16, Governance: 3 });
  expect(names.indexOf("Lineage")).toBeLessThan(names.indexOf("Stats"));
});

it("puts tabs without contents last, but a dataset opens with its schema", () => {
  const { names, counts } = countsIn({ columns: null, upstream: { total: 0 }, downstream: { total: 0 }, forms: null, tests: null });
  expect(counts).toMatchObject({ Schema: 0, Lineage: 0, Governance: 0 });
  expect(names[0]).toBe("Schema");
  expect(names.indexOf("Lineage")).toBeGreaterThan(names.indexOf("Facts"));
  expect(names.indexOf("Governance")).toBeGreaterThan(names.indexOf("Facts"));
});

it("tells no number of what the answer does not hold", () => {
  const { names, counts } = countsIn({});
  expect([counts["Schema"], counts["Lineage"], counts["Governance"]]).toEqual([undefined, undefined, undefined]);
  expect(names.indexOf("Lineage")).toBeLessThan(names.indexOf("Facts"));
});
