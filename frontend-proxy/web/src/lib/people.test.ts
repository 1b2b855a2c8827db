import { expect, it } from "vitest";

import { groupName, personName } from "./people";

const urn = "urn:li:corpuser:jo";

it("calls people what they call themselves, then what others do, then by their user name", () => {
  expect(personName({ urn, username: "jo", properties: { displayName: "Jo B", fullName: "Jo Baker" }, editableProperties: { displayName: "Joanna" } })).toBe("Joanna");
  expect(personName({ urn, username: "jo", properties: { displayName: "", fullName: "Jo Baker" }, editableProperties: { displayName: "" } })).toBe("Jo Baker");
  expect(personName({ urn, username: "jo", properties: null, editableProperties: null })).toBe("jo");
  expect(personName({ urn })).toBe("jo");
});

it("calls a group by its name, and by its id where it has none", () => {
  expect(groupName({ urn: "urn:li:corpGroup:data", name: "data", properties: { displayName: "Data team" } })).toBe("Data team");
  expect(groupName({ urn: "urn:li:corpGroup:data", properties: null })).toBe("data");
});
