type Members = Record<string, unknown>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** An announcement as the list shows it. */
export interface Announcement {
  urn: string;
  title: string;
  text: string;
  /** Where it leads; empty for one that is read in place. */
  link: string;
  /** Whether everybody sees it at the start, and not only at one asset. */
  home: boolean;
  time: number;
  actor: string;
}

/** Reads an announcement, whatever of it is there. */
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

/** An address that an announcement may lead to: of the web, or of this catalog. */
export const isAddress = (address: string) => /^https?:\/\/\S+$/iu.test(address) || /^\/(?![/\\])\S*$/u.test(address);
