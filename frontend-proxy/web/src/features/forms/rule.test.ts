import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { indexed } from "../../lib/test-schema";
import { askedIn } from "../../shared/search/filters";
import { fields, filled, filtersOf, groupsIn, ruleWords, searchOf, urnsIn } from "./rule";

const stored = {
  filter: {
    or: [
      { and: [{ field: "_entityType", condition: "EQUAL", values: ["DATASET"], negated: false }, { field: "platform", condition: "EQUAL", values: ["urn:li:dataPlatform:kafka", "urn:li:dataPlatform:hive"], negated: true }] },
      { and: [{ field: "domains", condition: "EQUAL", value: "urn:li:domain:sales" }, { field: "hasOwners", condition: "EXISTS", negated: true }] },
      { and: [] },
    ],
  },
};

const nameOf = (urn: string) => urn.split(":").at(-1) ?? urn;

const asked = (address: string | null) => askedIn(new URLSearchParams(address?.split("?")[1] ?? ""));

describe("the rule of a form", () => {
  it("is told in words, a text for each group", () => {
    expect(ruleWords(groupsIn(stored), nameOf)).toEqual(["Type is Dataset and Platform is not kafka or hive", "Domain is sales and Has an owner does not exist"]);
    expect(groupsIn({ filter: { or: [{ and: [{ field: "_entityType", condition: "EQUAL", values: ["dataProduct", "DATASET"] }] }] } })[0]?.[0]?.values).toEqual(["DATA_PRODUCT", "DATASET"]);
    expect(groupsIn(null)).toEqual([]);
    expect(groupsIn(answered({ filter: { or: "all" } }))).toEqual([]);
  });

  it("names properties that it looks at", () => {
    const groups = groupsIn({ filter: { or: [{ and: [{ field: "structuredProperties.shop.tier", condition: "EQUAL", values: ["gold"] }] }] } });
    expect(urnsIn(groups)).toEqual(["urn:li:structuredProperty:shop.tier"]);
    expect(ruleWords(groups, (urn) => (urn === "urn:li:structuredProperty:shop.tier" ? "Tier" : urn))).toEqual(["Tier is gold"]);
  });

  it("goes to the server as it came, without what is not filled in", () => {
    const groups = groupsIn(stored);
    expect(filtersOf(groups)[0]?.and).toEqual([
      { field: "_entityType", condition: "EQUAL", values: ["DATASET"], negated: false },
      { field: "platform", condition: "EQUAL", values: ["urn:li:dataPlatform:kafka", "urn:li:dataPlatform:hive"], negated: true },
    ]);
    const blank = { field: "tags", condition: "EQUAL", values: [], negated: false };
    expect(filled([[blank], [...(groups[1] ?? []), blank]])).toEqual([groups[1]]);
  });

  it("leads to the search that finds the same, where there is one", () => {
    const [first = [], second = []] = groupsIn(stored);
    const [one = first[0]] = first;
    expect(asked(searchOf([first]))).toMatchObject({ filters: first, any: false });
    expect(one && asked(searchOf([[one], [one]]))).toMatchObject({ filters: [one, one], any: true });
    expect(searchOf([first, second])).toBeNull();
    expect(searchOf([])).toBeNull();
  });
});

it.each(fields.map(({ field }) => field))("is by a field of the index: %s", (field) => {
  expect(indexed).toContain(field);
});
