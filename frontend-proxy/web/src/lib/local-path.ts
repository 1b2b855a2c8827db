/**
 * Returns the text if it is a path of this server, otherwise /. Browsers treat a backslash as a slash and
 * remove tabs and line breaks, so texts with these characters are rejected.
 */
export function localPath(text: string | null): string {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (text === null || !text.startsWith("/") || text.startsWith("//") || /[\\\u0000-\u0020\u007f]/u.test(text)) {
    return "/";
  }
  // A dot segment leaves the base path, in any encoding of the dots.
  const [path = ""] = text.split(/[#?]/u);
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}(?:;|$)/iu.test(segment)) ? "/" : text;
}

/** Converts a path of this server to a route: removes the base path, if present. */
export function withoutBase(path: string | null, base: string): string | null {
  return path !== null && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) || "/" : path;
}
