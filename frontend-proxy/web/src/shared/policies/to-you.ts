import { nameOf } from "../entities/entities";
import type { Draft } from "./policy";
import { deeds, listed, objects, owners, textOf, type Vocabulary } from "./words";

/**
 * What a policy says to somebody, whose draft names those alone that the person is or belongs to: the person, groups
 * and roles, and no asset that they may not view. Who has it by owning alone has it on what they own.
 */
export function sentenceToYou(draft: Draft, known: Vocabulary): string {
  const everybody = draft.allUsers || draft.people.length > 0 || draft.roles.length > 0 || draft.allGroups;
  const [whose] = everybody ? [] : owners(draft, known.names);
  const on = draft.kind === "METADATA" ? ` on ${textOf(objects(draft.criteria, { ...known, unnamed: "(hidden from you)" }))}${whose ? " that you own" : ""}` : "";
  const typed = whose && draft.owners !== "any" ? `, as ${whose}` : "";
  return `You may ${deeds(draft, known)}${on}${typed}.`;
}

/** By what a policy is for somebody: a name, a group, a role, or that it is for all. */
export function byWhat(draft: Draft, { names }: Vocabulary, me: string): string {
  if (draft.allUsers) {
    return "everybody has it";
  }
  if (draft.people.includes(me)) {
    return "you are named";
  }
  const groups = draft.people.map((urn) => `the group ${nameOf(names, urn)}`);
  const roles = draft.roles.map((urn) => `the role ${nameOf(names, urn)}`);
  const by = [...roles, ...groups];
  return by.length > 0 ? `by ${listed(by)}` : draft.allGroups ? "members of groups have it" : "owners have it";
}
