import { kindOf, typeInGraphQL, typeOf } from "../../lib/asset";
import { healthText } from "../../lib/health";
import { listIn, members, textIn } from "../../lib/loose";
import { groupName, personName } from "../../lib/people";
import { counted, shortOf } from "../../lib/text";

/** Whether what is watched about an asset is well. */
export type Health = "pass" | "warn" | "fail" | "none";

/** An asset as the graph, the table and the lists show it. */
export interface Asset {
  urn: string;
  /** Its type in GraphQL. */
  type: string;
  subType: string;
  name: string;
  platform: string;
  /** The steps of the way to it, the outermost first. */
  path: readonly string[];
  /** What holds it, by which large graphs are grouped. */
  holder: string;
  removed: boolean;
  deprecated: boolean;
  /** Something that its reader may not view; it has no name. */
  restricted: boolean;
  /** Named by others, and never written itself. */
  unknown: boolean;
  health: Health;
  healthText: string;
  owners: readonly { name: string; group: boolean }[];
}

type Answer = Readonly<Record<string, unknown>> & { urn: string };

// Answers of another build of the server may hold null, or words that this build does not know: each
// member is read by itself, so that one of them spoils no more than itself.

/** Reads an asset from an answer. */
export function assetOf(answer: { urn: string }): Asset {
  const entity = answer as Answer;
  const { urn } = entity;
  const platform = members(entity["platform"] ?? entity["jobPlatform"]);
  const type = textIn(entity["type"]) || typeInGraphQL(typeOf(urn));
  const holders = listIn(members(entity["parentContainers"])["containers"]).map(members);
  const flow = members(entity["dataFlow"]);
  const named = holders.map((each) => textIn(members(each["properties"])["name"]) || shortOf(textIn(each["urn"]))).toReversed();
  const flowName = textIn(members(flow["properties"])["name"]) || textIn(flow["flowId"]);
  const path = named.length === 0 && flowName ? [flowName] : named.length === 0 && textIn(entity["featureNamespace"]) ? [textIn(entity["featureNamespace"])] : named;
  return {
    urn,
    type,
    subType: textIn(listIn(members(entity["subTypes"])["typeNames"])[0]),
    name: type === "RESTRICTED" ? "Restricted asset" : nameOf(entity),
    platform: textIn(members(platform["properties"])["displayName"]) || textIn(platform["name"]) || textIn(platform["urn"]).replace("urn:li:dataPlatform:", ""),
    path,
    holder: textIn(holders[0]?.["urn"]) || textIn(flow["urn"]) || textIn(platform["urn"]) || type,
    removed: members(entity["status"])["removed"] === true,
    deprecated: members(entity["deprecation"])["deprecated"] === true,
    restricted: type === "RESTRICTED",
    unknown: entity["exists"] === false,
    ...healthOf(listIn(entity["health"]).map(members)),
    owners: listIn(members(entity["ownership"])["owners"])
      .map((each) => members(members(each)["owner"]))
      .filter((owner) => textIn(owner["urn"]) !== "")
      .map(ownerOf),
  };
}

const nameOf = (entity: Answer) => {
  const given = Object.entries(entity).flatMap(([member, value]) => (member.endsWith("Names") ? [textIn(members(value)["name"])] : []));
  return given.find(Boolean) || textIn(entity["name"]) || textIn(entity["jobId"]) || textIn(entity["flowId"]) || shortOf(entity.urn);
};

function ownerOf(owner: Readonly<Record<string, unknown>>) {
  const urn = textIn(owner["urn"]);
  const group = typeOf(urn) === "corpGroup";
  const named = { displayName: textIn(members(owner["person"])["displayName"]), fullName: textIn(members(owner["person"])["fullName"]) };
  return group
    ? { group, name: groupName({ urn, name: textIn(owner["name"]), properties: { displayName: textIn(members(owner["group"])["displayName"]) } }) }
    : { group, name: personName({ urn, username: textIn(owner["username"]), properties: named, editableProperties: { displayName: textIn(members(owner["edited"])["displayName"]) } }) };
}

const worst: Readonly<Record<string, Health>> = { FAIL: "fail", WARN: "warn", PASS: "pass" };

// Incidents that are absent say nothing of whether data is checked: only checks and tests make an asset pass.
function healthOf(health: readonly Readonly<Record<string, unknown>>[]): { health: Health; healthText: string } {
  const bad = health.find(({ status }) => status === "FAIL") ?? health.find(({ status }) => status === "WARN");
  if (bad) {
    return { health: worst[textIn(bad["status"])] ?? "none", healthText: healthText(bad) || usual[textIn(bad["type"])] || "Needs attention" };
  }
  const checked = health.find(({ type, status }) => type !== "INCIDENTS" && status === "PASS");
  return checked ? { health: "pass", healthText: healthText(checked) || "Passing" } : { health: "none", healthText: "No checks" };
}

const usual: Readonly<Record<string, string>> = { ASSERTIONS: "A check fails", INCIDENTS: "An incident is open", TESTS: "A test fails" };

/** What kind of asset it is, for people: as its platform calls it, else by its type. */
export const kindText = ({ subType, type }: Pick<Asset, "subType" | "type">) => subType || kindOf(type).one;

/** Why an asset is drawn dashed; empty for one that is not. */
export const stateText = ({ removed, unknown, deprecated, restricted }: Asset) =>
  restricted ? "You may not view it" : removed ? "Removed" : unknown ? "Not in the catalog" : deprecated ? "Deprecated" : "";

/** How far away an asset is, as "2 steps up". */
export const stepText = (step: number) => (step === 0 ? "This asset" : `${counted(Math.abs(step), "step")} ${step < 0 ? "up" : "down"}`);
