import { expect, it } from "vitest";

import { propertyText } from "./property";

it("says in words what a property is", () => {
  expect(["owners", "editedDescription", "hasOwners", "urn", "ownership.owners.owner"].map(propertyText)).toEqual(["owners", "edited description", "owners", "URN", "owner"]);
  expect(propertyText("editableSchemaMetadata.editableSchemaFieldInfo.*.description")).toBe("description in editable schema metadata");
  expect(propertyText("editableSchemaMetadata.editableSchemaFieldInfo.*")).toBe("editable schema field info in editable schema metadata");
  expect(propertyText("structuredProperties.urn:li:structuredProperty:io.acme.tier")).toBe("property io.acme.tier");
  expect(propertyText("datasetProperties.customProperties.cost.centre")).toBe("custom property cost.centre");
  expect(propertyText("timeseries.datasetProfile.rowCount.latest.30d")).toBe("row count in dataset profile, latest of 30d");
  expect(propertyText("relationships.Consumes.outgoing")).toBe("outgoing consumes");
});

it("bears what is no property", () => {
  expect(["", "constructor", "structuredProperties", "a..b"].map(propertyText)).toEqual(["", "constructor", "structured properties", "b in a"]);
});
