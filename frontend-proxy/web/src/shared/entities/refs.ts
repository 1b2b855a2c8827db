import { nameIn } from "./entities";
import { at, listIn, members, textIn } from "../../lib/loose";
import { shortOf } from "../../lib/text";

/** Something of the catalog that an asset points to. */
export interface Ref {
  urn: string;
  name: string;
}

/** A tag or a term on an asset, and what put it there, if not a person. */
export interface Label extends Ref {
  colour?: string;
  by?: string;
}

/** What a value points to; null where that is nothing. */
export const refIn = (value: unknown): Ref | null => {
  const urn = textIn(at(value, "urn"));
  return urn ? { urn, name: named(value, urn) } : null;
};

// A name may be anything a client wrote.
const named = (value: unknown, urn: string): string => textIn(nameIn({ ...members(value), urn })).trim() || shortOf(urn) || urn;

// A list may name a thing twice, which is shown once.
export const once = <One extends Ref>(refs: readonly One[], keyOf = (ref: One) => ref.urn): One[] => [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];

/** What the values of a list point to, or a member of each, once each. */
export const refsIn = (value: unknown, member?: string): Ref[] => once(listIn(value).flatMap((each) => refIn(member ? at(each, member) : each) ?? []));

/** What put something on an asset, if not a person. */
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

/** The tags of a list of associations. */
export const tagsIn = (value: unknown): Label[] => labelsIn(at(value, "tags"), "tag");

/** The terms of a list of associations. */
export const termsIn = (value: unknown): Label[] => labelsIn(at(value, "terms"), "term");
