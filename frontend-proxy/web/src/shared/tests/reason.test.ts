import { expect, it } from "vitest";

import { failuresIn, failureText, foundText, reasonsIn, reasonText, ruleText, type Condition, type Finding } from "./reason";

const condition = (property: string, operator: string | null, values: string[] = [], more: Partial<Condition> = {}): Condition => ({
  path: "rules",
  property,
  operator,
  values,
  match: null,
  elements: null,
  negated: false,
  oneOf: null,
  ...more,
});
const finding = (of: Condition, found: string[] | null, more: Partial<Finding> = {}): Finding => ({
  condition: of,
  met: false,
  decisive: true,
  found,
  foundTotal: found?.length ?? null,
  elements: null,
  ...more,
});
const columns = (match: string, more: Partial<Condition> = {}) => condition("columns", null, [], { match, elements: "description exists", ...more });

it("says what a condition asks", () => {
  expect(ruleText(condition("tier", "equals", ["gold", "silver"]))).toBe("Tier is gold or silver");
  expect(ruleText(condition("owners", "exists", [], { negated: true }))).toBe("Not: owners exists");
  expect(ruleText(condition("tags", "regex", ["^a"], { match: "all" }))).toBe("Each of tags matches ^a");
  expect(ruleText(columns("80%"))).toBe("80% of columns: description exists");
  expect(ruleText(condition("x", "equals", ["a", "b", "c", "d", "e"]))).toBe("X is a, b, c or 2 more");
});

it("says properties in words, and asks by a flag as by what it tells of", () => {
  expect(reasonText(condition("editableSchemaMetadata.editableSchemaFieldInfo.description", "exists"))).toBe("No description in editable schema metadata");
  expect(reasonText(condition("hasOwners", "is_true"))).toBe("No owners");
  expect(reasonText(condition("hasOwners", "is_false"))).toBe("Owners is there");
  expect(ruleText(condition("hasTags", "Is True"))).toBe("Tags exists");
  expect(reasonText(condition("deprecated", "is_false"))).toBe("Deprecated is not false");
});

it("says why an asset fails by a condition", () => {
  expect(reasonText(condition("owners", "exists"))).toBe("No owners");
  expect(reasonText(condition("owners", "exists", [], { negated: true }))).toBe("Owners is there");
  expect(reasonText(condition("tier", "equals", ["gold"]))).toBe("Tier is not gold");
  expect(reasonText(condition("tier", "equals", ["gold"], { negated: true }))).toBe("Tier is gold");
  expect(reasonText(condition("rows", "greater_than_or_equal", ["3"]))).toBe("Rows is less than 3");
  expect(reasonText(columns("80%"))).toBe("Too few of columns: description exists");
  expect(reasonText(columns("none"))).toBe("Too many of columns: description exists");
  expect(reasonText(columns("any", { negated: true }))).toBe("Too many of columns: description exists");
  expect(reasonText(condition("tags", "contains", ["x"], { match: "none" }))).toBe("Not: None of tags contains x");
});

it("shows an operator that is not known here as it is", () => {
  expect(ruleText(condition("x", "sounds_like", ["y"]))).toBe("X sounds_like y");
  expect(reasonText(condition("x", "sounds_like", ["y"]))).toBe("Not: x sounds_like y");
  expect(reasonText(condition("x", null))).toBe("Not: x");
});

it("tells the value found, that there is none, and that it may not be seen", () => {
  expect(failureText(finding(condition("tier", "equals", ["gold"]), ["bronze"]))).toBe("Tier is not gold, found “bronze”");
  expect(failureText(finding(condition("tier", "equals", ["gold"]), []))).toBe("Tier is not gold, there is no value");
  expect(failureText(finding(condition("owners", "exists"), []))).toBe("No owners");
  expect(failureText(finding(condition("tier", "equals", ["gold"]), null))).toBe("Tier is not gold, you may not see the value");
  expect(failureText(finding(columns("80%"), ["a", "b"], { foundTotal: 5, elements: 11 }))).toBe("Too few of columns: description exists, 5 of 11 do not: a, b and 3 more");
  expect(foundText(finding(condition("tags", "equals"), ["a"], { foundTotal: 3 }))).toBe("“a” and 2 more");
  expect(foundText(finding(condition("lastModified", "not_exists"), [], { foundTotal: 1 }))).toBe("1 value");
  expect(foundText(finding(columns("any"), [], { elements: 0 }))).toBe("there are none");
  expect(foundText(finding(columns("any"), [], { elements: 3 }))).toBe("all do");
  expect(foundText(finding(columns("none"), ["a"], { elements: 3 }))).toBe("1 of 3 do: a");
});

it("makes one reason of alternatives that as many assets fail by", () => {
  const list = [
    { count: 9, condition: condition("description", "exists", [], { path: "rules.or[0]", oneOf: "rules.or" }) },
    { count: 9, condition: condition("editedDescription", "exists", [], { path: "rules.or[1]", oneOf: "rules.or" }) },
    { count: 9, condition: condition("owners", "exists", [], { path: "rules[2]" }) },
    { count: 4, condition: condition("tags", "exists", [], { path: "rules.or[3]", oneOf: "rules.or" }) },
  ];
  expect(reasonsIn(list).map(({ text, count }) => `${text} ${count}`)).toEqual(["No description, and no edited description 9", "No owners 9", "No tags 4"]);
});

it("tells of one asset what it fails by, with alternatives as one reason", () => {
  const either = (property: string) => condition(property, "exists", [], { path: property, oneOf: "rules[0]" });
  expect(
    failuresIn([
      finding(either("owners"), []),
      finding(either("domain"), []),
      finding(condition("tier", "equals", ["gold"], { path: "rules[1]" }), ["bronze"]),
      finding(condition("tags", "exists", [], { path: "rules[2]" }), [], { decisive: false }),
    ]),
  ).toEqual(["No owners, and no domain", "Tier is not gold, found “bronze”"]);
});
