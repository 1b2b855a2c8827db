import type { Query, QueryClient } from "@tanstack/react-query";

import type { Notice } from "./stream";

/**
 * The time during which changes are collected before active queries are refetched, and the minimum time between two
 * refetches, in ms.
 */
export const collect = 1000;
export const between = 2000;

/** The minimum time after dropped changes, as in a bulk ingestion, which would otherwise cause constant refetches. */
export const betweenResets = 10_000;

/** The interval of checks for unfinished edits, in ms. */
const watch = 1000;

// Queries that changes do not invalidate: the session, names, which carry little information, and lists of changes,
// which their pages refetch themselves.
const apart: ReadonlySet<unknown> = new Set(["frame", "names", "changes"]);

// The maximum number of values to scan in one response. A larger response counts as affected by every change.
const mostParts = 200_000;

// The URNs in a response, or null if it is too large to scan. Responses are immutable, so the result is cached per
// response object.
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

/** Reports whether the data or the key of a query contains one of the URNs. */
export function holds(query: Pick<Query, "queryKey" | "state">, urns: Iterable<string>): boolean {
  const [read, asked] = [urnsIn(query.state.data), urnsIn(query.queryKey)];
  return read === null || asked === null || [...urns].some((urn) => read.has(urn) || asked.has(urn));
}

/** Reports whether the user is editing, so that the page must not change. */
export const isEditing = () =>
  document.querySelector('main textarea, [role="dialog"]') !== null || (document.activeElement?.matches('main :is(input:not([type="search"], [type="checkbox"], [type="radio"]), select, [contenteditable="true"])') ?? false);

/**
 * Invalidates cached responses when an entity in them changes, and refetches active queries: once per burst of
 * changes, not during edits, and not in hidden windows, which refetch when they become visible.
 */
export class Refresher {
  #changed = new Map<string, number>(); // the time of the latest notice by entity
  #reset: number | undefined; // the time of the latest notice of dropped changes
  #doubtful = new Set<string>(); // queries that were in flight at a notice; their data may lack the change
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  #lastReset = -Infinity;

  constructor(
    private readonly queries: QueryClient,
    private readonly me: string,
    private readonly editing: () => boolean = isEditing,
  ) {}

  /** Records a change of an entity. */
  note({ urn, actor }: Pick<Notice, "urn" | "actor">) {
    const now = Date.now();
    this.#changed.set(urn, now);
    // After its own edit, the page refetches the data itself.
    if (actor !== this.me) {
      this.#doubt([urn]);
    }
    this.#schedule(Math.max(now + collect, this.#last + between));
  }

  /** Records that anything may have changed. */
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

  // Further changes do not postpone a scheduled refetch.
  #schedule(at: number) {
    this.#timer ??= setTimeout(() => this.#flush(), at - Date.now());
  }

  #flush() {
    this.#timer = undefined;
    const now = Date.now();
    const reset = now >= this.#lastReset + betweenResets ? this.#reset : undefined; // otherwise the reset stays pending
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

  // Refetches invalidated active queries as soon as the user is not editing.
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
