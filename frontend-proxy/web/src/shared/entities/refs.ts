import { nameIn } from "./entities";
import { at, listIn, members, textIn } from "../../lib/loose";
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

/** Reads a reference; null if the value has no URN. */
export const refIn = (value: unknown): Ref | null => {
  const urn = textIn(at(value, "urn"));
  return urn ? { urn, name: named(value, urn) } : null;
};

// Clients can write any value as a name.
const named = (value: unknown, urn: string): string => textIn(nameIn({ ...members(value), urn })).trim() || shortOf(urn) || urn;

// A list can contain an entity twice. It is shown once.
export const once = <One extends Ref>(refs: readonly One[], keyOf = (ref: One) => ref.urn): One[] => [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];

/** Reads the references in a list, or in one member of its elements, without duplicates. */
export const refsIn = (value: unknown, member?: string): Ref[] => once(listIn(value).flatMap((each) => refIn(member ? at(each, member) : each) ?? []));

/** The source of an association, unless a user added it. */
export const why = (value: unknown): { by?: string } => {
  const source = textIn(at(value, "attribution", "source", "urn"));
  return source ? { by: shortOf(source) } : {};
};

const labelsIn = (value: unknown, member: string): Label[] =>
  once(
    listIn(value).flatMap((each): Label[] => {
      const ref = refIn(at(each, member));
      const colour = textIn(at(each, member, "properties", "colorHex"));
      return ref ? [{ ...ref, ...(colour ? { colour } : {}), ...why(each) }] : [];
    }),
  );

/** The tags in a list of associations. */
export const tagsIn = (value: unknown): Label[] => labelsIn(at(value, "tags"), "tag");

/** The terms in a list of associations. */
export const termsIn = (value: unknown): Label[] => labelsIn(at(value, "terms"), "term");
