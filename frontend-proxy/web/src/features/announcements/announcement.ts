import { textIn, timeIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import type { AnnouncementsQuery } from "./announcements.operations";

type Post = NonNullable<NonNullable<AnnouncementsQuery["listPosts"]>["posts"]>[number];

/** An announcement in the list. */
export interface Announcement {
  urn: string;
  title: string;
  text: string;
  /** The target of the link; empty for an announcement without a link. */
  link: string;
  /** Whether it appears on the home page, not only on one asset. */
  home: boolean;
  time: number;
  actor: string;
}

/** Reads an announcement, which may be incomplete; empty without a URN. */
export function announcementIn(post: Post | null): Announcement[] {
  return entitiesIn([post]).map(({ urn, postType, content, lastModified }) => ({
    urn,
    title: textIn(content?.title) || "Without a title",
    text: textIn(content?.description),
    link: textIn(content?.link),
    home: postType !== "ENTITY_ANNOUNCEMENT",
    time: timeIn(lastModified?.time) ?? 0,
    actor: textIn(lastModified?.actor),
  }));
}

/** Reports whether an announcement may link to an address: a web address, or a path of this catalog. */
export const isAddress = (address: string) => /^https?:\/\/\S+$/iu.test(address) || /^\/(?![/\\])\S*$/u.test(address);
