const written = document.documentElement.dataset["base"] ?? "";

/** The path below which the pages are served, as /catalog, and empty at the root. The server writes it into the page. */
export const base = /^(\/[\w.~-]+)*$/.test(written) ? written : "";

/** The address of a path of this server. */
export const address = (path: string) => base + path;

/** The nonce that styles of this page need. It is read from the script element, where other code cannot see it. */
export const styleNonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
