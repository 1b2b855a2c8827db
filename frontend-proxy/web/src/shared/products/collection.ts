import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../govern/read";

type Members = Record<string, unknown>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** The kinds of things that put assets together beside domains. */
export type Kind = "dataProduct" | "application";

/** A data product or an application as lists show it. */
export interface Collection {
  urn: string;
  kind: Kind;
  name: string;
  description: string;
  domain: { urn: string; name: string } | null;
  owners: Owner[];
  assets: number;
}

/** Reads a data product or an application; what is neither is left out. */
export function collectionIn(value: unknown): Collection[] {
  const entity = members(value);
  const urn = text(entity["urn"]);
  const kind = urn.startsWith("urn:li:dataProduct:") ? "dataProduct" : urn.startsWith("urn:li:application:") ? "application" : null;
  if (!kind) {
    return [];
  }
  const facts = members(kind === "dataProduct" ? entity["product"] : entity["application"]);
  const domain = members(members(entity["domain"])["domain"]);
  const assets = facts["numAssets"];
  return [
    {
      urn,
      kind,
      name: text(facts["name"]) || keyOf(urn),
      description: text(facts["description"]),
      domain: text(domain["urn"]) ? { urn: text(domain["urn"]), name: text(members(domain["properties"])["name"]) || keyOf(text(domain["urn"])) } : null,
      owners: ownersIn(entity["ownership"]),
      assets: typeof assets === "number" ? assets : 0,
    },
  ];
}
