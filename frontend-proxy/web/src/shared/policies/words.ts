import { nameOf, type Names } from "../entities/entities";
import { privilegeName } from "../../lib/text";
import { fieldName, type Criterion, type Draft, type Part } from "./policy";

/** The names and titles that a sentence needs beside the policy. */
export interface Vocabulary {
  names: Names;
  /** Titles of privileges by name. */
  privileges: ReadonlyMap<string, string>;
  /** Plural titles of entity types by name. */
  types: ReadonlyMap<string, string>;
  /** The text for a condition without values; "nothing yet" if absent, as for a policy in the editor. */
  unnamed?: string;
}

/** A part of a sentence, with the editor step behind it, if any. */
export interface Piece {
  text: string;
  part?: Part;
}

/** Joins texts with commas and a conjunction: a, b and c. */
export function listed(texts: readonly string[], word = "and"): string {
  return texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}

// The maximum number of listed names; further names are counted.
const few = 6;

function some(texts: readonly string[], noun: string): string[] {
  return texts.length <= few ? [...texts] : [...texts.slice(0, few - 1), `${texts.length - few + 1} more ${noun}`];
}

/** Describes a policy in a sentence. Each piece refers to its part of the policy. */
export function sentence(draft: Draft, known: Vocabulary): Piece[] {
  const who = subjects(draft, known);
  const pieces: Piece[] = [];
  for (const [index, text] of (who.length > 0 ? who : ["nobody"]).entries()) {
    if (index > 0) {
      pieces.push({ text: index === who.length - 1 ? " and " : ", " });
    }
    pieces.push({ text: index === 0 ? capital(text) : text, part: "who" });
  }
  pieces.push({ text: " may " }, { text: deeds(draft, known), part: "do" });
  if (draft.kind === "METADATA") {
    pieces.push({ text: " on " }, ...objects(draft.criteria, known));
  }
  return [...pieces, { text: "." }];
}

/** Joins the pieces of a sentence. */
export const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("");

function subjects(draft: Draft, { names }: Vocabulary): string[] {
  if (draft.allUsers) {
    return ["all people"];
  }
  const people = some(
    draft.people.map((urn) => nameOf(names, urn)),
    "people or groups",
  );
  const roles = draft.roles.map((urn) => `the role ${nameOf(names, urn)}`);
  return [...people, ...roles, ...(draft.allGroups ? ["members of any group"] : []), ...owners(draft, names)];
}

/** The names of owners that a policy covers; empty if it covers no owners. */
export function owners({ kind, owners: types }: Draft, names: Names): string[] {
  if (kind === "PLATFORM" || types === "none") {
    return [];
  }
  if (types === "any") {
    return ["the owners of an asset"];
  }
  return types.length === 0 ? [] : [`owners of an asset of the type ${listed(types.map((urn) => nameOf(names, urn)), "or")}`];
}

// Phrases for privileges whose title does not fit into a sentence.
const phrases: Record<string, string> = {
  EDIT_ENTITY: "edit everything",
  DELETE_ENTITY: "delete",
  VIEW_ENTITY_PAGE: "view",
  VIEW_ENTITY: "view",
  CREATE_ENTITY: "create",
  GET_ANALYTICS_PRIVILEGE: "read analytics",
};

/** Lowercases a title within a sentence. Only words with a single, leading capital change. */
export const lower = (title: string) => title.replaceAll(/\b[A-Z](?=[a-z]+\b)/g, (letter) => letter.toLowerCase());

/** The actions that a policy allows: Edit Tags and Edit Owners become "edit tags and owners". */
export function deeds({ privileges, kind }: Draft, { privileges: titles }: Vocabulary): string {
  if (privileges.length === 0) {
    return "do nothing yet";
  }
  const verbs = new Map<string, string[]>();
  const shown = privileges.length <= few + 2 ? privileges : privileges.slice(0, few);
  for (const privilege of shown) {
    const [verb = "", ...rest] = (phrases[privilege] ?? lower(titles.get(privilege) ?? privilegeName(privilege))).split(" ");
    verbs.set(verb, [...(verbs.get(verb) ?? []), rest.join(" ")]);
  }
  const texts = [...verbs].flatMap(([verb, things]) => {
    const named = things.filter(Boolean);
    const alone = named.length < things.length ? [verb] : [];
    return named.length > 0 ? alone.concat(`${verb} ${listed(named)}`) : alone;
  });
  const others = privileges.length - shown.length;
  const all = others > 0 ? [...texts, `use ${others} more ${kind === "PLATFORM" ? "platform " : ""}privileges`] : texts;
  return all.some((text) => text.includes(" and ")) && all.length > 1 ? `${all.slice(0, -1).join(", ")}, and ${all.at(-1)}` : listed(all);
}

// Phrases for conditions on fields other than the type.
const where: Record<string, [is: string, isNot: string]> = {
  DOMAIN: ["in the domain", "outside the domain"],
  CONTAINER: ["in", "outside"],
  TAG: ["with the tag", "without the tag"],
  GLOSSARY: ["with the term", "without the term"],
  OWNER: ["owned by", "not owned by"],
  URN: ["named", "other than"],
  DATA_PLATFORM_INSTANCE: ["of the platform instance", "outside the platform instance"],
  GROUP_MEMBERSHIP: ["in the group", "outside the group"],
};

/** Describes the assets that match conditions. */
export function objects(criteria: readonly Criterion[], known: Vocabulary): Piece[] {
  const type = criteria.find(({ field, condition }) => field === "TYPE" && condition === "EQUALS");
  const pieces: Piece[] = [{ text: type ? valuesText(type, known, "and") : "all assets", part: "on" }];
  for (const [index, criterion] of criteria.filter((each) => each !== type).entries()) {
    const [is, isNot] = where[criterion.field] ?? [`whose ${fieldName(criterion.field)} is`, `whose ${fieldName(criterion.field)} is not`];
    const begins = criterion.condition === "STARTS_WITH";
    const word = begins ? `whose ${fieldName(criterion.field)} begins with` : criterion.condition === "NOT_EQUALS" ? isNot : is;
    pieces.push({ text: `${index > 0 ? " and" : ""} ${word} ` }, { text: valuesText(criterion, known, "or"), part: "on" });
  }
  return pieces;
}

function valuesText({ field, values }: Criterion, known: Vocabulary, word: string): string {
  if (values.length === 0) {
    return known.unnamed ?? (field === "TYPE" ? "assets of no type yet" : "nothing yet");
  }
  return listed(some(values.map((value) => valueText(field, value, known)), "others"), word);
}

/** The display name of a condition value. */
export function valueText(field: string, value: string, { names, types }: Vocabulary): string {
  return field === "TYPE" ? lower(types.get(value) ?? value) : nameOf(names, value);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
