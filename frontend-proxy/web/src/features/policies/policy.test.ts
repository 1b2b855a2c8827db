import { expect, it } from "vitest";

import { conditionText, questionOf, type Condition } from "./explain";
import { answered } from "../../lib/test-answer";
import { chosen, policiesIn } from "./listed";
import { coversAll, draftOf, infoOf, missing, nothing, type Draft, type Info } from "../../shared/policies/policy";
import { sentenceToYou } from "../../shared/policies/to-you";
import { lower, sentence, textOf, type Vocabulary } from "../../shared/policies/words";

const known: Vocabulary = {
  names: new Map([
    ["urn:li:corpGroup:cs", "Customer stewards"],
    ["urn:li:corpuser:ilse", "Ilse"],
    ["urn:li:domain:customer", "Customer"],
    ["urn:li:domain:sales", "Sales"],
    ["urn:li:ownershipType:tech", "Technical Owner"],
    ["urn:li:dataset:(urn:li:dataPlatform:hive,fct_orders,PROD)", "fct_orders"],
  ]),
  privileges: new Map([
    ["EDIT_ENTITY_TAGS", "Edit Tags"],
    ["EDIT_ENTITY_OWNERS", "Edit Owners"],
    ["VIEW_DATASET_USAGE", "View Dataset Usage"],
  ]),
  types: new Map([
    ["dataset", "Datasets"],
    ["dashboard", "Dashboards"],
    ["chart", "Charts"],
  ]),
};
const draft = (more: Partial<Draft>): Draft => ({ ...nothing, name: "p", people: ["urn:li:corpuser:ilse"], privileges: ["EDIT_ENTITY_TAGS"], ...more });
const says = (more: Partial<Draft>) => textOf(sentence(draft(more), known));

it("says a policy in a sentence", () => {
  expect(
    says({
      people: ["urn:li:corpGroup:cs", "urn:li:corpuser:ilse"],
      owners: ["urn:li:ownershipType:tech"],
      privileges: ["EDIT_ENTITY_TAGS", "EDIT_ENTITY_OWNERS"],
      criteria: [
        { field: "TYPE", condition: "EQUALS", values: ["dataset", "dashboard"] },
        { field: "DOMAIN", condition: "EQUALS", values: ["urn:li:domain:customer"] },
        { field: "TAG", condition: "NOT_EQUALS", values: ["urn:li:tag:pii"] },
      ],
    }),
  ).toBe("Customer stewards, Ilse and owners of an asset of the type Technical Owner may edit tags and owners on datasets and dashboards in the domain Customer and without the tag pii.");
  expect(says({ allUsers: true, privileges: ["VIEW_ENTITY_PAGE"] })).toBe("All people may view on all assets.");
  expect(says({ allUsers: true, privileges: ["SEARCH_PRIVILEGE"] })).toBe("All people may search on all assets.");
  expect(says({ people: [], roles: ["urn:li:dataHubRole:Editor"], owners: "any", kind: "PLATFORM" })).toBe("The role Editor may edit tags.");
  expect(says({ people: [], privileges: [], criteria: [{ field: "URN", condition: "STARTS_WITH", values: [] }] })).toBe("Nobody may do nothing yet on all assets whose Asset begins with nothing yet.");
});

it("says what it does not know by its own name, and counts what would be too long", () => {
  const many = Array.from({ length: 40 }, (_, index) => `P${index}`);
  expect(says({ privileges: many, kind: "PLATFORM" })).toContain("use 34 more platform privileges");
  expect(says({ people: many.map((name) => `urn:li:corpuser:${name}`) })).toContain("P4 and 35 more people or groups may");
  expect(says({ criteria: [{ field: "COLOUR", condition: "SOUNDS_LIKE", values: ["red"] }] })).toBe("Ilse may edit tags on all assets whose COLOUR is red.");
  expect(lower("Iceberg API Access & Users")).toBe("iceberg API access & users");
});

it("tells somebody that a condition names what they may not view", () => {
  expect(sentenceToYou(draft({ criteria: [{ field: "DOMAIN", condition: "EQUALS", values: [] }] }), known)).toBe("You may edit tags on all assets in the domain (hidden from you).");
});

