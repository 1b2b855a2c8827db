import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { words } from "../../lib/text";
import { isSafeLink } from "../../lib/safe-link";
import { beginningOf, plainText } from "./about";
import { assetOfAspects } from "./asset-of-aspects";
import * as head from "./asset";
import { aboutOf, isBare, type Asset } from "./asset";

const urn = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)";

const whole = {
  entityExists: true,
  entity: {
    __typename: "Dataset",
    urn,
    type: "DATASET",
    name: "orders",
    props: { name: "ORDERS", description: "What was ordered", externalUrl: "https://hive.example/orders", customProperties: [{ key: "team", value: "shop" }], lastModified: { time: 5, actor: "urn:li:corpuser:a" } },
    edited: { name: "", description: "Every order line" },
    platform: { urn: "urn:li:dataPlatform:hive", name: "hive", properties: { displayName: "Hive" } },
    subTypes: { typeNames: ["Table"] },
    parentContainers: { containers: [{ urn: "urn:li:container:schema", properties: { name: "MART" } }, { urn: "urn:li:container:base", properties: { name: "PROD" } }] },
    deprecation: { deprecated: true, note: "Old", decommissionTime: 9, actorEntity: { urn: "urn:li:corpuser:a", username: "a", properties: { displayName: "Ann" } }, replacement: { urn: "urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)" } },
    health: [{ type: "ASSERTIONS", status: "FAIL", message: "1 assertion of 12 failing" }, { type: "ASSERTIONS", status: "WARN", message: "1 assertion of 2 could not be run" }, { type: "ASSERTIONS", status: "PASS", message: "All assertions are passing", latestAssertionStatusByType: [{ statusCount: 6 }] }, { type: "SOMETHING_NEW", status: "ODD", message: null }],
    ownership: { owners: [{ owner: { urn: "urn:li:corpGroup:eng", properties: { displayName: "Engineers" } }, ownershipType: { urn: "urn:li:ownershipType:__system__technical_owner", info: { name: "Technical Owner" } } }] },
    tags: { tags: [{ tag: { urn: "urn:li:tag:gold", properties: { name: "gold", colorHex: "#c79a1b" } }, attribution: { source: { urn: "urn:li:dataHubAction:rule" } } }] },
    glossaryTerms: { terms: [{ term: { urn: "urn:li:glossaryTerm:order", name: "order", properties: { name: "Order" } } }] },
    domain: { domain: { urn: "urn:li:domain:sales", properties: { name: "Sales" } } },
    products: { relationships: [{ entity: { urn: "urn:li:dataProduct:p", properties: { name: "Trading" } } }] },
    structuredProperties: {
      properties: [
        {
          structuredProperty: { urn: "urn:li:structuredProperty:days", definition: { displayName: "Days", qualifiedName: "days", cardinality: "MULTIPLE", immutable: false, valueType: { urn: "urn:li:dataType:datahub.number" }, allowedValues: [{ value: { numberValue: 30 }, description: null }] } },
          values: [{ numberValue: 30 }],
        },
      ],
    },
    institutionalMemory: { elements: [{ url: "https://docs.example", label: "Handbook" }] },
    status: { removed: false },
    privileges: { canEditTags: true, canEditOwners: false },
    profile: [{ rowCount: 412, timestampMillis: 1 }],
    stats: { uniqueUserCountLast30Days: 38 },
    operations: [{ lastUpdatedTimestamp: 7 }],
    columns: { fields: [{ nullable: true }] },
    upstream: { total: 2 },
    downstream: { total: 3 },
    forms: { incompleteForms: [{ form: { urn: "urn:li:form:a" } }], completedForms: [] },
    tests: { passing: [{ test: { urn: "urn:li:test:a" } }], failing: [] },
  },
  reports: { total: 4, isPartial: true },
};

// Responses of tests have only some members, or invalid ones.
const assetIn = (of: string, answer: unknown) => head.assetIn(of, answered(answer));

// All variants of a response in which one member is null, unknown, very long or of another type.
function* broken(value: unknown, make: (inner: unknown) => unknown): Generator<unknown> {
  for (const other of [null, "NEVER_HEARD_OF", "x".repeat(10_000), -1, {}, [], [null], true]) {
    yield make(other);
  }
  if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield* broken(inner, (changed) => make(Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }));
    }
  }
}

const sound = (asset: Asset) => {
  expect(asset.name.length).toBeGreaterThan(0);
  for (const list of [asset.owners, asset.tags, asset.terms, asset.products, asset.path, asset.applications]) {
    for (const ref of list) {
      expect([typeof ref.urn, typeof ref.name]).toEqual(["string", "string"]);
      expect(ref.urn).not.toBe("");
    }
  }
  expect(typeof aboutOf(asset)).toBe("string");
};

// The response for an entity whose aspects the actor may not read, or that has no aspects.
const of = (entityExists: boolean | null, exists: boolean | null) => assetIn(urn, { entityExists, entity: { __typename: "Dataset", urn, exists } });

