import type { Way } from "./entry";

/** The headings of related terms, by kind of relationship. */
export const ways: readonly { way: Way; title: string }[] = [
  { way: "isA", title: "Is a kind of" },
  { way: "kind", title: "Kinds of it" },
  { way: "partOf", title: "Part of" },
  { way: "hasA", title: "Contains" },
  { way: "related", title: "Related" },
];
