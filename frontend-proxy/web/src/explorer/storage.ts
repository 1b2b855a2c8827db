// The storage of the explorer between visits: tabs, history, sizes. It never contains headers, because they
// hold tokens. GraphiQL can omit headers from its tabs, but not from its history.

import type { Storage as Kept } from "@graphiql/toolkit";

const ours = "graphiql:";

/** Wraps a browser storage so that headers are never stored, regardless of the writing code. */
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

// Editor texts are stored unchanged. All other values are words, or JSON with members "headers" at any depth.
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
