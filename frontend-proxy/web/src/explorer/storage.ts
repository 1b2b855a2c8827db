// What the explorer keeps between visits: tabs, history, sizes. Never headers, as they hold tokens.
// GraphiQL leaves them out of its tabs when asked to, but not out of its history.

import type { Storage as Kept } from "@graphiql/toolkit";

const ours = "graphiql:";

/** Wraps a storage of the browser so that no header reaches it, whoever writes. */
export function withoutHeaders(inner: Storage): Kept {
  return {
    getItem: (key) => inner.getItem(key),
    setItem: (key, value) => (key === `${ours}headers` ? inner.removeItem(key) : inner.setItem(key, scrub(key, value))),
    removeItem: (key) => inner.removeItem(key),
    clear: () => keysOf(inner).forEach((key) => inner.removeItem(key)),
    get length() {
      return keysOf(inner).length;
    },
  };
}

function keysOf(inner: Storage): string[] {
  return Array.from({ length: inner.length }, (_, i) => inner.key(i) ?? "").filter((key) => key.startsWith(ours));
}

// Texts of the editors are kept as they are; all else is JSON with members "headers" at any depth, or a word.
function scrub(key: string, value: string): string {
  if (key === `${ours}query` || key === `${ours}variables`) {
    return value;
  }
  try {
    return JSON.stringify(JSON.parse(value), (name, member: unknown) => (name === "headers" ? undefined : member));
  } catch {
    return value;
  }
}
