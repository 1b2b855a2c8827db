import { expect, it } from "vitest";

import { nameIn } from "./name";
import { answered } from "./test-answer";

const urn = "urn:li:corpuser:jo";

it("calls people what they call themselves, then what others do, then by their user name", () => {
  expect(nameIn({ urn, username: "jo", properties: { displayName: "Jo B", fullName: "Jo Baker" }, editableProperties: { displayName: "Joanna" } })).toBe("Joanna");
  expect(nameIn({ urn, username: "jo", properties: { displayName: "", fullName: "Jo Baker" }, editableProperties: { displayName: "" } })).toBe("Jo Baker");
  expect(nameIn({ urn, username: "jo", properties: null, editableProperties: null })).toBe("jo");
  expect(nameIn({ urn })).toBe("jo");
});

it("calls a group by its name, and by its id where it has none", () => {
  expect(nameIn({ urn: "urn:li:corpGroup:data", name: "data", properties: { displayName: "Data team" } })).toBe("Data team");
  expect(nameIn({ urn: "urn:li:corpGroup:data", properties: null })).toBe("data");
});

it("calls other entities by the name that users gave, by the name from the source, or by a part of the URN", () => {
  const table = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.marts.orders,PROD)";
  expect(nameIn({ urn: table, editableProperties: { name: "Orders" }, properties: { name: "ORDERS" }, name: "o" })).toBe("Orders");
  expect(nameIn({ urn: table, editableProperties: { name: " " }, properties: { name: "ORDERS" }, name: "o" })).toBe("ORDERS");
  expect(nameIn({ urn: "urn:li:document:a", info: { title: "How to" } })).toBe("How to");
  expect(nameIn({ urn: table })).toBe("shop.marts.orders");
});

it("ignores members that are no texts", () => {
  expect(nameIn(answered({ urn: "urn:li:tag:a", name: ["x"], tag: { name: {} }, properties: "x", info: { displayName: {} }, definition: [null] }))).toBe("a");
  expect(nameIn(answered({ urn: {} }))).toBe("");
});
