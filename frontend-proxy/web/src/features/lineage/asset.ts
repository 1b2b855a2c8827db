import { kindOf, typeInGraphQL, typeOf } from "../../lib/asset";
import { healthText } from "../../lib/health";
import { listIn, textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { nameIn, platformName } from "../../lib/name";
import { counted } from "../../lib/text";
import type { LineageAssetFragment } from "./asset.operations";

/** The health of an asset. */
export type Health = "pass" | "warn" | "fail" | "none";

/** An asset in graph, table and lists. */
export interface Asset {
  urn: string;
  /** The type in GraphQL. */
  type: string;
  subType: string;
  name: string;
  platform: string;
  /** The names of the parents, outermost first. */
  path: readonly string[];
  /** The parent container, by which large graphs are grouped. */
  holder: string;
  removed: boolean;
  deprecated: boolean;
  /** The actor may not view it. It has no name. */
  restricted: boolean;
  /** The asset is only referenced; no metadata of it was ever written. */
  unknown: boolean;
  health: Health;
  healthText: string;
  owners: readonly { name: string; group: boolean }[];
}

type Answer = Partial<LineageAssetFragment> & { urn: string };
type Member<List> = NonNullable<NonNullable<List> extends readonly (infer Item)[] ? Item : never>;
type HealthSign = Member<LineageAssetFragment["health"]>;

// Responses of another server version can contain null or unknown values. Each member is read separately, so that an
// invalid one does not affect the others.

/** Reads an asset from a response. */
export function assetOf(entity: Answer): Asset {
  const { urn } = entity;
  const platform = entity.platform ?? entity.jobPlatform;
  const type = textIn(entity.type) || typeInGraphQL(typeOf(urn));
  const holders = listIn(entity.parentContainers?.containers);
  const flow = entity.dataFlow;
  const named = holders.map(nameIn).toReversed();
  const flowName = textIn(flow?.properties?.name) || textIn(flow?.flowId);
  const path = named.length === 0 && flowName ? [flowName] : named.length === 0 && textIn(entity.featureNamespace) ? [textIn(entity.featureNamespace)] : named;
  return {
    urn,
    type,
    subType: textIn(listIn(entity.subTypes?.typeNames)[0]),
    name: type === "RESTRICTED" ? "Restricted asset" : nameIn(entity),
    platform: platformName(platform) ?? "",
    path,
    holder: textIn(holders[0]?.urn) || textIn(flow?.urn) || textIn(platform?.urn) || type,
    removed: entity.status?.removed === true,
    deprecated: entity.deprecation?.deprecated === true,
    restricted: type === "RESTRICTED",
    unknown: entity.exists === false,
    ...healthOf(listIn(entity.health)),
    owners: entitiesIn(listIn(entity.ownership?.owners).map(({ owner }) => owner)).map((owner) => ({ name: nameIn(owner), group: typeOf(owner.urn) === "corpGroup" })),
  };
}

const worst: Readonly<Record<string, Health>> = { FAIL: "fail", WARN: "warn", PASS: "pass" };

// The absence of incidents does not imply that data is checked. Only checks and tests make an asset pass.
function healthOf(health: readonly HealthSign[]): { health: Health; healthText: string } {
  const bad = health.find(({ status }) => status === "FAIL") ?? health.find(({ status }) => status === "WARN");
  if (bad) {
    return { health: worst[textIn(bad.status)] ?? "none", healthText: healthText(bad) || usual[textIn(bad.type)] || "Needs attention" };
  }
  const checked = health.find(({ type, status }) => type !== "INCIDENTS" && status === "PASS");
  return checked ? { health: "pass", healthText: healthText(checked) || "Passing" } : { health: "none", healthText: "No checks" };
}

const usual: Readonly<Record<string, string>> = { ASSERTIONS: "A check fails", INCIDENTS: "An incident is open", TESTS: "A test fails" };

/** The display name of the asset kind: the subtype from the platform, else the type. */
export const kindText = ({ subType, type }: Pick<Asset, "subType" | "type">) => subType || kindOf(type).one;

/** The reason for the dashed outline of an asset; empty for a normal outline. */
export const stateText = ({ removed, unknown, deprecated, restricted }: Asset) =>
  restricted ? "You may not view it" : removed ? "Removed" : unknown ? "Not in the catalog" : deprecated ? "Deprecated" : "";

/** The distance of an asset, as "2 steps up". */
export const stepText = (step: number) => (step === 0 ? "This asset" : `${counted(Math.abs(step), "step")} ${step < 0 ? "up" : "down"}`);
