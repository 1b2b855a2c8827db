import { nameOf } from "../entities/entities";
import type { Draft } from "./policy";
import { deeds, listed, objects, owners, textOf, type Vocabulary } from "./words";

/**
 * Describes a policy to one user. The draft names only that user, the user's groups and roles, and assets that the
 * user may view. If only ownership grants the policy, the sentence limits it to owned assets.
 */
export function sentenceToYou(draft: Draft, known: Vocabulary): string {
  const everybody = draft.allUsers || draft.people.length > 0 || draft.roles.length > 0 || draft.allGroups;
  const [whose] = everybody ? [] : owners(draft, known.names);
  const on = draft.kind === "METADATA" ? ` on ${textOf(objects(draft.criteria, { ...known, unnamed: "(hidden from you)" }))}${whose ? " that you own" : ""}` : "";
  const typed = whose && draft.owners !== "any" ? `, as ${whose}` : "";
  return `You may ${deeds(draft, known)}${on}${typed}.`;
}

/** The reason why a policy applies to a user: by name, group or role, or because it applies to all users. */
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
