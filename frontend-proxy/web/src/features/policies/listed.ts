import type { PoliciesQuery } from "./policies.operations";
import { draftOf, type Draft } from "../../shared/policies/policy";

/** A policy of the list. */
export type Listed = NonNullable<PoliciesQuery["listPolicies"]>["policies"][number];

/** Converts a listed policy to its editable form. */
export function draftOfListed({ name, description, type, state, privileges, actors, resources }: Listed): Draft {
  return draftOf({
    displayName: name,
    description: description ?? "",
    type,
    state,
    privileges,
    actors: {
      users: actors.users ?? [],
      groups: actors.groups ?? [],
      roles: actors.roles ?? [],
      allUsers: actors.allUsers,
      allGroups: actors.allGroups,
      resourceOwners: actors.resourceOwners,
      resourceOwnersTypes: actors.resourceOwnersTypes,
    },
    resources: resources && {
      ...resources,
      filter: resources.filter && { criteria: (resources.filter.criteria ?? []).map(({ field, condition, values }) => ({ field, condition, values: values.map(({ value }) => value) })) },
    },
  });
}

export interface Filter {
  text: string;
  state: string;
  kind: string;
}

/** A listed policy with its sentence, which the text filter also searches. */
export interface Row {
  policy: Listed;
  draft: Draft;
  words: string;
}

/** The rows that match a filter, in list order. */
export function chosen(rows: readonly Row[], { text, state, kind }: Filter): Row[] {
  const sought = text.trim().toLowerCase();
  return rows.filter(
    ({ policy, draft, words }) =>
      (state === "all" || draft.active === (state === "on")) &&
      (kind === "any" || (draft.kind === "PLATFORM") === (kind === "platform")) &&
      (sought === "" || `${policy.name} ${policy.description ?? ""} ${words} ${policy.privileges.join(" ")} ${policy.urn}`.toLowerCase().includes(sought)),
  );
}
