import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { queryIn } from "./query";

const dataset = { urn: "urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)", name: "b" };

it("reads a query with each of its datasets once", () => {
  const properties = { name: " Weekly ", description: null, source: "MANUAL", statement: { value: "select 1" }, createdOn: { actor: { urn: "urn:li:corpuser:ilse", properties: { fullName: "Ilse" } } }, lastModified: { time: 5 } };
  expect(queryIn(answered({ urn: "urn:li:query:q", properties, subjects: [{ dataset }, { dataset }, null] }))).toEqual([
    { urn: "urn:li:query:q", name: "Weekly", description: "", statement: "select 1", manual: true, by: "Ilse", changed: 5, datasets: [dataset] },
  ]);
});

it("bears queries of which little is known, and sources that came later", () => {
  expect(queryIn(answered({ urn: "urn:li:query:q", properties: null, subjects: null }))[0]).toMatchObject({ name: "", statement: "", manual: false, by: "", changed: undefined, datasets: [] });
  expect(queryIn(answered({ urn: "urn:li:query:q", properties: { source: "DREAMT", statement: null, createdOn: "x", lastModified: { time: "soon" } }, subjects: "x" }))[0]).toMatchObject({ manual: false, changed: undefined });
  expect([null, 7, "x", {}, { urn: null }].flatMap((each) => queryIn(answered(each)))).toEqual([]);
});
