import type { GroupQuery, GroupsQuery } from "./groups.operations";

export type Listed = NonNullable<GroupsQuery["listGroups"]>["groups"][number];
export type Whole = NonNullable<GroupQuery["corpGroup"]>;

/** How many groups or members a page has. */
export const size = 25;

/** What is said of a group here, or else where it came from. */
export const descriptionOf = ({ properties, editableProperties }: Pick<Listed, "properties" | "editableProperties">) =>
  editableProperties?.description || properties?.description || "";

/** Why the members of a group are not changed here, null where they are. */
export const fixedReason = (origin: { type: string; externalType?: string | null } | null) =>
  origin?.type === "EXTERNAL" ? `It comes from ${origin.externalType || "an identity provider"}: change its members there.` : null;

export interface Member {
  urn: string;
  username?: string | null;
  status?: string | null;
  properties?: { displayName: string | null; fullName: string | null } | null;
  editableProperties?: { displayName: string | null } | null;
}

/** The members of a group; those that are not there any more are left out, and whoever is in twice is there once. */
export function membersOf(group: Pick<Whole, "members">): Member[] {
  const all = (group.members?.relationships ?? []).flatMap(({ entity }) => (entity ? [entity as Member] : []));
  return [...new Map(all.map((member) => [member.urn, member])).values()];
}
