import { describe, expect, it } from "vitest";

import { assetPath } from "./asset";
import { placeOf } from "./asset-address";

const s3 = "urn:li:dataset:(urn:li:dataPlatform:s3,bucket/path/a%2Fb.csv,PROD)";

describe("the address of an asset", () => {
  it("leads back to the URN it was made of", () => {
    for (const urn of [s3, "urn:li:tag:a/b c", "urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)", "urn:li:tag:مرحبا"]) {
      expect(placeOf(assetPath(urn, "Schema"))).toEqual({ urn, tab: "Schema" });
      expect(placeOf(assetPath(urn))).toEqual({ urn, tab: "" });
    }
  });

  it("takes a URN as people paste it, with slashes inside its parentheses", () => {
    const urn = "urn:li:dataset:(urn:li:dataPlatform:s3,bucket/path/file.csv,PROD)";
    expect(placeOf(`/dataset/${urn}/Lineage`)).toEqual({ urn, tab: "Lineage" });
    expect(placeOf(`/dataset/${urn}`)).toEqual({ urn, tab: "" });
  });

  it("is none without a URN", () => {
    for (const path of ["/", "/dataset", "/dataset/orders", "/settings/nothing/urn", "/tag/urn:li:tag:", "/tag/urn%3Ali%3A", "/x/%E0%A4%A"]) {
      expect(placeOf(path)).toBeNull();
    }
  });
});
