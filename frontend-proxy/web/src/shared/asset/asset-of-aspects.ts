import { shortOf } from "../../lib/text";
import { aspectsIn, at, listAt, members, numberAt, textAt, type Aspects } from "../../lib/aspects";
import { assetIn, deprecationIn, linksIn, ownersIn, type Asset } from "./asset";
import type { Part } from "./query";
import { once, refIn, type Ref } from "../entities/refs";

const refsOf = (list: readonly unknown[], member: string): Ref[] => once(list.flatMap((each) => refIn({ urn: textAt(each, member) || textAt(each) }) ?? []));

// The describing text of an entity is in its info or properties aspect.
const telling = (aspects: Aspects) => Object.entries(aspects).flatMap(([name, value]) => (/(Info|Properties|Definition|Details)$/u.test(name) && !/^(editable|structured|custom|display)/u.test(name) ? [value] : []));

const first = (values: readonly unknown[], names: readonly string[]) =>
  names.flatMap((name) => values.map((value) => textAt(value, name))).find((text) => text.trim() !== "") ?? "";

// The ownership type of an owner: its type URN, or, if the owner has only the older enum value, the URN of the
// built-in type.
function ownershipTypeIn(owner: unknown): string {
  const word = textAt(owner, "type");
  return textAt(owner, "typeUrn") || (word && `urn:li:ownershipType:__system__${word.toLowerCase()}`);
}

const linkIn = (link: unknown) => {
  const stamp = at(link, "createStamp");
  return { url: textAt(link, "url"), label: textAt(link, "description"), created: { time: numberAt(stamp, "time") ?? null, actor: textAt(stamp, "actor") } };
};

const customIn = (value: unknown) => Object.entries(members(value)).map(([key, one]) => ({ key, value: textAt(one) }));

function deprecatedIn(value: unknown) {
  const entity = (member: string) => ({ urn: textAt(value, member) });
  return { deprecated: at(value, "deprecated") === true, decommissionTime: numberAt(value, "decommissionTime") ?? null, note: textAt(value, "note"), actorEntity: entity("actor"), replacement: entity("replacement") };
}

/** Reads the aspects of an asset whose type is missing from the GraphQL schema. */
export function assetOfAspects(urn: string, answer: unknown): Asset {
  const aspects = aspectsIn(answer);
  const infos = telling(aspects);
  const editable = Object.entries(aspects).flatMap(([name, value]) => (name.startsWith("editable") ? [value] : []));
  const owners = listAt(aspects, "ownership", "owners").map((each) => ({ owner: { urn: textAt(each, "owner") }, ownershipType: { urn: ownershipTypeIn(each) } }));
  const parts: readonly [string, Part][] = [
    ["ownership", "ownership"],
    ["globalTags", "tags"],
    ["glossaryTerms", "glossaryTerms"],
    ["domains", "domain"],
    ["institutionalMemory", "institutionalMemory"],
  ];
  return {
    ...assetIn(urn, {}),
    name: first([...editable, ...infos], ["displayName", "name", "title", "qualifiedName"]) || shortOf(urn) || urn,
    subType: listAt(aspects, "subTypes", "typeNames").map((name) => textAt(name)).find(Boolean) ?? "",
    description: first(infos, ["description", "definition"]),
    edited: first(editable, ["description"]),
    externalUrl: first(infos, ["externalUrl"]),
    exists: Object.keys(aspects).length > 0,
    removed: at(aspects["status"], "removed") === true,
    deprecation: deprecationIn(deprecatedIn(aspects["deprecation"])),
    owners: ownersIn(owners),
    tags: refsOf(listAt(aspects, "globalTags", "tags"), "tag"),
    terms: refsOf(listAt(aspects, "glossaryTerms", "terms"), "urn"),
    domain: refsOf(listAt(aspects, "domains", "domains"), "")[0] ?? null,
    custom: infos.flatMap((value) => customIn(at(value, "customProperties"))),
    links: linksIn(listAt(aspects, "institutionalMemory", "elements").map(linkIn)),
    has: new Set<Part>(parts.flatMap(([name, part]) => (Object.hasOwn(aspects, name) ? [part] : []))),
  };
}
