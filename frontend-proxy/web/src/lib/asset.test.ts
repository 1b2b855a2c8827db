import { expect, test } from "vitest";

import { assetPath, kindOf, monogram, typeInGraphQL, typeName, typeOf, typeOfPath } from "./asset";

const orders = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)";

test("the address of an asset has the shape that other clients have kept", () => {
  expect(assetPath(orders)).toBe(`/dataset/${encodeURIComponent(orders)}`);
  expect(assetPath(orders, "Lineage")).toBe(`/dataset/${encodeURIComponent(orders)}/Lineage`);
  expect(assetPath("urn:li:dataFlow:(airflow,daily,prod)")).toMatch(/^\/pipelines\//);
  expect(assetPath("urn:li:corpuser:ann")).toBe("/user/urn%3Ali%3Acorpuser%3Aann");
  expect(assetPath("urn:li:tag:a/b?c#d")).toBe("/tag/urn%3Ali%3Atag%3Aa%2Fb%3Fc%23d");
  expect(assetPath("nothing")).toBe("/asset/nothing");
});

test("the type of an address is the one of the URN", () => {
  for (const urn of [orders, "urn:li:dataJob:(urn:li:dataFlow:(a,b,c),d)", "urn:li:corpGroup:x", "urn:li:mlModel:x", "urn:li:madeUp:x"]) {
    expect(typeOfPath(assetPath(urn).split("/")[1] ?? "")).toBe(typeOf(urn));
  }
  expect(typeOf("urn:li:")).toBe("");
});

test("a type that this page does not know keeps its own name", () => {
  expect(kindOf("madeUp").one).toBe("made up");
  expect(kindOf("MADE_UP").many).toBe("made ups");
  expect(kindOf("").one).toBe("asset");
  expect(kindOf("constructor").family).toBe("other");
});

test("types of URNs and of GraphQL name the same kind", () => {
  expect(typeInGraphQL("corpuser")).toBe("CORP_USER");
  expect(typeInGraphQL("mlModelGroup")).toBe("MLMODEL_GROUP");
  expect(typeInGraphQL("glossaryTerm")).toBe("GLOSSARY_TERM");
  expect(typeName("MLMODEL_GROUP", 2)).toBe("Model groups");
  expect(typeName("CORP_USER", 1)).toBe("Person");
});

test("a platform is told by two letters", () => {
  expect(["snowflake", "BigQuery", "urn:li:dataPlatform:delta-lake", "s3", "x", ""].map(monogram)).toEqual(["Sn", "BQ", "DL", "S3", "X", "?"]);
});