it("tells the text about an asset without marks, tables and code", () => {
  const text = "## Orders\n\nOne **row** per [order](urn:li:x).\n\n* Grain: `id`\n- Days\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```sql\nselect 1\n```\n\nAsk us.\n";
  expect(plainText(text)).toBe("One row per order.\n\n• Grain: id\n• Days\n\nAsk us.");
  expect(plainText("> Quoted\n> twice")).toBe("Quoted\ntwice");
  expect(plainText("```\nnever closed")).toBe("");
  expect(plainText("a | b - c")).toBe("a | b - c");
});

describe("the beginning of a text", () => {
  it("is all of a short one, whole paragraphs of a longer one, and whole words of a long paragraph", () => {
    expect(beginningOf("Every order.\n\nReturns too.")).toEqual({ text: "Every order.\n\nReturns too.", more: false });
    expect(beginningOf(`Every order.\n\n${"word ".repeat(60)}`)).toEqual({ text: "Every order.", more: true });
    const { text, more } = beginningOf("word ".repeat(100));
    expect([text.endsWith("word…"), text.length <= 241, more]).toEqual([true, true, true]);
  });

  it("says that there is more where headings, tables or code are left out, and shows what is nothing else", () => {
    expect(beginningOf("## Orders\n\nOne row.")).toEqual({ text: "One row.", more: true });
    expect(beginningOf("# Orders")).toEqual({ text: "# Orders", more: true });
    expect(beginningOf("")).toEqual({ text: "", more: false });
  });
});

it("tells how the newest run of a task ended", () => {
  const run = { urn: "urn:li:dataProcessInstance:1", state: [{ status: "COMPLETE", timestampMillis: 2000, durationMillis: 500, result: { resultType: "FAILURE" } }] };
  expect(assetIn("urn:li:dataJob:(a,b)", { entity: { runs: { total: 7, runs: [run] } } })).toMatchObject({ runs: 7, lastRun: { state: { tone: "bad", text: "Failed" }, startedAt: 1500 } });
  expect(assetIn("urn:li:dataJob:(a,b)", { entity: { runs: { total: 0, runs: [] } } }).lastRun).toBeUndefined();
});

describe("who a person or a group is", () => {
  const person = {
    username: "ada",
    state: "SUSPENDED",
    props: { title: "Clerk", email: "ada@old.example", departmentName: "Growing", manager: { urn: "urn:li:corpuser:bo", username: "bo" } },
    edited: { title: "Lead", email: "ada@fennmark.example", slack: "@ada", skills: ["SQL", null] },
    teams: { total: 3, relationships: [{ entity: { urn: "urn:li:corpGroup:a", name: "a", properties: { displayName: "Analytics" } } }, { entity: null }] },
  };

  it("is what they say themselves before what a directory says", () => {
    expect(assetIn("urn:li:corpuser:ada", { entity: person }).card).toMatchObject({ work: "Lead, Growing", email: "ada@fennmark.example", manager: { name: "bo" }, teams: [{ name: "Analytics" }], teamCount: 3, suspended: true, members: undefined });
    expect(assetIn("urn:li:corpGroup:a", { entity: { members: { total: 7 }, props: { email: "a@fennmark.example" } } }).card).toMatchObject({ members: 7, email: "a@fennmark.example" });
    expect(assetIn(urn, { entity: person }).card).toBeUndefined();
  });

  it("is read whatever becomes of a member of the answer", () => {
    for (const answer of broken({ entity: person }, (value) => value)) {
      const { card } = assetIn("urn:li:corpuser:ada", answer);
      expect([typeof card?.work, typeof card?.email, card?.skills.every((skill) => typeof skill === "string")]).toEqual(["string", "string", true]);
    }
  });
});

