import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { collectionIn } from "./collection";

it("reads data products and applications, also where all but the URN is null", () => {
  expect(
    collectionIn(answered({ urn: "urn:li:dataProduct:a", product: { name: "A", description: "x", numAssets: 3 }, domain: { domain: { urn: "urn:li:domain:d", properties: null } }, ownership: null })),
  ).toEqual([{ urn: "urn:li:dataProduct:a", kind: "dataProduct", name: "A", description: "x", domain: { urn: "urn:li:domain:d", name: "d" }, owners: [], assets: 3 }]);
  expect(collectionIn(answered({ urn: "urn:li:application:b", application: null, domain: null }))[0]).toMatchObject({ kind: "application", name: "b", domain: null, assets: 0 });
  expect([null, { urn: "urn:li:tag:x" }].flatMap((each) => collectionIn(answered(each)))).toEqual([]);
});
