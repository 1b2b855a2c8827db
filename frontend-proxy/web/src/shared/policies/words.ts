import { nameOf, type Names } from "../entities/entities";
import { privilegeName } from "../../lib/text";
import { fieldName, type Criterion, type Draft, type Part } from "./policy";

/** What a sentence needs to know beside the policy. */
export interface Vocabulary {
  names: Names;
  /** Titles of privileges by their names. */
  privileges: ReadonlyMap<string, string>;
  /** Titles of entity types, in the plural, by their names. */
  types: ReadonlyMap<string, string>;
  /** What a condition without values is about; "nothing yet" if absent, as in a policy that is being written. */
  unnamed?: string;
}

/** A part of a sentence, with the step that it comes from if it comes from one. */
export interface Piece {
  text: string;
  part?: Part;
}

/** Joins as people do: a, b and c. */
export function listed(texts: readonly string[], word = "and"): string {
  return texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}

// Names beyond this many are counted.
const few = 6;

function some(texts: readonly string[], noun: string): string[] {
  return texts.length <= few ? [...texts] : [...texts.slice(0, few - 1), `${texts.length - few + 1} more ${noun}`];
}

/** What a policy says, in a sentence whose parts know where they come from. */
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

/** The sentence as text. */
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

/** What the owners are called who get something by a policy; nothing where none do. */
export function owners({ kind, owners: types }: Draft, names: Names): string[] {
  if (kind === "PLATFORM" || types === "none") {
    return [];
  }
  if (types === "any") {
    return ["the owners of an asset"];
  }
  return types.length === 0 ? [] : [`owners of an asset of the type ${listed(types.map((urn) => nameOf(names, urn)), "or")}`];
}

// What reads better than its title in a sentence.
const phrases: Record<string, string> = {
  EDIT_ENTITY: "edit everything",
  DELETE_ENTITY: "delete",
  VIEW_ENTITY_PAGE: "view",
  VIEW_ENTITY: "view",
  CREATE_ENTITY: "create",
  GET_ANALYTICS_PRIVILEGE: "read analytics",
};

/** A title within a sentence: words of one capital alone lose it. */
export const lower = (title: string) => title.replaceAll(/\b[A-Z](?=[a-z]+\b)/g, (letter) => letter.toLowerCase());

/** What a policy allows, as verbs: Edit Tags and Edit Owners become "edit tags and owners". */
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

// Fields other than the type say where, or how, things are.
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

/** The assets that meet conditions. */
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

/** What a value of a condition is called. */
export function valueText(field: string, value: string, { names, types }: Vocabulary): string {
  return field === "TYPE" ? lower(types.get(value) ?? value) : nameOf(names, value);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
