import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { nameIn } from "./entities";

it("names an entity by its display name, its full name, its name or its URN", () => {
  const urn = "urn:li:corpuser:jo";
  expect(nameIn({ urn, name: "jo", person: { displayName: "Jo", fullName: "Jo Baker" } })).toBe("Jo");
  expect(nameIn({ urn, name: "jo", person: { displayName: "", fullName: "Jo Baker" }, edited: null })).toBe("Jo Baker");
  expect(nameIn({ urn: "urn:li:tag:a", name: "a", tag: { name: "Personal" } })).toBe("Personal");
  expect(nameIn({ urn: "urn:li:tag:a", name: "b", tag: null })).toBe("b");
  expect(nameIn({ urn: "urn:li:tag:a", name: null })).toBe("a");
});

it("ignores names that are no texts", () => {
  expect(nameIn(answered({ urn: "urn:li:tag:a", name: 3, tag: { name: ["x"] }, properties: "x", info: { displayName: {} }, group: [null] }))).toBe("a");
});

it("calls people by the name that they gave themselves before the name from a directory", () => {
  expect(nameIn({ urn: "urn:li:corpuser:jo", person: { displayName: "Jo B" }, edited: { displayName: "Joanna" } })).toBe("Joanna");
  expect(nameIn({ urn: "urn:li:corpuser:jo", properties: { displayName: "Jo B" }, editableProperties: { displayName: "Joanna" } })).toBe("Joanna");
});
