import { describe, expect, it } from "vitest";

import { addressOf, askedIn, conditionText, definitionOf, facetsIn, orFilters, pageInput, tickedIn, toggled, variablesOf, valueText, type Filter } from "./filters";

const asked = (text: string, usual = "") => askedIn(new URLSearchParams(text), usual);
const is = (field: string, ...values: string[]): Filter => ({ field, values, negated: false, condition: "EQUAL" });

describe("the address of a search", () => {
  it("says all of it, and is read back the same", () => {
    const search = asked(
      "query=net%20sales&page=3&sort=name&view=urn%3Ali%3AdataHubView%3Ax&filter_platform___false___EQUAL___0=urn%3Ali%3AdataPlatform%3Ahive,urn%3Ali%3AdataPlatform%3Akafka&filter_name___true___CONTAIN___1=old",
    );
    expect(search).toEqual({
      query: "net sales",
      page: 3,
      sort: "name",
      any: false,
      view: "urn:li:dataHubView:x",
      filters: [is("platform", "urn:li:dataPlatform:hive", "urn:li:dataPlatform:kafka"), { field: "name", values: ["old"], negated: true, condition: "CONTAIN" }],
    });
    expect(askedIn(addressOf(search))).toEqual(search);
  });

  it("keeps commas within a value", () => {
    const urn = "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)";
    const search = { ...asked(""), filters: [is("urn", urn, "b")] };
    expect(askedIn(addressOf(search)).filters).toEqual([is("urn", urn, "b")]);
  });

  it("may be one that other clients have written, today or long ago", () => {
    expect(asked("filter__entityType___false___EQUAL___0=DATASET&unionType=1&query=")).toMatchObject({ query: "*", any: true, filters: [is("_entityType", "DATASET")] });
    expect(asked("filter_platform=urn%3Ali%3AdataPlatform%3Ahive").filters).toEqual([is("platform", "urn:li:dataPlatform:hive")]);
    expect(asked("filter_entity___false___EQUAL___0=DATASET").filters).toEqual([is("_entityType", "DATASET")]);
    expect(asked("filter_owners___false___EXISTS___0=").filters).toEqual([{ field: "owners", values: [], negated: false, condition: "EXISTS" }]);
  });

  it("may hold anything, of which what means nothing is left out", () => {
    expect(asked("page=-4&sort=constructor&view=javascript:x&filter_=&filter_a___false___SOMETIMES___0=x&filter_b___false___EQUAL___0=")).toEqual(asked(""));
    const many = new URLSearchParams(Array.from({ length: 500 }, (_, at): [string, string] => [`filter_f${at}`, "x"]));
    expect(askedIn(many).filters).toHaveLength(50);
  });

  it("gets the usual view where it names none, and none where it says so", () => {
    const usual = "urn:li:dataHubView:mine";
    expect(asked("query=x", usual).view).toBe(usual);
    const without = { ...asked("query=x", usual), view: "" };
    expect(askedIn(addressOf(without, usual), usual).view).toBe("");
    expect(addressOf(asked("query=x", usual), usual).get("view")).toBe(usual);
  });
});

describe("ticks", () => {
  it("come and go, each facet in its place", () => {
    let filters: Filter[] = [];
    filters = toggled(filters, "platform", "a");
    filters = toggled(filters, "tags", "t");
    filters = toggled(filters, "platform", "b");
    expect(filters).toEqual([is("platform", "a", "b"), is("tags", "t")]);
    filters = toggled(filters, "platform", "a");
    filters = toggled(filters, "platform", "b");
    expect(filters).toEqual([is("tags", "t")]);
  });

  it("leave filters alone that say another thing of the same field", () => {
    const not: Filter = { field: "platform", values: ["x"], negated: true, condition: "EQUAL" };
    expect(toggled([not], "platform", "x")).toEqual([not, is("platform", "x")]);
    expect(tickedIn([not], "platform").size).toBe(0);
    expect(conditionText(not)).toBe("is not");
  });
});

describe("what is asked", () => {
  it("is one page, sorted, without counts", () => {
    expect(pageInput({ ...asked("query=x&page=2&sort=name") }, 20)).toEqual({
      query: "x",
      start: 20,
      count: 20,
      searchFlags: { skipAggregates: true },
      sortInput: { sortCriteria: [{ field: "_entityName", sortOrder: "ASCENDING" }] },
    });
  });

  it("counts a facet without what is ticked in it", () => {
    const variables = variablesOf({ ...asked("query=x"), filters: [is("platform", "a"), is("tags", "t")] }, 20) as unknown as Record<string, { facets?: string[]; orFilters?: unknown }>;
    expect(variables["a"]).toMatchObject({ facets: ["platform"], orFilters: orFilters([is("tags", "t")], false) });
    expect(variables["b"]).toMatchObject({ facets: ["tags"], orFilters: orFilters([is("platform", "a")], false) });
    expect(variables["withA"]).toBe(true);
    expect(variables["c"]).toBeUndefined();
    expect(variables["others"]?.facets).not.toContain("platform");
  });

  it("has alternatives where one filter is enough", () => {
    const search = { ...asked("query=x&unionType=1"), filters: [is("platform", "a"), is("tags", "t")] };
    expect(pageInput(search, 20).orFilters).toHaveLength(2);
    expect(variablesOf(search, 20)).not.toHaveProperty("a");
  });
});

const count = (value: string, n: number) => ({ value, count: n, entity: null });

describe("facets", () => {
  it("have ticked values first, then those with most results, and keep ticked values without any", () => {
    const answer = { a: { facets: [{ field: "platform", aggregations: [count("many", 9), count("few", 1), count("none", 0)] }] }, others: { facets: [{ field: "tags", aggregations: [count("t", 0)] }] } };
    expect(facetsIn(answer, [is("platform", "few", "gone")])).toEqual([{ field: "platform", title: "Platform", values: [count("few", 1), count("gone", 0), count("many", 9)] }]);
  });

  it("offer of health what is wrong alone, in words", () => {
    const health = { field: "hasActiveIncidents", aggregations: [count("false", 9), count("true", 2)] };
    expect(facetsIn({ others: { facets: [health] } }, [])).toEqual([{ field: "hasActiveIncidents", title: "Health", values: [count("true", 2)] }]);
    expect(facetsIn({ i: { facets: [health] } }, [is("hasActiveIncidents", "false")])[0]?.values).toEqual([count("false", 9), count("true", 2)]);
    expect(valueText("hasActiveIncidents", "true")).toBe("Open incident");
  });

  it("live with an answer that came in part", () => {
    expect(facetsIn({ a: null, others: { facets: null } }, [])).toEqual([]);
    expect(valueText("_entityType", "SOMETHING_NEW")).toBe("Something new");
    expect(valueText("_entityType␞typeNames", "DATASET␞View")).toBe("View");
  });
});

it("a view takes types apart from other filters", () => {
  expect(definitionOf({ ...asked(""), filters: [is("_entityType", "DATASET"), is("tags", "t")] })).toEqual({
    entityTypes: ["DATASET"],
    filter: { operator: "AND", filters: [{ field: "tags", values: ["t"], negated: false, condition: "EQUAL" }] },
  });
});
