/** A stored policy: a value of dataHubPolicyInfo. Members that the page does not support are preserved. */
export interface Info {
  displayName: string;
  description: string;
  type: string;
  state: string;
  privileges: string[];
  actors: {
    users?: string[];
    groups?: string[];
    roles?: string[];
    allUsers?: boolean;
    allGroups?: boolean;
    resourceOwners?: boolean;
    resourceOwnersTypes?: string[] | null;
    [other: string]: unknown;
  };
  resources?: Resources | null;
  editable?: boolean;
  lastUpdatedTimestamp?: number;
  [other: string]: unknown;
}

interface Resources {
  type?: string | null;
  resources?: string[] | null;
  allResources?: boolean | null;
  filter?: { criteria?: { field: string; condition?: string; values: string[] }[] | null } | null;
  [other: string]: unknown;
}

export interface Criterion {
  field: string;
  condition: string;
  values: string[];
}

/** The editable form of a policy. */
export interface Draft {
  name: string;
  description: string;
  kind: "METADATA" | "PLATFORM";
  active: boolean;
  /** The named users and groups. */
  people: string[];
  roles: string[];
  allUsers: boolean;
  allGroups: boolean;
  /** Owners of the asset: with these ownership types, with any type, or no owners. */
  owners: string[] | "any" | "none";
  privileges: string[];
  criteria: Criterion[];
}

export const nothing: Draft = {
  name: "",
  description: "",
  kind: "METADATA",
  active: true,
  people: [],
  roles: [],
  allUsers: false,
  allGroups: false,
  owners: "none",
  privileges: [],
  criteria: [],
};

const isGroup = (urn: string) => urn.startsWith("urn:li:corpGroup:");

/** Converts a stored policy to its editable form. The older form of resources becomes conditions. */
export function draftOf(info: Info): Draft {
  const { actors = {} } = info;
  return {
    name: info.displayName ?? "",
    description: info.description ?? "",
    kind: info.type === "PLATFORM" ? "PLATFORM" : "METADATA",
    active: info.state === "ACTIVE",
    people: [...(actors.users ?? []), ...(actors.groups ?? [])],
    roles: actors.roles ?? [],
    allUsers: actors.allUsers ?? false,
    allGroups: actors.allGroups ?? false,
    owners: actors.resourceOwners ? (actors.resourceOwnersTypes ?? "any") : "none",
    privileges: info.privileges ?? [],
    criteria: info.type === "PLATFORM" ? [] : criteriaOf(info.resources),
  };
}

function criteriaOf(resources: Resources | null | undefined): Criterion[] {
  if (resources?.filter) {
    return (resources.filter.criteria ?? []).map(({ field, condition, values }) => ({ field: modern(field), condition: condition || "EQUALS", values }));
  }
  const criteria: Criterion[] = [];
  if (resources?.type) {
    criteria.push({ field: "TYPE", condition: "EQUALS", values: [resources.type] });
  }
  if (resources?.resources && !resources.allResources) {
    criteria.push({ field: "URN", condition: "EQUALS", values: resources.resources });
  }
  return criteria;
}

const modern = (field: string) => field.toUpperCase().replace(/^RESOURCE_(TYPE|URN)$/, "$1");

/**
 * Converts the editable form to the stored form. Members of the previous version that the page does not show are
 * preserved.
 */
export function infoOf(draft: Draft, before: Info | null): Info {
  const { resources, ...others } = before ?? {};
  const asset = draft.kind === "METADATA";
  const kept = asset && resources ? resourcesOf(draft, resources) : asset ? (before && draft.criteria.length === 0 ? null : resourcesOf(draft, null)) : null;
  return {
    ...others,
    displayName: draft.name.trim(),
    description: draft.description.trim(),
    type: draft.kind,
    state: draft.active ? "ACTIVE" : "INACTIVE",
    privileges: draft.privileges,
    actors: {
      ...before?.actors,
      users: draft.people.filter((urn) => !isGroup(urn)),
      groups: draft.people.filter(isGroup),
      roles: draft.roles,
      allUsers: draft.allUsers,
      allGroups: draft.allGroups,
      ...ownersOf(draft),
    },
    ...(kept ? { resources: kept } : {}),
    editable: true,
  };
}

const ownersOf = ({ kind, owners }: Draft) =>
  kind === "PLATFORM" || owners === "none" ? { resourceOwners: false, resourceOwnersTypes: null } : { resourceOwners: true, resourceOwnersTypes: owners === "any" ? null : owners };

// Constraints on attached entities are preserved. Conditions replace the older form of resources.
function resourcesOf({ criteria }: Draft, before: Resources | null): Resources {
  const { type: _type, resources: _resources, allResources: _all, filter: _filter, ...others } = before ?? {};
  return criteria.length === 0 ? { ...others, allResources: true } : { ...others, filter: { criteria: criteria.map(({ field, condition, values }) => ({ field, condition, values })) } };
}

/** The missing input that prevents saving, with its field; null if the policy is complete. */
export function missing(draft: Draft): { at: Part | "name"; text: string } | null {
  if (draft.name.trim() === "") {
    return { at: "name", text: "Give the policy a name." };
  }
  const nobody = draft.people.length === 0 && draft.roles.length === 0 && !draft.allUsers && !draft.allGroups && (draft.owners === "none" || draft.kind === "PLATFORM");
  if (nobody) {
    return { at: "who", text: "Say who gets it, under Who." };
  }
  if (draft.privileges.length === 0) {
    return { at: "do", text: "Choose at least one privilege, under May do." };
  }
  const empty = draft.criteria.find(({ values }) => values.length === 0);
  return empty && draft.kind === "METADATA" ? { at: "on", text: `Choose a value for the condition on ${fieldName(empty.field)}, or remove it.` } : null;
}

/** The parts of a policy that its sentence links to. */
export type Part = "who" | "do" | "on";

/** The fields of conditions, in menu order. */
export const fields: readonly { field: string; name: string; types: readonly string[] }[] = [
  { field: "TYPE", name: "Type", types: [] },
  { field: "DOMAIN", name: "Domain", types: ["DOMAIN"] },
  { field: "CONTAINER", name: "Container", types: ["CONTAINER"] },
  { field: "TAG", name: "Tag", types: ["TAG"] },
  { field: "GLOSSARY", name: "Glossary term", types: ["GLOSSARY_TERM", "GLOSSARY_NODE"] },
  { field: "OWNER", name: "Owner", types: ["CORP_USER", "CORP_GROUP"] },
  { field: "URN", name: "Asset", types: ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "DOMAIN", "GLOSSARY_TERM", "GLOSSARY_NODE", "TAG", "DATA_PRODUCT"] },
  { field: "DATA_PLATFORM_INSTANCE", name: "Platform instance", types: ["DATA_PLATFORM_INSTANCE"] },
  { field: "GROUP_MEMBERSHIP", name: "Group of a person", types: ["CORP_GROUP"] },
];

/** The display name of a condition field. An unknown field keeps its own name. */
export const fieldName = (field: string) => fields.find((each) => each.field === field)?.name ?? field;

/** Reports whether a policy covers all users, and all assets. */
export const coversAll = ({ allUsers, kind, criteria }: Draft) => ({ people: allUsers, assets: kind === "METADATA" && criteria.length === 0 });

/** All URNs in policies. */
export const urnsIn = (drafts: readonly Draft[]) =>
  drafts.flatMap(({ people, roles, owners, criteria }) => [...people, ...roles, ...(Array.isArray(owners) ? owners : []), ...criteria.flatMap(({ values }) => values)]);
