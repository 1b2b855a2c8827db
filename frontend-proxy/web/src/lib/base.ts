const written = document.documentElement.dataset["base"] ?? "";

/** The base path of the pages, such as /catalog; empty at the root. The server writes it into the document. */
export const base = /^(\/[\w.~-]+)*$/.test(written) ? written : "";

/** Prefixes a path of this server with the base path. */
export const address = (path: string) => base + path;

/** The CSP nonce for styles of this page. It is read from the script element, where other code cannot see it. */
export const styleNonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
