type Members = Record<string, unknown>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const text = (value: unknown) => (typeof value === "string" ? value : "");

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
export function announcementIn(value: unknown): Announcement[] {
  const post = members(value);
  const urn = text(post["urn"]);
  if (urn === "") {
    return [];
  }
  const content = members(post["content"]);
  const stamp = members(post["lastModified"]);
  return [
    {
      urn,
      title: text(content["title"]) || "Without a title",
      text: text(content["description"]),
      link: text(content["link"]),
      home: post["postType"] !== "ENTITY_ANNOUNCEMENT",
      time: typeof stamp["time"] === "number" ? stamp["time"] : 0,
      actor: text(stamp["actor"]),
    },
  ];
}

/** Reports whether an announcement may link to an address: a web address, or a path of this catalog. */
export const isAddress = (address: string) => /^https?:\/\/\S+$/iu.test(address) || /^\/(?![/\\])\S*$/u.test(address);
