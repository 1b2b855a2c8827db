import { createContext, useCallback, useContext, useEffect, useId, useMemo, useState, type ReactNode } from "react";

// A refetched list may lack a row that the user is editing. Fields therefore report to the enclosing scope
// that they are open. The scope keeps the rows of open fields until the fields are closed, and the fields
// show that their object was removed.

interface Around {
  /** Whether the object of the field was removed. */
  gone: boolean;
  report: (field: string, open: boolean) => void;
}

const Surroundings = createContext<Around>({ gone: false, report: () => undefined });

/**
 * Keeps the enclosing row on the page while the field is open. Returns whether the object was removed and the
 * row remains only because of open fields.
 */
export function useOpenField(open: boolean): boolean {
  const field = useId();
  const { gone, report } = useContext(Surroundings);
  useEffect(() => {
    if (open) {
      report(field, true);
      return () => report(field, false);
    }
    return undefined;
  }, [open, report, field]);
  return gone;
}

/** The scope that open fields inside report to. It also forwards the reports to the enclosing scope. */
export function OpenScope({ name, gone, report, children }: { name: string; gone: boolean; report: (name: string, field: string, open: boolean) => void; children: ReactNode }) {
  const above = useContext(Surroundings);
  const reportAbove = above.report;
  const both = useCallback(
    (field: string, open: boolean) => {
      report(name, field, open);
      reportAbove(field, open);
    },
    [name, report, reportAbove],
  );
  const around = useMemo(() => ({ gone: gone || above.gone, report: both }), [gone, above.gone, both]);
  return <Surroundings value={around}>{children}</Surroundings>;
}

// The open fields, with the scope name of each.
function useOpenFields() {
  const [open, setOpen] = useState<ReadonlyMap<string, string>>(new Map());
  const report = useCallback(
    (name: string, field: string, isOpen: boolean) =>
      setOpen((before) => {
        const after = new Map(before);
        if (isOpen) {
          after.set(field, name);
        } else {
          after.delete(field);
        }
        return after;
      }),
    [],
  );
  return { open, report };
}

/** Merges items that satisfy isKept and are missing from the new list into it. Each is inserted after its former predecessor. */
export function withKept<Item>(items: readonly Item[], before: readonly Item[], isKept: (item: Item) => boolean, keyOf: (item: Item) => string): readonly Item[] {
  const there = new Set(items.map(keyOf));
  const kept = before.filter((item) => !there.has(keyOf(item)) && isKept(item));
  if (kept.length === 0) {
    return items;
  }
  const all = [...items];
  for (const item of kept) {
    const ahead = new Set(before.slice(0, before.indexOf(item)).map(keyOf));
    all.splice(all.findLastIndex((each) => ahead.has(keyOf(each))) + 1, 0, item);
  }
  return all;
}

interface Listed<Item> {
  items: readonly Item[];
  /** All existing items, if items contains only the matching ones; defaults to items. */
  all?: readonly Item[] | undefined;
  keyOf: (item: Item) => string;
  /** The query behind the items. When it changes, rows of the previous query are dropped. */
  scope?: string | undefined;
  /**
   * Returns the keys of removed items. Needed if items is a single page of the list: a missing item may have
   * moved to another page.
   */
  removedOf?: ((keys: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
}

// The keys that are known to be removed. Until the response arrives no key counts as removed; saving then
// relies on the check of the server.
function useRemoved(keys: readonly string[], removedOf: Listed<unknown>["removedOf"]): ReadonlySet<string> | undefined {
  const asked = keys.join("\n");
  const [answer, setAnswer] = useState<{ asked: string; removed: ReadonlySet<string> }>();
  useEffect(() => {
    let awaited = true;
    if (removedOf && asked !== "") {
      removedOf(asked.split("\n")).then(
        (removed) => awaited && setAnswer({ asked, removed }),
        () => undefined,
      );
    }
    return () => {
      awaited = false;
    };
  }, [asked, removedOf]);
  return answer?.asked === asked ? answer.removed : undefined;
}

/**
 * Returns the rows of a list, including rows that are kept because of open fields, and a function that
 * reports whether a row was removed.
 */
export function useKeptRows<Item>({ items, all, keyOf, scope, removedOf }: Listed<Item>) {
  const { open, report } = useOpenFields();
  const [last, setLast] = useState({ items, open, scope, shown: items });
  let { shown } = last;
  if (last.items !== items || last.open !== open || last.scope !== scope) {
    const names = new Set(open.values());
    shown = last.scope === scope ? withKept(items, last.shown, (item) => names.has(keyOf(item)), keyOf) : items;
    setLast({ items, open, scope, shown });
  }
  // Rows are kept only while a field is open.
  const there = useMemo(() => (open.size > 0 ? new Map((all ?? items).map((item) => [keyOf(item), item])) : null), [open, all, items, keyOf]);
  const missing = there === null ? [] : shown.map(keyOf).filter((key) => !there.has(key));
  const removed = useRemoved(missing, removedOf);
  return {
    // A kept row shows its current values, so that a field can detect changes by other users.
    shown: there === null ? shown : shown.map((item) => there.get(keyOf(item)) ?? item),
    isGone: (item: Item) => (removedOf ? removed?.has(keyOf(item)) === true : missing.includes(keyOf(item))),
    report,
  };
}

interface KeepOpenProps<Value> {
  /** The current value, or undefined if there is none. */
  value: Value | undefined;
  /** Whether a missing value means that the object was removed, rather than that it does not match the filter. */
  gone?: boolean;
  scope?: string;
  empty?: ReactNode;
  children: (value: Value) => ReactNode;
}

/** Renders a value. A value that disappears stays on the page until its open fields are closed. */
export function KeepOpen<Value>({ value, gone = true, scope, empty = null, children }: KeepOpenProps<Value>) {
  const { open, report } = useOpenFields();
  const [last, setLast] = useState({ value, scope });
  if (last.scope !== scope || (value !== undefined && value !== last.value)) {
    setLast({ value, scope });
  }
  const shown = value ?? (open.size > 0 && last.scope === scope ? last.value : undefined);
  return shown === undefined ? (
    empty
  ) : (
    <OpenScope name="" gone={gone && value === undefined} report={report}>
      {children(shown)}
    </OpenScope>
  );
}
