import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { allowedIn, allowedText, allowedWords, definitionIn } from "./definition";

it("reads a definition with what is missing left out", () => {
  const [read] = definitionIn(answered({
    urn: "urn:li:structuredProperty:a.b",
    definition: { qualifiedName: "a.b", valueType: { urn: "urn:li:dataType:datahub.number" }, entityTypes: [{ urn: "urn:li:entityType:datahub.dataset" }] },
    settings: { isHidden: false, showInSearchFilters: true },
  }));
  expect(read).toMatchObject({ name: "a.b", kind: "number", carriers: ["dataset"], shown: new Set(["showInSearchFilters"]) });
  expect(definitionIn(answered({ urn: "urn:li:structuredProperty:c", definition: { typeQualifier: { allowedTypes: [{ urn: "urn:li:entityType:datahub.corpuser" }] } } }))[0]?.targets).toEqual(["corpuser"]);
  expect(definitionIn({ urn: "urn:li:structuredProperty:a", definition: null, settings: null })).toMatchObject([{ carriers: [], qualifiedName: "" }]);
  expect(definitionIn(null)).toEqual([]);
});

it("takes one value a line, each once", () => {
  expect(allowedIn("string", " gold \n\nsilver\ngold")).toEqual({ values: [{ stringValue: "gold" }, { stringValue: "silver" }], problem: "" });
  expect(allowedIn("number", "30\n9.5").values).toEqual([{ numberValue: 30 }, { numberValue: 9.5 }]);
  expect(allowedIn("number", "30\nmany").problem).toBe("“many” is no number.");
});

it("takes the description of a value behind a bar", () => {
  expect(allowedIn("string", "gold | Within an hour\nsilver|grey\n | nothing").values).toEqual([{ stringValue: "gold", description: "Within an hour" }, { stringValue: "silver|grey" }]);
  expect(allowedIn("number", "30 | A month | or so").values).toEqual([{ numberValue: 30, description: "A month | or so" }]);
  expect(allowedWords([{ value: "gold", description: "Within an hour" }, { value: 2, description: "" }, { value: "c", description: "" }], 2)).toBe("gold (Within an hour), 2 and 1 more");
});

it("writes allowed values as lines where they read back the same", () => {
  expect(allowedText("string", [{ value: "gold", description: "Within an hour" }, { value: "silver", description: "" }])).toBe("gold | Within an hour\nsilver");
  expect(allowedText("number", [{ value: 9.5, description: "" }])).toBe("9.5");
  expect(allowedText("string", [{ value: "gold", description: "One\nTwo" }])).toBeNull();
  expect(allowedText("string", [{ value: "a | b", description: "" }])).toBeNull();
  expect(allowedText("string", [{ value: " a", description: "" }])).toBeNull();
});
