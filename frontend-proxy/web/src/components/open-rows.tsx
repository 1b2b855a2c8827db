import { createContext, useCallback, useContext, useEffect, useId, useMemo, useState, type ReactNode } from "react";

// What is read again may lack a row in which somebody is writing. Fields tell that they are open to what is around them:
// rows with an open field stay until it is closed, and the field says that what it belongs to was removed.

interface Around {
  /** Whether what the field belongs to is no longer there. */
  gone: boolean;
  report: (field: string, open: boolean) => void;
}

const Surroundings = createContext<Around>({ gone: false, report: () => undefined });

/** Keeps what is around a field on the page while the field is open. Returns whether it is kept for that alone: it was removed. */
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

/** What open fields inside belong to. */
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

// The open fields, with the name of the scope of each.
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

/** The items of a list with those that stood in it before and are kept, each behind the one that it stood behind. */
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
  /** All that is there, of which the items may be those that match; the items if absent. */
  all?: readonly Item[] | undefined;
  keyOf: (item: Item) => string;
  /** What was asked for. Rows that another question has not are let go. */
  scope?: string | undefined;
  /** Tells which of some were removed, where the items are a page of all that is there: others may have left it alone. */
  removedOf?: ((keys: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
}

// Which keys are known to be removed. As long as that is not known none is, and the server has the last word.
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

/** The rows of a list with those that are kept for an open field, and which of them were removed. */
export function useKeptRows<Item>({ items, all, keyOf, scope, removedOf }: Listed<Item>) {
  const { open, report } = useOpenFields();
  const [last, setLast] = useState({ items, open, scope, shown: items });
  let { shown } = last;
  if (last.items !== items || last.open !== open || last.scope !== scope) {
    const names = new Set(open.values());
    shown = last.scope === scope ? withKept(items, last.shown, (item) => names.has(keyOf(item)), keyOf) : items;
    setLast({ items, open, scope, shown });
  }
  // Nothing is kept while no field is open.
  const there = useMemo(() => (open.size > 0 ? new Map((all ?? items).map((item) => [keyOf(item), item])) : null), [open, all, items, keyOf]);
  const missing = there === null ? [] : shown.map(keyOf).filter((key) => !there.has(key));
  const removed = useRemoved(missing, removedOf);
  return {
    // A row that is kept is shown as it is now: a field tells by that whether somebody else changed it.
    shown: there === null ? shown : shown.map((item) => there.get(keyOf(item)) ?? item),
    isGone: (item: Item) => (removedOf ? removed?.has(keyOf(item)) === true : missing.includes(keyOf(item))),
    report,
  };
}

interface KeepOpenProps<Value> {
  /** What is there, if anything is. */
  value: Value | undefined;
  /** Whether it was removed where there is no value, and does not merely fail to match. */
  gone?: boolean;
  scope?: string;
  empty?: ReactNode;
  children: (value: Value) => ReactNode;
}

/** Shows what is there. What is there no longer stays until the fields that are open in it are closed. */
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
