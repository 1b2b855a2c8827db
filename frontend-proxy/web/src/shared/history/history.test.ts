import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { byDay, categoryTitle, countsOf, historyIn, isProgram, keptOf, sentenceOf, summaryOf } from "./history";

const name = (urn: string) => urn.split(":").at(-1) ?? "";
const change = (category: unknown, operation: unknown, modifier: unknown, parameters: Record<string, string> = {}, description = "") => ({
  category,
  operation,
  modifier,
  description,
  parameters: Object.entries(parameters).map(([key, value]) => ({ key, value })),
});
const told = (...transactions: readonly unknown[]) => historyIn(answered({ getTimeline: { skippedVersionCount: 3, changeTransactions: transactions } }));
const at = (timestampMillis: unknown, ...changes: readonly unknown[]) => ({ timestampMillis, actor: "urn:li:corpuser:ilse", versionStamp: "ownership:0;schemaMetadata:3", changes });

it("tells changes in words, the newest first", () => {
  const { transactions, skipped } = told(
    at(1000, change("TAG", "ADD", "urn:li:tag:pii", { fieldPath: "email" })),
    at(3000, change("TECHNICAL_SCHEMA", "MODIFY", "urn:li:schemaField:(a,b)", { fieldPath: "total", nativeDataType: "TEXT" }, "Changed column total from INT to TEXT.")),
    at(2000, change("DOCUMENTATION", "REMOVE", "urn:li:dataset:x", { description: "gone" }), change("OWNERSHIP", "REMOVE", "urn:li:corpuser:noor", { ownerType: "TECHNICAL_OWNER" })),
  );
  expect(skipped).toBe(3);
  expect(transactions.map(({ changes }) => changes.map((each) => sentenceOf(each, name)))).toEqual([["changed the column total"], ["removed the description", "removed the owner noor"], ["added the tag pii to email"]]);
  expect(transactions[0]?.changes[0]?.detail).toBe("INT → TEXT");
  expect(transactions[1]?.changes[1]?.detail).toBe("technical owner");
});

it("knows which changes made a version of the schema", () => {
  const { transactions } = told(at(1, change("TAG", "ADD", "urn:li:tag:pii")), at(2, change("TECHNICAL_SCHEMA", "ADD", "", { fieldPath: "a" })));
  expect(transactions.map(({ schemaVersion }) => schemaVersion)).toEqual([3, undefined]);
});

it("puts what came later first, also within one moment", () => {
  const { transactions } = told(at(1, change("TAG", "ADD", "urn:li:tag:a")), at(1, change("TAG", "REMOVE", "urn:li:tag:a")));
  expect(transactions.map(({ changes }) => changes[0]?.operation)).toEqual(["REMOVE", "ADD"]);
});

it("sums up many changes of one moment", () => {
  const [one] = told(at(1, ...[1, 2, 3].map((n) => change("TECHNICAL_SCHEMA", "ADD", "", { fieldPath: String(n) })), change("TAG", "ADD", "urn:li:tag:a"), change("STRUCTURED_PROPERTY", "REMOVE", "urn:li:structuredProperty:a", { propertyValues: '["a",1]' }))).transactions;
  expect(summaryOf(one?.changes ?? [])).toBe("added 3 columns and 1 tag, removed 1 property");
  expect(one?.changes[4]?.detail).toBe("a, 1");
});

it("bears categories and operations that it does not know", () => {
  const { transactions } = told(null, at("soon", change("COST_CENTER", "MERGE", null, {}, "Merged cost centers.")), at(5, change(null, null, null)), { changes: null });
  expect(transactions).toHaveLength(2);
  expect(transactions.flatMap(({ changes }) => changes.map((each) => sentenceOf(each, name)))).toEqual(["changed something", "Merged cost centers."]);
  expect(countsOf(transactions).map(({ category }) => categoryTitle(category))).toEqual(["Other", "Cost center"]);
  expect(byDay(transactions).map(({ day }) => day)).toHaveLength(2);
  expect(historyIn(answered(undefined))).toEqual({ transactions: [], skipped: 0 });
});

it("keeps changes of a category and with a text", () => {
  const { transactions } = told(at(1, change("TAG", "ADD", "urn:li:tag:pii"), change("TAG", "ADD", "urn:li:tag:gold")), at(2, change("DOMAIN", "ADD", "urn:li:domain:sales")));
  const kept = (category: string, text: string) => keptOf(transactions, { category, text, by: "all" }, name).map(({ changes }) => changes.length);
  expect(kept("", "")).toEqual([1, 2]);
  expect(kept("TAG", "")).toEqual([2]);
  expect(kept("", "GOLD")).toEqual([1]);
  expect(kept("", "ilse")).toEqual([1, 2]);
  expect(kept("DOMAIN", "pii")).toEqual([]);
});

const by = (actor: string) => ({ ...at(1, change("TAG", "ADD", "urn:li:tag:pii")), actor });

it("tells people from programs", () => {
  const { transactions } = told(by("urn:li:corpuser:ilse"), by("urn:li:corpuser:__datahub_system"), by("urn:li:corpuser:service_loader"), by("urn:li:dataHubAction:rule"), by(""));
  const kept = (who: "all" | "people" | "programs") => keptOf(transactions, { category: "", text: "", by: who }, name).map(({ actor }) => name(actor));
  expect(kept("all")).toHaveLength(5);
  expect(kept("people")).toEqual(["ilse"]);
  expect(kept("programs").toSorted()).toEqual(["__datahub_system", "rule", "service_loader"]);
  expect(isProgram("")).toBe(false);
});
