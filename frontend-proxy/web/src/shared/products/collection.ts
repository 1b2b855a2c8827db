import { numberIn, textIn } from "../../lib/answer";
import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../govern/read";
import type { ListedApplicationFragment, ListedProductFragment } from "./collection.operations";

/** The kinds of asset collections beside domains. */
export type Kind = "dataProduct" | "application";

/** A data product or an application in a list. */
export interface Collection {
  urn: string;
  kind: Kind;
  name: string;
  description: string;
  domain: { urn: string; name: string } | null;
  owners: Owner[];
  assets: number;
}

/** Reads a data product or an application; empty for other entities. */
export function collectionIn(entity: Partial<ListedProductFragment & ListedApplicationFragment> | null): Collection[] {
  const urn = textIn(entity?.urn);
  const kind = urn.startsWith("urn:li:dataProduct:") ? "dataProduct" : urn.startsWith("urn:li:application:") ? "application" : null;
  if (!entity || !kind) {
    return [];
  }
  const facts = kind === "dataProduct" ? entity.product : entity.application;
  const domain = entity.domain?.domain;
  const holder = textIn(domain?.urn);
  return [
    {
      urn,
      kind,
      name: textIn(facts?.name) || keyOf(urn),
      description: textIn(facts?.description),
      domain: holder ? { urn: holder, name: textIn(domain?.properties?.name) || keyOf(holder) } : null,
      owners: ownersIn(entity.ownership),
      assets: numberIn(facts?.numAssets) ?? 0,
    },
  ];
}
