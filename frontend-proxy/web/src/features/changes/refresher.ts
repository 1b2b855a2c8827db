import type { Query, QueryClient } from "@tanstack/react-query";

import type { Notice } from "./stream";

/** How long changes are collected before what is on the page is read again, and how much time passes between two such readings, in ms. */
export const collect = 1000;
export const between = 2000;

/** As much after changes were left out, as in a bulk ingestion, which would otherwise have every page read all the time. */
export const betweenResets = 10_000;

/** How often it is looked whether an edit is still under way, in ms. */
const watch = 1000;

// Who looks at the page, names, which say little, and what the page itself reads of changes.
const apart: ReadonlySet<unknown> = new Set(["frame", "names", "changes"]);

// More parts of one answer are not looked through: it counts as holding whatever changed.
const mostParts = 200_000;

// The URNs in an answer, null for too many parts. An answer never changes, a new one takes its place.
const found = new WeakMap<object, ReadonlySet<string> | null>();

function urnsIn(data: unknown): ReadonlySet<string> | null {
  if (typeof data !== "object" || data === null) {
    return new Set();
  }
  const known = found.get(data);
  if (known !== undefined) {
    return known;
  }
  const urns = new Set<string>();
  const open: unknown[] = [data];
  let parts = 0;
  while (open.length > 0 && parts <= mostParts) {
    const value = open.pop();
    parts++;
    if (typeof value === "string") {
      if (value.startsWith("urn:li:")) {
        urns.add(value);
      }
    } else if (value instanceof Map || value instanceof Set) {
      open.push(...[...value].flat());
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) {
        open.push(inner);
      }
    }
  }
  const all = parts > mostParts ? null : urns;
  found.set(data, all);
  return all;
}

/** Whether what a query read, or asked for, has a thing in it. */
export function holds(query: Pick<Query, "queryKey" | "state">, urns: Iterable<string>): boolean {
  const [read, asked] = [urnsIn(query.state.data), urnsIn(query.queryKey)];
  return read === null || asked === null || [...urns].some((urn) => read.has(urn) || asked.has(urn));
}

/** Whether somebody is writing on the page, whom nothing is to move under the hands. */
export const isEditing = () =>
  document.querySelector('main textarea, [role="dialog"]') !== null || (document.activeElement?.matches('main :is(input:not([type="search"], [type="checkbox"], [type="radio"]), select, [contenteditable="true"])') ?? false);

/**
 * Marks kept answers as old when something in them changed, and reads those again that are on the page: once for a burst of
 * changes, not while somebody writes there, and not in a window that nobody sees, which reads them when it is looked at.
 */
export class Refresher {
  #changed = new Map<string, number>(); // when it was heard of each thing last
  #reset: number | undefined; // when it was heard that changes were left out
  #doubtful = new Set<string>(); // what was being read then, and may or may not have the change
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  #lastReset = -Infinity;

  constructor(
    private readonly queries: QueryClient,
    private readonly me: string,
    private readonly editing: () => boolean = isEditing,
  ) {}

  /** Notes that a thing changed. */
  note({ urn, actor }: Pick<Notice, "urn" | "actor">) {
    const now = Date.now();
    this.#changed.set(urn, now);
    // One's own changes are read again by the page that made them, at this very time.
    if (actor !== this.me) {
      this.#doubt([urn]);
    }
    this.#schedule(Math.max(now + collect, this.#last + between));
  }

  /** Notes that anything may have changed. */
  reset() {
    const now = Date.now();
    this.#reset = now;
    this.#doubt(null);
    this.#schedule(Math.max(now + collect, this.#last + between, this.#lastReset + betweenResets));
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #followed() {
    return this.queries.getQueryCache().getAll().filter(({ queryKey }) => !apart.has(queryKey[0]));
  }

  #doubt(urns: readonly string[] | null) {
    for (const query of this.#followed()) {
      if (query.state.fetchStatus === "fetching" && (urns === null || query.state.data === undefined || holds(query, urns))) {
        this.#doubtful.add(query.queryHash);
      }
    }
  }

  // What is noted earlier is not put off by what comes on top.
  #schedule(at: number) {
    this.#timer ??= setTimeout(() => this.#flush(), at - Date.now());
  }

  #flush() {
    this.#timer = undefined;
    const now = Date.now();
    const reset = now >= this.#lastReset + betweenResets ? this.#reset : undefined; // else it waits for its time
    const isOld = (query: Query) => {
      const { dataUpdatedAt } = query.state;
      const before = (at: number) => dataUpdatedAt <= at || this.#doubtful.has(query.queryHash);
      if (reset !== undefined && before(reset)) {
        return true;
      }
      const since = [...this.#changed].filter(([, at]) => before(at)).map(([urn]) => urn);
      return since.length > 0 && holds(query, since);
    };
    const old = new Set(this.#followed().filter(isOld).map(({ queryHash }) => queryHash));
    this.#last = now;
    this.#changed.clear();
    this.#doubtful.clear();
    if (reset !== undefined) {
      this.#lastReset = now;
      this.#reset = undefined;
    } else if (this.#reset !== undefined) {
      this.#schedule(this.#lastReset + betweenResets);
    }
    if (old.size > 0) {
      void this.queries.invalidateQueries({ predicate: ({ queryHash }) => old.has(queryHash), refetchType: "none" });
      this.#read();
    }
  }

  // Reads what is old and on the page, as soon as nobody writes there.
  #read() {
    if (document.visibilityState === "hidden") {
      return;
    }
    if (this.editing()) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        if (this.#changed.size > 0 || this.#reset !== undefined) {
          this.#flush();
        }
        this.#read();
      }, watch);
      return;
    }
    void this.queries.refetchQueries({ type: "active", predicate: (query) => query.state.isInvalidated && !apart.has(query.queryKey[0]) }, { cancelRefetch: true });
  }
}
