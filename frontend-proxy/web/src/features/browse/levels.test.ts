import { expect, test } from "vitest";

import { answered } from "../../lib/test-answer";
import { assetsAsked, columnsAsked, columnsOf, depthsOf, filtersOf, kindsOf } from "./levels";

const counts = (all: Record<string, number>) => Object.entries(all).map(([value, count]) => ({ value, count }));

const hive = "urn:li:dataPlatform:hive";

test("levels beyond the third fold away from the front", () => {
  expect(depthsOf({ platform: "", path: [] })).toEqual([]);
  expect(depthsOf({ platform: hive, path: [] })).toEqual([0]);
  expect(depthsOf({ platform: hive, path: ["a", "b"] })).toEqual([0, 1, 2]);
  expect(depthsOf({ platform: hive, path: ["a", "b", "c", "d"] })).toEqual([2, 3, 4]);
});

test("each column asks for what lies below the steps that lead to it", () => {
  const asked = columnsAsked({ platform: hive, path: ["a", "b", "c"] });
  expect([asked.first?.path, asked.second?.path, asked.third?.path]).toEqual([["a"], ["a", "b"], ["a", "b", "c"]]);
  expect(asked.first?.orFilters).toEqual([{ and: [{ field: "platform", values: [hive] }] }]);
  expect(columnsAsked({ platform: "", path: [] })).not.toHaveProperty("withFirst");
});

test("assets are searched by platform and path", () => {
  expect(filtersOf({ platform: hive, path: ["a", "b"] }).map(({ field, values }) => [field, values])).toEqual([
    ["platform", [hive]],
    ["browsePathV2", ["␟a␟b"]],
  ]);
  expect(filtersOf({ platform: hive, path: [] })).toHaveLength(1);
  const list = { find: "", kind: "", sort: "", start: 0 };
  const place = { platform: hive, path: [] };
  expect(assetsAsked(place, { ...list, find: " orders ", start: 50 }).input).toMatchObject({ query: "orders", start: 50 });
  expect(assetsAsked(place, { ...list, find: "orders" }).input).not.toHaveProperty("sortInput");
  const first = (sort: string, find = "") => assetsAsked(place, { ...list, sort, find }).input.sortInput?.sortCriteria?.[0]?.field;
  expect([first(""), first("best"), first("nonsense"), first("name"), first("changed", "orders")]).toEqual([
    "uniqueUserCountLast30Days",
    "uniqueUserCountLast30Days",
    "uniqueUserCountLast30Days",
    "_entityName",
    "lastModifiedAt",
  ]);
});

test("a list is narrowed to a kind, and its kinds are counted without that", () => {
  const asked = assetsAsked({ platform: hive, path: [] }, { find: "", kind: "DATASET␞View", sort: "", start: 0 });
  expect(asked.input.orFilters?.[0]?.and?.map(({ field, values }) => [field, values])).toEqual([
    ["platform", [hive]],
    ["_entityType␞typeNames", ["DATASET␞View"]],
  ]);
  expect(asked.kinds.orFilters?.[0]?.and).toHaveLength(1);
  const answer = {
    kinds: {
      facets: [
        { field: "_entityType", aggregations: counts({ DATASET: 9, DASHBOARD: 4, CHART: 0 }) },
        { field: "_entityType␞typeNames", aggregations: counts({ DATASET: 9, "DATASET␞View": 2, "DATASET␞Table": 6, DASHBOARD: 4 }) },
      ],
    },
  } as never;
  expect(kindsOf(answer).map(({ kind, count }) => `${kind} ${count}`)).toEqual(["DATASET␞Table 6", "DASHBOARD 4", "DATASET␞View 2"]);
  expect([kindsOf(undefined), kindsOf({ kinds: null } as never)]).toEqual([[], []]);
});

test("columns hold the platforms and the levels below, with what is open", () => {
  const schema = { urn: "urn:li:container:1", type: "CONTAINER", properties: { name: "sales" }, subTypes: { typeNames: ["Schema"] } };
  const answer = {
    platforms: {
      facets: [
        {
          field: "platform",
          aggregations: [
            { value: "urn:li:dataPlatform:x", count: 2, entity: null },
            { value: hive, count: 7, entity: { urn: hive, type: "DATA_PLATFORM", name: "hive", properties: { displayName: "Hive" } } },
            { value: "urn:li:dataPlatform:none", count: 0, entity: null },
          ],
        },
      ],
    },
    first: { total: 3, groups: [{ name: "urn:li:container:1", count: 5, hasSubGroups: true, entity: schema }, { name: "plain", count: 2, hasSubGroups: false, entity: null }] },
    second: { total: 0, groups: [] },
  } as never;
  const columns = columnsOf(answer, { platform: hive, path: ["urn:li:container:1"] });
  expect(columns.map(({ title, depth, more, open }) => [title, depth, more, open])).toEqual([
    ["Platform", -1, 0, hive],
    ["Folder", 0, 1, "urn:li:container:1"],
  ]);
  expect(columns[0]?.steps.map(({ name }) => name)).toEqual(["Hive", "urn:li:dataPlatform:x"]);
  expect(columns[1]?.steps.map(({ name, urn }) => [name, urn])).toEqual([["plain", undefined], ["sales", "urn:li:container:1"]]);
});

test("an answer without anything is no column but the platforms", () => {
  expect(columnsOf({ platforms: null } as never, { platform: hive, path: [] })).toHaveLength(1);
});

test("columns are read from levels with nulls and values of other types", () => {
  const [, folders] = columnsOf(answered({ platforms: "x", first: { total: "9", groups: [null, {}, { name: "a", count: null, entity: null }, { name: "b", count: "3", entity: { urn: null, subTypes: "x" } }] } }), { platform: hive, path: [] });
  expect(folders).toMatchObject({ title: "Folder", more: 7, steps: [{ key: "a", name: "a", count: 0, urn: undefined }, { key: "b", name: "b", count: 3, urn: undefined }] });
});