it("keeps the parts of a sentence that lead to a step", () => {
  expect(sentence(draft({}), known).map(({ part }) => part ?? "-")).toEqual(["who", "-", "do", "-", "on", "-"]);
});

const stored: Info = {
  displayName: "p",
  description: "d",
  type: "METADATA",
  state: "INACTIVE",
  privileges: ["EDIT_ENTITY_TAGS"],
  actors: { users: ["urn:li:corpuser:ilse"], groups: ["urn:li:corpGroup:cs"], roles: ["urn:li:dataHubRole:Editor"], resourceOwners: true, resourceOwnersTypes: null, extra: 1 },
  resources: { filter: { criteria: [{ field: "RESOURCE_TYPE", values: ["dataset"] }] }, privilegeConstraints: { criteria: [] } },
  editable: true,
  later: "kept",
};

it("keeps what it does not show when a policy is stored again", () => {
  const back = infoOf(draftOf(stored), stored);
  expect(back).toMatchObject({ state: "INACTIVE", later: "kept", actors: { users: ["urn:li:corpuser:ilse"], groups: ["urn:li:corpGroup:cs"], roles: ["urn:li:dataHubRole:Editor"], extra: 1 } });
  expect(back.resources).toEqual({ privilegeConstraints: { criteria: [] }, filter: { criteria: [{ field: "TYPE", condition: "EQUALS", values: ["dataset"] }] } });
});

it("reads the older form of resources as conditions", () => {
  const { criteria } = draftOf({ ...stored, resources: { type: "dataset", resources: ["urn:li:dataset:a"], allResources: false } });
  expect(criteria.map(({ field, values }) => [field, values])).toEqual([
    ["TYPE", ["dataset"]],
    ["URN", ["urn:li:dataset:a"]],
  ]);
  expect(draftOf({ ...stored, resources: { resources: ["urn:li:dataset:a"], allResources: true } }).criteria).toEqual([]);
});

it("limits nothing where a stored policy did not, and says so of a new one", () => {
  const { resources: _, ...unlimited } = stored;
  expect(infoOf(draftOf(unlimited), unlimited).resources).toBeUndefined();
  expect(infoOf(draft({}), null).resources).toEqual({ allResources: true });
  expect(infoOf(draft({ kind: "PLATFORM", owners: "any" }), null)).toMatchObject({ type: "PLATFORM", actors: { resourceOwners: false } });
});

it("says what is missing before a policy is saved", () => {
  expect(missing(draft({}))).toBeNull();
  expect(missing(draft({ name: " " }))?.at).toBe("name");
  expect(missing(draft({ people: [] }))?.at).toBe("who");
  expect(missing(draft({ people: [], owners: "any" }))).toBeNull();
  expect(missing(draft({ people: [], owners: "any", kind: "PLATFORM" }))?.at).toBe("who");
  expect(missing(draft({ privileges: [] }))?.at).toBe("do");
  expect(missing(draft({ criteria: [{ field: "TAG", condition: "EQUALS", values: [] }] }))?.text).toContain("Tag");
});

it("tells what covers everybody or everything", () => {
  expect(coversAll(draft({ allUsers: true }))).toEqual({ people: true, assets: true });
  expect(coversAll(draft({ kind: "PLATFORM" }))).toEqual({ people: false, assets: false });
});

const listing = (more: object) => ({
  urn: "urn:li:dataHubPolicy:x",
  name: "x",
  type: "METADATA",
  state: "ACTIVE",
  description: null,
  editable: true,
  privileges: ["EDIT_ENTITY_TAGS"],
  actors: { users: null, groups: null, roles: null, resourceOwners: false, resourceOwnersTypes: null, allUsers: false, allGroups: false },
  resources: null,
  ...more,
});

it("keeps the policies that a filter asks for, whatever their states and kinds are called", () => {
  const policies = [listing({ name: "a" }), listing({ name: "b", state: "INACTIVE" }), listing({ name: "c", type: "PLATFORM" }), listing({ name: "d", state: "SOON", type: "ODD" })];
  const rows = policiesIn(answered({ policies })).map((policy) => Object.assign(policy, { words: textOf(sentence(policy.draft, known)) }));
  const names = (state: string, kind: string, text = "") => chosen(rows, { state, kind, text }).map(({ name }) => name);
  expect(names("all", "any")).toEqual(["a", "b", "c", "d"]);
  expect(names("on", "any")).toEqual(["a", "c"]);
  expect(names("off", "asset")).toEqual(["b", "d"]);
  expect(names("all", "platform")).toEqual(["c"]);
  expect(names("all", "any", " EDIT tags on ")).toEqual(["a", "b", "d"]);
});

