import { at, listIn, members, numberIn, textIn, textsIn } from "../../lib/loose";
import { shortOf } from "../../lib/text";
import { aspectsIn, type Aspects } from "../../lib/aspects";
import { assetIn, deprecationIn, linksIn, ownersIn, type Asset } from "./asset";
import type { Part } from "./query";
import { once, refIn, type Ref } from "../entities/refs";

const refsOf = (list: unknown, member: string): Ref[] => once(listIn(list).flatMap((each) => refIn({ urn: textIn(at(each, member)) || textIn(each) }) ?? []));

// The describing text of an entity is in its info or properties aspect.
const telling = (aspects: Aspects) => Object.entries(aspects).flatMap(([name, value]) => (/(Info|Properties|Definition|Details)$/u.test(name) && !/^(editable|structured|custom|display)/u.test(name) ? [value] : []));

const first = (values: readonly unknown[], names: readonly string[]) =>
  names.flatMap((name) => values.map((value) => textIn(at(value, name)))).find((text) => text.trim() !== "") ?? "";

// The ownership type of an owner: its type URN, or, if the owner has only the older enum value, the URN of the
// built-in type.
function ownershipTypeIn(owner: unknown): string {
  const word = textIn(at(owner, "type"));
  return textIn(at(owner, "typeUrn")) || (word && `urn:li:ownershipType:__system__${word.toLowerCase()}`);
}

const linkIn = (link: unknown) => {
  const stamp = at(link, "createStamp");
  return { url: textIn(at(link, "url")), label: textIn(at(link, "description")), created: { time: numberIn(at(stamp, "time")) ?? null, actor: textIn(at(stamp, "actor")) } };
};

const customIn = (value: unknown) => Object.entries(members(value)).map(([key, one]) => ({ key, value: textIn(one) }));

function deprecatedIn(value: unknown) {
  const entity = (member: string) => ({ urn: textIn(at(value, member)) });
  return { deprecated: at(value, "deprecated") === true, decommissionTime: numberIn(at(value, "decommissionTime")) ?? null, note: textIn(at(value, "note")), actorEntity: entity("actor"), replacement: entity("replacement") };
}

/** Reads the aspects of an asset whose type is missing from the GraphQL schema. */
export function assetOfAspects(urn: string, answer: unknown): Asset {
  const aspects = aspectsIn(answer);
  const infos = telling(aspects);
  const editable = Object.entries(aspects).flatMap(([name, value]) => (name.startsWith("editable") ? [value] : []));
  const owners = listIn(at(aspects["ownership"], "owners")).map((each) => ({ owner: { urn: textIn(at(each, "owner")) }, ownershipType: { urn: ownershipTypeIn(each) } }));
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
    subType: textsIn(at(aspects["subTypes"], "typeNames"))[0] ?? "",
    description: first(infos, ["description", "definition"]),
    edited: first(editable, ["description"]),
    externalUrl: first(infos, ["externalUrl"]),
    exists: Object.keys(aspects).length > 0,
    removed: at(aspects["status"], "removed") === true,
    deprecation: deprecationIn(deprecatedIn(aspects["deprecation"])),
    owners: ownersIn(owners),
    tags: refsOf(at(aspects["globalTags"], "tags"), "tag"),
    terms: refsOf(at(aspects["glossaryTerms"], "terms"), "urn"),
    domain: refsOf(at(aspects["domains"], "domains"), "")[0] ?? null,
    custom: infos.flatMap((value) => customIn(at(value, "customProperties"))),
    links: linksIn(listIn(at(aspects["institutionalMemory"], "elements")).map(linkIn)),
    has: new Set<Part>(parts.flatMap(([name, part]) => (Object.hasOwn(aspects, name) ? [part] : []))),
  };
}
