import { listIn, textIn } from "../../lib/answer";
import { nameIn, type Named } from "../../lib/name";
import { shortOf } from "../../lib/text";

/** An entity that an asset refers to. */
export interface Ref {
  urn: string;
  name: string;
}

/** A tag or a term of an asset, with its source unless a user added it. */
export interface Label extends Ref {
  colour?: string;
  by?: string;
}

type List<Element> = readonly (Element | null)[] | null | undefined;

/** A source of an association in a response. */
interface Attributed {
  attribution?: { source?: Named | null } | null;
}

type TagNamed = Named & { readonly properties?: { readonly colorHex?: string | null } | null | undefined };

/** Reads a reference; null if the value has no URN. */
export const refIn = (value: Named | null | undefined): Ref | null => {
  const urn = textIn(value?.urn);
  return urn ? { urn, name: nameIn({ ...value, urn }).trim() || urn } : null;
};

// A list can contain an entity twice. It is shown once.
export const once = <One extends Ref>(refs: readonly One[], keyOf = (ref: One) => ref.urn): One[] => [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];

/** Reads the references in a list, without duplicates. */
export const refsIn = (values: List<Named>): Ref[] => once(listIn(values).flatMap((each) => refIn(each) ?? []));

/** Reads the references to the entities of relationships, without duplicates. */
export const endsIn = (values: List<{ entity?: Named | null }>): Ref[] => once(listIn(values).flatMap(({ entity }) => refIn(entity) ?? []));

/** The source of an association, unless a user added it. */
export const why = ({ attribution }: Attributed): { by?: string } => {
  const source = textIn(attribution?.source?.urn);
  return source ? { by: shortOf(source) } : {};
};

function labelIn(value: TagNamed | null | undefined, association: Attributed): Label[] {
  const ref = refIn(value);
  const colour = textIn(value?.properties?.colorHex);
  return ref ? [{ ...ref, ...(colour ? { colour } : {}), ...why(association) }] : [];
}

/** The tags in a list of associations. */
export const tagsIn = (value: { tags?: List<Attributed & { tag?: TagNamed | null }> } | null | undefined): Label[] => once(listIn(value?.tags).flatMap((each) => labelIn(each.tag, each)));

/** The terms in a list of associations. */
export const termsIn = (value: { terms?: List<Attributed & { term?: Named | null }> } | null | undefined): Label[] => once(listIn(value?.terms).flatMap((each) => labelIn(each.term, each)));
