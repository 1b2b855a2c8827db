import { listIn, textIn, textsIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { keyOf } from "../../lib/text";
import type { PoliciesQuery } from "./policies.operations";
import { draftOf, type Draft, type Info } from "../../shared/policies/policy";

/** A policy of the list. */
export interface Listed {
  urn: string;
  name: string;
  editable: boolean;
  draft: Draft;
}

/** Reads the policies of a response. */
export const policiesIn = (page: PoliciesQuery["listPolicies"]): Listed[] =>
  entitiesIn(page?.policies).map((policy) => {
    const draft = draftOf(infoIn(policy));
    return { urn: policy.urn, name: draft.name || keyOf(policy.urn), editable: policy.editable === true, draft };
  });

type Policy = Omit<NonNullable<NonNullable<NonNullable<PoliciesQuery["listPolicies"]>["policies"]>[number]>, "urn" | "editable">;

const infoIn = ({ name, description, type, state, privileges, actors, resources }: Policy): Info => ({
  displayName: textIn(name),
  description: textIn(description),
  type: textIn(type),
  state: textIn(state),
  privileges: textsIn(privileges),
  actors: {
    users: textsIn(actors?.users),
    groups: textsIn(actors?.groups),
    roles: textsIn(actors?.roles),
    allUsers: actors?.allUsers === true,
    allGroups: actors?.allGroups === true,
    resourceOwners: actors?.resourceOwners === true,
    resourceOwnersTypes: actors?.resourceOwnersTypes ? textsIn(actors.resourceOwnersTypes) : null,
  },
  resources: resources && {
    type: textIn(resources.type),
    resources: resources.resources && textsIn(resources.resources),
    allResources: resources.allResources === true,
    filter: resources.filter && {
      criteria: listIn(resources.filter.criteria).map(({ field, condition, values }) => ({ field: textIn(field), condition: textIn(condition), values: textsIn(listIn(values).map(({ value }) => value)) })),
    },
  },
});

export interface Filter {
  text: string;
  state: string;
  kind: string;
}

/** A listed policy with its sentence, which the text filter also searches. */
export interface Row extends Listed {
  words: string;
}

/** The rows that match a filter, in list order. */
export function chosen(rows: readonly Row[], { text, state, kind }: Filter): Row[] {
  const sought = text.trim().toLowerCase();
  return rows.filter(
    ({ urn, name, draft, words }) =>
      (state === "all" || draft.active === (state === "on")) &&
      (kind === "any" || (draft.kind === "PLATFORM") === (kind === "platform")) &&
      (sought === "" || `${name} ${draft.description} ${words} ${draft.privileges.join(" ")} ${urn}`.toLowerCase().includes(sought)),
  );
}
