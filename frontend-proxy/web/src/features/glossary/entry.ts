import { listIn, numberIn, textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { keyOf } from "../../lib/text";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { AboveFragment, BranchFragment, GroupQuery, InDomainFragment, LeafFragment, RelatedFragment, TermQuery } from "./glossary.operations";


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
export function entryIn(entity: Partial<LeafFragment & BranchFragment> | null | undefined): Entry[] {
  const urn = textIn(entity?.urn);
  const group = urn.startsWith("urn:li:glossaryNode:");
  if (!group && !urn.startsWith("urn:li:glossaryTerm:")) {
    return [];
  }
  const children = entity?.childrenCount;
  return [
    { urn, group, name: textIn(entity?.properties?.name) || keyOf(urn), definition: textIn(entity?.properties?.description), count: (numberIn(children?.termsCount) ?? 0) + (numberIn(children?.nodesCount) ?? 0) },
  ];
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
export const aboveIn = (parents: AboveFragment | null | undefined): Above[] => entitiesIn(parents?.nodes).map(aboveOf).toReversed();

const aboveOf = ({ urn, properties }: { urn: string; properties: { name: string | null } | null }): Above => ({ urn, name: textIn(properties?.name) || keyOf(urn) });

/** The domain of an entry. */
export const domainIn = (association: InDomainFragment | null | undefined): Above | null => entitiesIn([association?.domain]).map(aboveOf)[0] ?? null;

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
  source: { ref: string; url: string };
  deprecated: string | null;
  mayManage: boolean;
  mayManageChildren: boolean;
}

// A way that the table does not contain is ignored.
const relationsIn = (edges: RelatedFragment | null | undefined, table: Readonly<Record<string, Way>>): Relation[] =>
  listIn(edges?.relationships).flatMap(({ type, entity }) => {
    const way = table[textIn(type)];
    return way ? entryIn(entity).map(({ urn, name }) => ({ way, urn, name })) : [];
  });

type Group = NonNullable<GroupQuery["glossaryNode"]>;
type Term = NonNullable<TermQuery["glossaryTerm"]>;

// A group has some members that a term has not, and the other way round.
type Found = Partial<Omit<Group & Term, "properties" | "privileges">> & {
  properties?: (NonNullable<Group["properties"]> & Partial<NonNullable<Term["properties"]>>) | null;
  privileges?: Partial<NonNullable<Group["privileges"]>> | null;
};

/** Reads the page data of an entry, which may be incomplete. */
export function wholeIn(entity: Found | null): Whole | null {
  const [entry] = entryIn(entity);
  if (!entity || !entry) {
    return null;
  }
  const relations = [...relationsIn(entity.outgoing, outgoing), ...relationsIn(entity.incoming, incoming)];
  return {
    ...entry,
    exists: entity.exists !== false,
    owners: ownersIn(entity.ownership),
    domain: domainIn(entity.domain),
    above: aboveIn(entity.parentNodes),
    relations: relations.filter((each, at) => relations.findIndex(({ way, urn }) => way === each.way && urn === each.urn) === at),
    links: listIn(entity.institutionalMemory?.elements).flatMap(({ url, label }) => (textIn(url) ? [{ url: textIn(url), label: textIn(label) || textIn(url) }] : [])),
    source: { ref: textIn(entity.properties?.sourceRef), url: textIn(entity.properties?.sourceUrl) },
    deprecated: entity.deprecation?.deprecated === true ? textIn(entity.deprecation.note) : null,
    mayManage: entity.privileges?.canManageEntity === true,
    mayManageChildren: entity.privileges?.canManageChildren === true,
  };
}
