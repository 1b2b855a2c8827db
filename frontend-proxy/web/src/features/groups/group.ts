import { numberIn, textIn } from "../../lib/answer";
import { entitiesIn, rowEntitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { keyOf } from "../../lib/text";
import type { GroupQuery, GroupsQuery } from "./groups.operations";

type Row = NonNullable<NonNullable<NonNullable<GroupsQuery["listGroups"]>["groups"]>[number]>;
type Found = NonNullable<GroupQuery["corpGroup"]>;

/** A group in the list. */
export interface Listed {
  urn: string;
  name: string;
  description: string;
  /** The number of members. */
  total: number;
  /** Whether another system maintains the members. */
  external: boolean;
}

/** A group with a page of its members. */
export interface Whole {
  urn: string;
  name: string;
  description: string;
  email: string;
  /** The reason why the members cannot be changed in the UI; null if they can. */
  fixed: string | null;
  members: Member[];
  total: number;
}

/** Reads the groups of a response, and their total. */
export const groupsIn = ({ listGroups }: GroupsQuery): { items: Listed[]; total: number } => ({
  items: entitiesIn(listGroups?.groups).map((group) => ({
    urn: group.urn,
    name: nameIn(group),
    description: descriptionOf(group),
    total: numberIn(group.members?.total) ?? 0,
    external: group.origin?.type === "EXTERNAL",
  })),
  total: numberIn(listGroups?.total) ?? 0,
});

/** Reads a group; null if there is none. */
export function groupIn(group: GroupQuery["corpGroup"]): Whole | null {
  const urn = textIn(group?.urn);
  return !group || urn === "" || group.exists === false
    ? null
    : {
        urn,
        name: nameIn({ ...group, urn }),
        description: descriptionOf(group),
        email: textIn(group.editableProperties?.email) || textIn(group.properties?.email),
        fixed: fixedReason(group.origin),
        members: membersOf(group),
        total: numberIn(group.members?.total) ?? 0,
      };
}

/** The page size of groups and members. */
export const size = 25;

/** The description of a group edited by users, else the one from its source. */
export const descriptionOf = ({ properties, editableProperties }: Pick<Row, "properties" | "editableProperties">) => textIn(editableProperties?.description) || textIn(properties?.description);

/** The reason why the members of a group cannot be changed in the UI; null if they can. */
export const fixedReason = (origin: Found["origin"]) =>
  origin?.type === "EXTERNAL" ? `It comes from ${textIn(origin.externalType) || "an identity provider"}: change its members there.` : null;

export interface Member {
  urn: string;
  name: string;
  username: string;
  suspended: boolean;
}

/** The members of a group without deleted entities and duplicates. */
export function membersOf({ members }: Pick<Found, "members">): Member[] {
  const all = rowEntitiesIn(members?.relationships).map((user) => ({
    urn: user.urn,
    name: nameIn(user),
    username: textIn(user.username) || keyOf(user.urn),
    suspended: user.status === "SUSPENDED",
  }));
  return [...new Map(all.map((member) => [member.urn, member])).values()];
}
