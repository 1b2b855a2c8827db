import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { customPatch, kindName, provenanceIn, valuesOf } from "./values";

const one = (kind: string, many = false) => ({ kind, many });

describe("values of a property", () => {
  it("are sent as their kind, each once, without empty ones", () => {
    expect(valuesOf(one("number", true), [" 12 ", "0.5", "12", ""])).toEqual({ values: [{ numberValue: 12 }, { numberValue: 0.5 }], problem: "" });
    expect(valuesOf(one("string", true), ["a", "12"]).values).toEqual([{ stringValue: "a" }, { stringValue: "12" }]);
    expect(valuesOf(one("urn"), ["urn:li:corpuser:ilse"]).values).toEqual([{ stringValue: "urn:li:corpuser:ilse" }]);
    expect(valuesOf(one("date"), ["2028-02-29"]).values).toEqual([{ stringValue: "2028-02-29" }]);
  });

  it("are refused with the reason when they are of another kind", () => {
    for (const [kind, text] of [["number", "twelve"], ["number", "0x10"], ["number", "1e999"], ["number", "NaN"], ["date", "2026-02-29"], ["date", "3 Sep 2026"], ["date", "2026-13-01"], ["urn", "ilse"], ["urn", "urn:li:corpuser:a b"]] as const) {
      expect([text, valuesOf(one(kind), [text]).problem]).toEqual([text, expect.stringContaining(`“${text}” is no`)]);
    }
    expect(valuesOf(one("string"), ["a", "b"])).toEqual({ values: [], problem: "It holds one value." });
  });

  it("have kinds with a name, also those that came later", () => {
    expect(["rich_text", "date", "geoPoint", "", "constructor"].map(kindName)).toEqual(["Formatted text", "Date", "Geo point", "Not known", "Constructor"]);
  });
});

describe("where properties came from", () => {
  it("is read from the stamps of aspects", () => {
    const { stamps, custom, aspect } = provenanceIn("dataJob", answered({
      urn: "urn:li:dataJob:x",
      dataJobInfo: { value: { name: "x" }, auditStamp: { time: 5, actor: "urn:li:corpuser:i" } },
      structuredProperties: { value: { properties: [{ propertyUrn: "p", lastModified: { time: 7, actor: "urn:li:corpuser:j" } }, null, { propertyUrn: "q", created: { time: 3, actor: "urn:li:corpuser:k" } }] } },
    }));
    expect([...stamps]).toEqual([["p", { by: "urn:li:corpuser:j", time: 7 }], ["q", { by: "urn:li:corpuser:k", time: 3 }]]);
    expect({ custom, aspect }).toEqual({ custom: { by: "urn:li:corpuser:i", time: 5 }, aspect: "dataJobInfo" });
  });

  it("tells that nothing can hold custom properties, and bears any answer", () => {
    for (const answer of [null, 7, {}, { datasetProperties: null }, { structuredProperties: { value: { properties: "x" } } }]) {
      expect(provenanceIn("dataset", answered(answer))).toEqual({ stamps: new Map(), custom: { by: "", time: undefined }, aspect: undefined });
    }
  });

  it("prefers the aspect that holds some", () => {
    const both = { datasetProperties: { value: {} }, datasetInfo: { value: { customProperties: { a: "b" } } } };
    expect(provenanceIn("dataset", both).aspect).toBe("datasetInfo");
  });
});

it("writes names with slashes and tildes into a patch", () => {
  expect(customPatch("a/b~c", "1")).toEqual({ patch: [{ op: "add", path: "/customProperties/a~1b~0c", value: "1" }], forceGenericPatch: true });
  expect(customPatch("a", null)).toEqual({ patch: [{ op: "remove", path: "/customProperties/a" }], forceGenericPatch: true });
});
