/**
 * The path of this server to which a text leads, or / when it leads anywhere else. Browsers take a backslash for a
 * slash and drop tabs and line ends, so such texts are not trusted.
 */
export function localPath(text: string | null): string {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (text === null || !text.startsWith("/") || text.startsWith("//") || /[\\\u0000-\u0020\u007f]/u.test(text)) {
    return "/";
  }
  return text;
}
