import { nameIn, platformName } from "../../lib/name";
import { listIn, textIn } from "../../lib/answer";
import { typeOf } from "../../lib/asset";
import { entitiesIn } from "../../lib/found";
import type { ListedFragment, TermUrnsFragment } from "./govern.operations";
import type { OwnersFragment } from "./owners.operations";

/** An owner of an entity, with the ownership type. */
export interface Owner {
  urn: string;
  name: string;
  group: boolean;
  kind: string;
  kindUrn: string;
}

/** Reads the owners of an ownership aspect, which may be incomplete. */
export const ownersIn = (ownership: OwnersFragment | null | undefined): Owner[] =>
  listIn(ownership?.owners).flatMap(({ owner, ownershipType }) =>
    entitiesIn([owner]).map((one) => ({ urn: one.urn, name: nameIn(one), group: typeOf(one.urn) === "corpGroup", kind: textIn(ownershipType?.info?.name), kindUrn: textIn(ownershipType?.urn) })),
  );

/** An asset in a list. */
export interface Listed {
  urn: string;
  name: string;
  type: string;
  platform: string;
  owners: Owner[];
  /** The columns with the tag or term of the list. */
  columns: string[];
  /** Whether the asset itself has the tag or term. */
  whole: boolean;
}

const carries = (terms: TermUrnsFragment | null | undefined, term: string) => listIn(terms?.terms).some((each) => each.term?.urn === term);

/** Reads an asset of a list. An asset without further data keeps its URN. */
export function listedIn(entity: Partial<ListedFragment>, term = ""): Listed {
  const urn = textIn(entity.urn);
  const columns = [...listIn(entity.fields?.fields), ...listIn(entity.edits?.editableSchemaFieldInfo)].filter((field) => carries(field.glossaryTerms, term)).map(({ fieldPath }) => plainPath(textIn(fieldPath)));
  return {
    urn,
    name: nameIn(entity),
    type: textIn(entity.type) || typeOf(urn),
    platform: platformName(entity.platform) ?? platformName(entity.dataFlow?.platform) ?? "",
    owners: ownersIn(entity.ownership),
    columns: [...new Set(columns)],
    whole: columns.length === 0 || carries(entity.terms, term),
  };
}

/** The path of a column as shown to users, without type annotations. */
export const plainPath = (path: string) => path.replaceAll(/\[[^\]]*\]\.?/gu, "");

/** A text for a list of names of which only the first are shown: "a, b and 3 more". */
export function someOf(names: readonly string[], most = 2): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
