import { expect, it } from "vitest";

import { lineOf } from "../../lib/line";
import { wordsOf } from "../../lib/marks";
import { matchedIn } from "./match";

const orders = lineOf({ urn: "urn:li:dataset:(urn:li:dataPlatform:a,orders,PROD)", type: "DATASET", name: "orders" } as { urn: string; type: string });

it("names the columns that hold the words, the one that holds most of them first", () => {
  const fields = [
    { name: "fieldDescriptions", value: "Mail of the customer" },
    { name: "fieldPaths", value: "email" },
    { name: "fieldPaths", value: "customer_id" },
    { name: "fieldPaths", value: "customer_email" },
    { name: "name", value: "orders" },
  ];
  expect(matchedIn(fields, orders, wordsOf("customer email"))).toEqual({ what: "Column", values: ["customer_email"], more: 2, code: true });
});

it("names two columns where there are two", () => {
  const fields = [
    { name: "fieldPaths", value: "email" },
    { name: "fieldPaths", value: "email_verified_at" },
  ];
  expect(matchedIn(fields, orders, wordsOf("email"))).toMatchObject({ values: ["email", "email_verified_at"], more: 0 });
});

it("says nothing where the name holds the words already", () => {
  expect(matchedIn([{ name: "name", value: "orders" }, { name: "urn", value: orders.urn }, { name: "somethingNew", value: "orders" }], orders, wordsOf("orders"))).toBeUndefined();
});

it("names fields that it does not know by what they are called", () => {
  expect(matchedIn([{ name: "somethingNew", value: "x".repeat(10_000) }], orders, wordsOf("xx"))).toMatchObject({ what: "something new", values: [`${"x".repeat(160)}…`] });
  expect(matchedIn([], orders, [])).toBeUndefined();
});

it("says no address of a thing, but what it is known by", () => {
  expect(matchedIn([{ name: "domains", value: "urn:li:domain:sales" }], orders, wordsOf("sales"))).toMatchObject({ what: "Domain", values: ["sales"] });
  expect(matchedIn([{ name: "domains", value: "urn:li:domain:orders" }], orders, wordsOf("orders"))).toBeUndefined();
});