it("reads policies of which everything but the URN is null or of another type", () => {
  const urn = "urn:li:dataHubPolicy:x";
  const none = { name: null, type: null, state: null, description: null, editable: null, privileges: null, actors: null, resources: null };
  const odd = { name: {}, privileges: "x", actors: { users: [null, 1], resourceOwners: "yes" }, resources: { filter: { criteria: [null, { field: null, values: [null, { value: [] }] }] } } };
  const read = policiesIn(answered({ policies: [null, { ...none, urn: null }, { ...none, urn }, { ...none, ...odd, urn }] }));
  expect(read.map(({ name, editable, draft: { people, criteria } }) => ({ name, editable, people, criteria }))).toEqual([
    { name: "x", editable: false, people: [], criteria: [] },
    { name: "x", editable: false, people: ["1"], criteria: [{ field: "", condition: "EQUALS", values: [] }] },
  ]);
});

const trial = { person: "urn:li:corpuser:ilse", privilege: "EDIT_ENTITY_TAGS", asset: "urn:li:dataset:(urn:li:dataPlatform:hive,fct_orders,PROD)" };
const told = (condition: Condition, more: Partial<Draft> = {}) => conditionText(condition, trial, draft(more), known);

it("says of each condition how it is met or not", () => {
  expect(told({ on: "ACTOR", met: true, found: ["urn:li:corpuser:ilse"] })).toBe("Ilse is named");
  expect(told({ on: "ACTOR", met: true, found: ["urn:li:corpGroup:cs"] })).toBe("Ilse is in Customer stewards");
  expect(told({ on: "ACTOR", met: true, found: ["urn:li:dataHubRole:Editor"] })).toBe("Ilse has the role Editor");
  expect(told({ on: "ACTOR", met: true }, { owners: "any" })).toBe("Ilse owns fct_orders");
  expect(told({ on: "ACTOR", met: true }, { allUsers: true })).toBe("All people have it");
  expect(told({ on: "ACTOR", met: false })).toBe("Ilse is none of those under Who");
  expect(told({ on: "PRIVILEGE", met: false })).toBe("Edit Tags is not chosen");
  expect(told({ on: "TYPE", met: false, operator: "EQUALS", values: ["chart"], found: ["dataset"] })).toBe("fct_orders is one of the datasets, not of the charts");
  expect(told({ on: "DOMAIN", met: false, operator: "EQUALS", values: ["urn:li:domain:customer"], found: ["urn:li:domain:sales"] })).toBe("Domain is Sales, not Customer");
  expect(told({ on: "DOMAIN", met: false, operator: "EQUALS", values: ["urn:li:domain:customer"] })).toBe("fct_orders has no domain, so it is not Customer");
  expect(told({ on: "TAG", met: false, operator: "NOT_EQUALS", values: ["urn:li:tag:pii"], found: ["urn:li:tag:pii"] })).toBe("Tag is pii, which is left out");
  expect(told({ on: "LATER", met: false, operator: "LIKE", values: ["x"] })).toBe("fct_orders has no later, so it is not x");
});

it("asks whom a policy reaches before anybody is tried, and leaves conditions without a value out", () => {
  const asked = questionOf(draft({ privileges: [], criteria: [{ field: "TAG", condition: "EQUALS", values: [] }] }), null, null, { person: null, privilege: null, asset: null });
  expect(asked).toMatchObject({ privileges: ["MANAGE_POLICIES"], policy: { resources: { allResources: true } } });
  expect(asked).not.toHaveProperty("actor");
  expect(questionOf(draft({}), null, "urn:li:dataHubPolicy:x", trial)).toMatchObject({ actor: trial.person, resource: trial.asset, privileges: ["EDIT_ENTITY_TAGS"], policyUrn: "urn:li:dataHubPolicy:x" });
});
