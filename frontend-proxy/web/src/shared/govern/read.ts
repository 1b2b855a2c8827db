import { nameIn } from "../entities/entities";
import { listIn, textIn } from "../../lib/answer";
import { typeOf } from "../../lib/asset";
import type { OwnersFragment } from "./owners.operations";

type Members = Record<string, unknown>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const list = (value: unknown): Members[] => (Array.isArray(value) ? value.map(members) : []);
const text = (value: unknown) => (typeof value === "string" ? value : "");

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
  listIn(ownership?.owners).flatMap(({ owner, ownershipType }) => {
    const urn = textIn(owner?.urn);
    return urn === "" ? [] : [{ urn, name: nameIn({ ...owner, urn }), group: typeOf(urn) === "corpGroup", kind: textIn(ownershipType?.info?.name), kindUrn: textIn(ownershipType?.urn) }];
  });

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

const platformIn = (entity: Members) => {
  const platform = members(entity["platform"] ?? members(entity["dataFlow"])["platform"]);
  return text(members(platform["shown"])["displayName"]) || text(platform["key"]);
};

const carries = (terms: unknown, term: string) => list(members(terms)["terms"]).some((each) => members(each["term"])["urn"] === term);

/** Reads an asset of a list. An asset without further data keeps its URN. */
export function listedIn(value: unknown, term = ""): Listed {
  const entity = members(value);
  const urn = text(entity["urn"]);
  const { platform, ownership, fields, edits, terms, dataFlow, ...named } = entity;
  const columns = [...list(members(fields)["fields"]), ...list(members(edits)["editableSchemaFieldInfo"])]
    .filter((field) => carries(field["glossaryTerms"], term))
    .map((field) => plainPath(text(field["fieldPath"])));
  return {
    urn,
    name: nameIn({ ...named, urn }),
    type: text(entity["type"]) || typeOf(urn),
    platform: platformIn({ platform, dataFlow }),
    owners: ownersIn(ownership as OwnersFragment | null),
    columns: [...new Set(columns)],
    whole: columns.length === 0 || carries(terms, term),
  };
}

/** The path of a column as shown to users, without type annotations. */
export const plainPath = (path: string) => path.replaceAll(/\[[^\]]*\]\.?/gu, "");

/** A text for a list of names of which only the first are shown: "a, b and 3 more". */
export function someOf(names: readonly string[], most = 2): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
