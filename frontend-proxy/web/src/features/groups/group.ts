import type { GroupQuery, GroupsQuery } from "./groups.operations";

export type Listed = NonNullable<GroupsQuery["listGroups"]>["groups"][number];
export type Whole = NonNullable<GroupQuery["corpGroup"]>;

/** The page size of groups and members. */
export const size = 25;

/** The description of a group edited by users, else the one from its source. */
export const descriptionOf = ({ properties, editableProperties }: Pick<Listed, "properties" | "editableProperties">) =>
  editableProperties?.description || properties?.description || "";

/** The reason why the members of a group cannot be changed in the UI; null if they can. */
export const fixedReason = (origin: { type: string; externalType?: string | null } | null) =>
  origin?.type === "EXTERNAL" ? `It comes from ${origin.externalType || "an identity provider"}: change its members there.` : null;

export interface Member {
  urn: string;
  username?: string | null;
  status?: string | null;
  properties?: { displayName: string | null; fullName: string | null } | null;
  editableProperties?: { displayName: string | null } | null;
}

/** The members of a group without deleted entities and duplicates. */
export function membersOf(group: Pick<Whole, "members">): Member[] {
  const all = (group.members?.relationships ?? []).flatMap(({ entity }) => (entity ? [entity as Member] : []));
  return [...new Map(all.map((member) => [member.urn, member])).values()];
}
