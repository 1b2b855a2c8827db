import { kindOf, typeInGraphQL, typeOf } from "../../lib/asset";
import { healthText } from "../../lib/health";
import { listIn, textIn } from "../../lib/answer";
import { groupName, personName } from "../../lib/people";
import { counted, shortOf } from "../../lib/text";
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
type Owner = NonNullable<Member<NonNullable<LineageAssetFragment["ownership"]>["owners"]>["owner"]>;
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
  const named = holders.map((each) => textIn(each.properties?.name) || shortOf(textIn(each.urn))).toReversed();
  const flowName = textIn(flow?.properties?.name) || textIn(flow?.flowId);
  const path = named.length === 0 && flowName ? [flowName] : named.length === 0 && textIn(entity.featureNamespace) ? [textIn(entity.featureNamespace)] : named;
  return {
    urn,
    type,
    subType: textIn(listIn(entity.subTypes?.typeNames)[0]),
    name: type === "RESTRICTED" ? "Restricted asset" : nameOf(entity),
    platform: textIn(platform?.properties?.displayName) || textIn(platform?.name) || textIn(platform?.urn).replace("urn:li:dataPlatform:", ""),
    path,
    holder: textIn(holders[0]?.urn) || textIn(flow?.urn) || textIn(platform?.urn) || type,
    removed: entity.status?.removed === true,
    deprecated: entity.deprecation?.deprecated === true,
    restricted: type === "RESTRICTED",
    unknown: entity.exists === false,
    ...healthOf(listIn(entity.health)),
    owners: listIn(entity.ownership?.owners).flatMap(({ owner }) => (owner && textIn(owner.urn) !== "" ? [ownerOf(owner)] : [])),
  };
}

const nameOf = (entity: Answer) => {
  const { datasetNames, chartNames, dashboardNames, jobNames, flowNames, runNames } = entity;
  const given = [datasetNames, chartNames, dashboardNames, jobNames, flowNames, runNames].map((names) => textIn(names?.name));
  return given.find(Boolean) || textIn(entity.name) || textIn(entity.jobId) || textIn(entity.flowId) || shortOf(entity.urn);
};

function ownerOf(owner: Owner) {
  const urn = textIn(owner.urn);
  const group = typeOf(urn) === "corpGroup";
  return group
    ? { group, name: groupName({ urn, name: textIn(owner.name), properties: owner.group ?? null }) }
    : { group, name: personName({ urn, username: textIn(owner.username), properties: owner.person ?? null, editableProperties: owner.edited ?? null }) };
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
