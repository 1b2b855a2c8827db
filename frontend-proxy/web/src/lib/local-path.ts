/**
 * The path of this server to which a text leads, or / when it leads anywhere else. Browsers take a backslash for a
 * slash and drop tabs and line ends, so such texts are not trusted.
 */
export function localPath(text: string | null): string {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (text === null || !text.startsWith("/") || text.startsWith("//") || /[\\\u0000-\u0020\u007f]/u.test(text)) {
    return "/";
  }
  // Browsers leave the base path by a segment of dots, however the dots are written.
  const [path = ""] = text.split(/[#?]/u);
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}(?:;|$)/iu.test(segment)) ? "/" : text;
}

/** A path of this server as the pages know it: whole ones begin with the base path, and others are taken as they are. */
export function withoutBase(path: string | null, base: string): string | null {
  return path !== null && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) || "/" : path;
}
