import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { OwnersFragment } from "../../shared/govern/owners.operations";

type Members = Record<string, unknown>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const list = (value: unknown): Members[] => (Array.isArray(value) ? value.map(members) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** A term or a group of terms in the tree and in lists. */
export interface Entry {
  urn: string;
  name: string;
  definition: string;
  group: boolean;
  /** The number of direct children of a group. */
  count: number;
}

/** Reads a term or a group; empty for other entities. */
export function entryIn(value: unknown): Entry[] {
  const entity = members(value);
  const urn = text(entity["urn"]);
  const group = urn.startsWith("urn:li:glossaryNode:");
  if (!group && !urn.startsWith("urn:li:glossaryTerm:")) {
    return [];
  }
  const facts = members(group ? entity["node"] : entity["term"]);
  const children = members(entity["childrenCount"]);
  return [{ urn, group, name: text(facts["name"]) || keyOf(urn), definition: text(facts["description"]), count: number(children["termsCount"]) + number(children["nodesCount"]) }];
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts groups before terms, each by name. */
export const inOrder = (entries: readonly Entry[]) => entries.toSorted((a, b) => Number(b.group) - Number(a.group) || collator.compare(a.name, b.name) || (a.urn < b.urn ? -1 : 1));

/** A parent of an entry. */
export interface Above {
  urn: string;
  name: string;
}

/** The parent groups of an entry, from the top down. */
export const aboveIn = (parents: unknown): Above[] =>
  list(members(parents)["nodes"])
    .flatMap((node) => (text(node["urn"]) ? [{ urn: text(node["urn"]), name: text(members(node["properties"])["name"]) || keyOf(text(node["urn"])) }] : []))
    .toReversed();

/** The kind of a relationship between terms, as seen from one of them. */
export type Way = "isA" | "hasA" | "kind" | "partOf" | "related";

/** A related term. */
export interface Relation {
  way: Way;
  urn: string;
  name: string;
}

const outgoing: Readonly<Record<string, Way>> = { IsA: "isA", HasA: "hasA", HasValue: "related", IsRelatedTo: "related" };
const incoming: Readonly<Record<string, Way>> = { IsA: "kind", HasA: "partOf", IsRelatedTo: "related" };

/** The data of a term or a group on its page. */
export interface Whole extends Entry {
  exists: boolean;
  owners: Owner[];
  domain: Above | null;
  above: Above[];
  relations: Relation[];
  links: { url: string; label: string }[];
  source: { kind: string; ref: string; url: string };
  deprecated: string | null;
  mayManage: boolean;
  mayManageChildren: boolean;
}

/** Reads the page data of an entry, which may be incomplete. */
export function wholeIn(value: unknown): Whole | null {
  const [entry] = entryIn(value);
  if (!entry) {
    return null;
  }
  const entity = members(value);
  const domain = members(members(entity["domain"])["domain"]);
  const source = members(entity["source"]);
  const deprecation = members(entity["deprecation"]);
  const may = members(entity["privileges"]);
  const edges = (name: string, table: Readonly<Record<string, Way>>) =>
    list(members(entity[name])["relationships"]).flatMap((edge) => {
      const way = table[text(edge["type"])];
      const [other] = entryIn(edge["entity"]);
      return way && other ? [{ way, urn: other.urn, name: other.name }] : [];
    });
  const relations = [...edges("outgoing", outgoing), ...edges("incoming", incoming)];
  return {
    ...entry,
    exists: entity["exists"] !== false,
    owners: ownersIn(entity["ownership"] as OwnersFragment | null),
    domain: text(domain["urn"]) ? { urn: text(domain["urn"]), name: text(members(domain["properties"])["name"]) || keyOf(text(domain["urn"])) } : null,
    above: aboveIn(entity["parentNodes"]),
    relations: relations.filter((each, at) => relations.findIndex(({ way, urn }) => way === each.way && urn === each.urn) === at),
    links: list(members(entity["institutionalMemory"])["elements"]).flatMap((link) => (text(link["url"]) ? [{ url: text(link["url"]), label: text(link["label"]) || text(link["url"]) }] : [])),
    source: { kind: text(source["termSource"]), ref: text(source["sourceRef"]), url: text(source["sourceUrl"]) },
    deprecated: deprecation["deprecated"] === true ? text(deprecation["note"]) : null,
    mayManage: may["canManageEntity"] === true,
    mayManageChildren: may["canManageChildren"] === true,
  };
}
