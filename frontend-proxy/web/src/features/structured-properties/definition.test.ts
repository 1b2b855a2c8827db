import { expect, it } from "vitest";

import { allowedIn, definitionIn } from "./definition";

it("reads a definition with what is missing left out", () => {
  const [read] = definitionIn({
    urn: "urn:li:structuredProperty:a.b",
    definition: { qualifiedName: "a.b", valueType: { urn: "urn:li:dataType:datahub.number" }, entityTypes: [{ urn: "urn:li:entityType:datahub.dataset" }] },
    settings: { isHidden: false, showInSearchFilters: true },
  });
  expect(read).toMatchObject({ name: "a.b", kind: "number", carriers: ["dataset"], shown: new Set(["showInSearchFilters"]) });
  expect(definitionIn({ urn: "urn:li:structuredProperty:a", definition: null, settings: null })).toMatchObject([{ carriers: [], qualifiedName: "" }]);
  expect(definitionIn(null)).toEqual([]);
});

it("takes one value a line, each once", () => {
  expect(allowedIn("string", " gold \n\nsilver\ngold")).toEqual({ values: [{ stringValue: "gold" }, { stringValue: "silver" }], problem: "" });
  expect(allowedIn("number", "30\n9.5").values).toEqual([{ numberValue: 30 }, { numberValue: 9.5 }]);
  expect(allowedIn("number", "30\nmany").problem).toBe("“many” is no number.");
});
