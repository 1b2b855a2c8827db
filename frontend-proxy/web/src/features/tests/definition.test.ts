import * as yaml from "yaml";
import { expect, it } from "vitest";

import { actionsChanges, problemsIn, problemsOfActions, read, rowsChange, typed, type Form, type Read } from "./definition";

const known = (text: string) => {
  const found = read(text, yaml);
  if (found.form === null) {
    throw new Error(found.reason);
  }
  return found;
};
const form = (value: unknown): Form => known(JSON.stringify(value)).form;
const reason = (found: Read) => (found.form === null ? found.reason : null);
const check = { property: "owners", operator: "exists", values: [] };

it("shows conditions as rows, however they are written", () => {
  const one = { property: "owners", operator: "exists" };
  expect(form({ rules: one }).rules).toEqual({ joiner: "and", checks: [check], written: "one" });
  expect(form({ rules: [one, one] }).rules).toMatchObject({ joiner: "and", checks: [check, check] });
  expect(form({ rules: { or: [one, one] } }).rules).toMatchObject({ joiner: "or", checks: [check, check] });
  expect(form({ on: { types: ["chart"], match: { query: "platform", operation: "EQUALS", value: "x" } } })).toMatchObject({
    types: ["chart"],
    conditions: { checks: [{ property: "platform", operator: "EQUALS", values: ["x"] }] },
  });
  expect(form({}).rules).toMatchObject({ checks: [] });
});

it("leaves to the text what rows cannot say, part by part", () => {
  const one = { property: "owners", operator: "exists" };
  for (const rules of [{ not: one }, { or: [] }, { and: [{ or: [one] }] }, { of: "columns", rules: one }, { ...one, match: "all" }, { and: [one], or: [one] }, [null], "x", Array.from({ length: 61 }, () => one)]) {
    expect(form({ on: { types: ["dataset"], conditions: one }, rules })).toMatchObject({ types: ["dataset"], conditions: { checks: [check] }, rules: null });
  }
  expect(form({ on: { types: "dataset" } }).types).toBeNull();
  expect(form({ actions: { failing: [{ type: "ADD_TAGS", when: 1 }] } }).actions).toBeNull();
  expect(form({ rules: { property: null, operator: null, values: null } }).rules?.checks).toEqual([{ property: "", operator: "", values: [] }]);
});

it("says why the form cannot show a text", () => {
  expect(reason(read("{", yaml))).toMatch("cannot be read");
  expect(reason(read("[]", yaml))).toBe("It must be an object.");
  expect(reason(read("on: [", yaml))).toMatch("cannot be read");
  expect(reason(read("a: &x [1]\nb: *x", yaml))).toMatch("repeats parts");
  expect(reason(read('{"rules": {"property": "x", "operator": "equals", "values": [12345678901234567890]}}', yaml))).toMatch("more figures");
  expect(reason(read(`# ${"x".repeat(100_001)}\non: {}`, yaml))).toMatch("too long");
  expect(read("", yaml).form?.rules?.checks).toEqual([]);
});

it("is not taken in by a text that unfolds", () => {
  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefgh".split("").map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]`)].join("\n");
  expect(read(bomb, yaml).form).toBeNull();
});

it("changes in JSON what the form changes, and keeps the rest", () => {
  const text = known('{"$schema": "x", "on": {"types": ["dataset"], "match": {"not": {}}}, "later": [1]}');
  expect(JSON.parse(text.write(rowsChange("rules", { joiner: "or", checks: [check, { ...check, values: ["a"] }] }, text)))).toEqual({
    $schema: "x",
    on: { types: ["dataset"], match: { not: {} } },
    later: [1],
    rules: { or: [{ property: "owners", operator: "exists" }, { property: "owners", operator: "exists", values: ["a"] }] },
  });
  expect(JSON.parse(text.write(rowsChange("conditions", { joiner: "and", checks: [check] }, text)))["on"]).toEqual({ types: ["dataset"], match: { property: "owners", operator: "exists" } });
  expect(JSON.parse(text.write(rowsChange("conditions", { joiner: "and", checks: [] }, text)))["on"]).toEqual({ types: ["dataset"] });
});

it("changes in YAML what the form changes, and keeps comments", () => {
  const text = known("# of the data team\non:\n  types: [dataset] # all\n  match: {property: a, operator: exists}\nrules: []\n");
  const written = text.write([...rowsChange("conditions", { joiner: "and", checks: [check] }, text), { path: ["every"], value: "6h" }]);
  expect(written).toContain("# of the data team");
  expect(written).toContain("# all");
  expect(yaml.parse(written)).toEqual({ on: { types: ["dataset"], match: { property: "owners", operator: "exists" } }, rules: [], every: "6h" });
});

it("writes into members that are not there yet, in both forms", () => {
  const change = actionsChanges([{ verdict: "failing", type: "ADD_TAGS", params: { tags: ["urn:li:tag:x"] } }], true);
  const wanted = { actions: { undo: true, failing: [{ type: "ADD_TAGS", params: { tags: ["urn:li:tag:x"] } }] } };
  expect(JSON.parse(known("{}").write(change))).toEqual(wanted);
  expect(yaml.parse(known("every: 6h").write(change))).toEqual({ every: "6h", ...wanted });
  expect(yaml.parse(known("every: 6h\nactions:\n  undo: true").write(actionsChanges([], false)))).toEqual({ every: "6h" });
});

it("reads what it wrote as the same rows", () => {
  for (const start of ["{}", "every: 6h"]) {
    const text = known(start);
    const rows = { joiner: "or" as const, checks: [{ property: "rows", operator: "greater_than", values: [5] }, { property: "a", operator: "equals", values: ["5", "yes", "no: x"] }] };
    expect(known(text.write(rowsChange("rules", rows, text))).form.rules).toMatchObject(rows);
  }
});

it("keeps the kinds of values", () => {
  expect(typed(["5", "x", "1e400"], { property: "a", operator: "greater_than", values: [] })).toEqual([5, "x", "1e400"]);
  expect(typed(["5"], { property: "a", operator: "equals", values: ["4"] })).toEqual(["5"]);
  expect(typed(["5", "007"], { property: "a", operator: "equals", values: [4] })).toEqual([5, "007"]);
  expect(typed(["false"], { property: "a", operator: "equals", values: [true] })).toEqual([false]);
});

it("puts problems beside the rows they are about", () => {
  const places = (rules: unknown, path: string) => [...problemsIn([{ path, message: "" }], "rules", form({ rules }).rules).keys()];
  const one = { property: "owners", operator: "exists" };
  expect(places(one, "rules.property")).toEqual([0]);
  expect(places({ and: [one, one] }, "rules.and[1].values[0]")).toEqual([1]);
  expect(places([one, one], "rules[1]")).toEqual([1]);
  expect(places({ not: one }, "rules.not.property")).toEqual([-1]);
  expect(places(one, "rulesets")).toEqual([]);
  expect([...problemsIn([{ path: "on.match.value", message: "" }], "conditions", form({ on: { match: one } }).conditions).keys()]).toEqual([0]);
  const actions = form({ actions: { passing: [{ type: "A" }], failing: [{ type: "B" }, { type: "C" }] } }).actions;
  expect([...problemsOfActions([{ path: "actions.failing[1].params.tags", message: "" }, { path: "actions", message: "" }], actions).keys()]).toEqual([2, -1]);
});