describe("the head of an asset", () => {
  it("is none for who may not view what is stored, and is absent where nothing is", () => {
    expect(of(true, false)).toMatchObject({ exists: true, restricted: true });
    expect(of(false, false)).toMatchObject({ exists: false, restricted: false });
    expect(of(null, false)).toMatchObject({ exists: false, restricted: false });
    expect(of(true, true)).toMatchObject({ exists: true, restricted: false });
    expect(of(true, null)).toMatchObject({ exists: true, restricted: false });
  });

  it("is read from an answer", () => {
    const asset = assetIn(urn, whole);
    expect(asset).toMatchObject({
      type: "dataset",
      name: "ORDERS",
      subType: "Table",
      platform: { name: "Hive" },
      path: [{ name: "PROD" }, { name: "MART" }],
      edited: "Every order line",
      exists: true,
      removed: false,
      deprecation: { note: "Old", by: "Ann", until: 9 },
      health: [{ tone: "bad", text: "1 of 12 checks fails" }, { tone: "warn", text: "1 of 2 checks could not be run" }, { tone: "ok", text: "6 checks pass" }, { tone: "plain", text: "Something new: odd" }],
      owners: [{ name: "Engineers", group: true, role: { name: "Technical" } }],
      tags: [{ name: "gold", colour: "#c79a1b", by: "rule" }],
      terms: [{ name: "Order" }],
      domain: { name: "Sales" },
      products: [{ name: "Trading" }],
      properties: [{ name: "Days", values: [30], kind: "number", many: true }],
      custom: [{ key: "team", value: "shop" }],
      fields: 1,
      lineage: 5,
      governance: 2,
      dashboards: { total: 4, partial: true },
      links: [{ label: "Handbook" }],
      may: { canEditTags: true, canEditOwners: false },
      rows: 412,
      people: 38,
      updated: 7,
    });
    expect(aboutOf(asset)).toBe("Every order line");
  });

  it("is read whatever becomes of a member of the answer", { timeout: 60_000 }, () => {
    let count = 0;
    for (const answer of broken(whole, (changed) => changed)) {
      sound(assetIn(urn, answer));
      count++;
    }
    expect(count).toBeGreaterThan(900);
  });

  it("is read of aspects, for types that GraphQL does not tell of", () => {
    const aspects = {
      urn: "urn:li:service:search",
      serviceKey: { value: { id: "search" } },
      serviceProperties: { value: { displayName: "Search", description: "Finds", customProperties: { lang: "go" } } },
      ownership: { value: { owners: [{ owner: "urn:li:corpuser:ann", typeUrn: "urn:li:ownershipType:__system__business_owner", type: "BUSINESS_OWNER" }, { owner: "urn:li:corpuser:bob", type: "DATA_STEWARD" }, { owner: "urn:li:corpuser:cleo" }] } },
      globalTags: { value: { tags: [{ tag: "urn:li:tag:gold" }] } },
      domains: { value: { domains: ["urn:li:domain:sales"] } },
      status: { value: { removed: true } },
    };
    expect(assetOfAspects("urn:li:service:search", aspects)).toMatchObject({
      name: "Search",
      description: "Finds",
      removed: true,
      owners: [{ urn: "urn:li:corpuser:ann", group: false, role: { name: "Business owner" } }, { role: { urn: "urn:li:ownershipType:__system__data_steward", name: "Data steward" } }, { role: { urn: "", name: "Owner" } }],
      tags: [{ urn: "urn:li:tag:gold" }],
      domain: { urn: "urn:li:domain:sales" },
      custom: [{ key: "lang", value: "go" }],
    });
    for (const answer of broken(aspects, (changed) => changed)) {
      sound(assetOfAspects("urn:li:service:search", answer));
    }
  });

  it("follows links of the web, of mail and of this server alone", () => {
    expect(["https://a.example", "http://a.example", "mailto:a@b.example", "/docs"].every(isSafeLink)).toBe(true);
    expect(["javascript:alert(1)", "data:text/html,x", "//evil.example", "/\\evil.example", " javascript:x", "/\t/evil.example", "file:///etc", ""].some(isSafeLink)).toBe(false);
  });

  it("has names of the model as words", () => {
    expect([words("editableSchemaMetadata"), words("CORP_USER"), words("queryCountLast30Days"), words("")]).toEqual(["Editable schema metadata", "Corp user", "Query count last 30 days", ""]);
  });
});

const check = (dataset: string, inside: string) => ({ entity: { dataset: { urn: dataset, domain: { domain: { urn: inside } } } } });

it("tells how well what is in a domain is kept, where the answer does", () => {
  const domain = "urn:li:domain:sales";
  const answer = { entity: { urn: domain, below: { total: 2 } }, held: { total: 4 }, owned: { total: 3 }, described: null, troubled: { total: 1 }, offered: { total: 5 }, failing: { total: 9, searchResults: [check("a", domain), check("b", "other")] } };
  expect(assetIn(domain, answer)).toMatchObject({ held: 4, offered: 5, below: 2, kept: { owned: 3, described: 0, troubled: 1, failing: 1, atLeast: true } });
  expect(assetIn(domain, {}).kept).toBeUndefined();
});

const bare = (more: object = {}) => isBare(assetIn(urn, { entityExists: true, entity: { __typename: "Dataset", urn, type: "DATASET", name: "orders", ...more } }));

const person = (more: object) => isBare(assetIn("urn:li:corpuser:jdoe", { entityExists: true, entity: { __typename: "CorpUser", urn: "urn:li:corpuser:jdoe", type: "CORP_USER", ...more } }));

describe("an asset of which nothing but its name is known", () => {
  it("is one of which nothing was written, though others refer to it", () => {
    expect(bare()).toBe(true);
    expect(bare({ columns: { fields: [] }, downstream: { total: 2 } })).toBe(true);
  });

  it("has no columns", () => expect(bare({ columns: { fields: [{ nullable: true }] } })).toBe(false));

  it("has no address, group or state of a person, and no member", () => {
    expect(person({})).toBe(true);
    expect(person({ state: "SUSPENDED" })).toBe(false);
    expect(person({ props: { title: "Analyst" } })).toBe(false);
    expect(person({ edited: { slack: "@jdoe" } })).toBe(false);
    expect(person({ teams: { total: 2 } })).toBe(false);
    expect(isBare(assetIn("urn:li:corpGroup:all", { entityExists: true, entity: { urn: "urn:li:corpGroup:all", type: "CORP_GROUP", members: { total: 3 } } }))).toBe(false);
  });

  it("is in no application", () => expect(bare({ applications: [{ application: { urn: "urn:li:application:shop", properties: { name: "Shop" } } }] })).toBe(false));
});
