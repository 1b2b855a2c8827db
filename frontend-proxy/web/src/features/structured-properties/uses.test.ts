import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { definitionIn } from "../../shared/properties/definition";
import { countingText, usesAddress } from "./uses";

const of = (carrier: string) => definitionIn(answered({ urn: "urn:li:structuredProperty:a", definition: { qualifiedName: "a.b", entityTypes: [{ urn: `urn:li:entityType:datahub.${carrier}` }] } }))[0];

it("counts properties in one operation, and leads to what has them", () => {
  expect(countingText(2)).toBe("query PropertyUses($i0:SearchAcrossEntitiesInput! $i1:SearchAcrossEntitiesInput!){u0:searchAcrossEntities(input:$i0){total} u1:searchAcrossEntities(input:$i1){total}}");
  const [onAssets, onColumns] = [of("dataset"), of("schemaField")];
  expect(onAssets && usesAddress(onAssets)).toBe("/search?query=*&filter_structuredProperties.a.b___false___EXISTS___0=");
  expect(onColumns && usesAddress(onColumns)).toBeNull();
});
