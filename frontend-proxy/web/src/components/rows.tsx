import { type ComponentType, type ReactNode } from "react";

import { OpenScope, useKeptRows } from "./open-rows";
import styles from "./rows.module.css";
import { Fallback, lazy } from "../lib/lazy";

/** What a table of rows is made of. */
export interface RowsProps<Item> {
  /** What the table lists, for those who cannot see it. */
  label: string;
  /** The captions of the columns. That of a last column Actions is for those who cannot see what is below. */
  head: readonly string[];
  /** The captions that stand at the right, as the numbers below them do. */
  numbers?: readonly string[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** All that is there, where the items are those that match. */
  all?: readonly Item[];
  /** What the items were asked by, where they are read part by part. */
  scope?: string;
  /** Tells which of those that were on the page before are removed, and not merely on another page by now. */
  removedOf?: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The cells of a row. A cell's data-label is its caption where the table becomes a stack. */
  row: (item: Item) => ReactNode;
  selected?: (item: Item) => boolean;
}

// Above this many rows only those in sight are there.
const few = 100;

/**
 * A table whose rows become blocks on a narrow page. Long ones hold no more rows than can be seen. A row stays while a field
 * is open in it, though it was removed meanwhile.
 */
export function Rows<Item>({ items, all, keyOf, scope, removedOf, row, ...rest }: RowsProps<Item>) {
  const { shown, isGone, report } = useKeptRows({ items, all, keyOf, scope, removedOf });
  const props: RowsProps<Item> = {
    ...rest,
    items: shown,
    keyOf,
    row: (item) => (
      <OpenScope name={keyOf(item)} gone={isGone(item)} report={report}>
        {row(item)}
      </OpenScope>
    ),
  };
  if (shown.length <= few) {
    return <Short {...props} />;
  }
  const Table = Long as unknown as ComponentType<RowsProps<Item>>;
  return (
    <Fallback show={<Short {...props} items={shown.slice(0, few)} />}>
      <Table {...props} />
    </Fallback>
  );
}

// Few pages have so many rows, so what they take is loaded by those alone.
const Long = lazy(() => import("./rows-long")) as unknown as ComponentType<RowsProps<never>>;

/** The captions of the columns. */
export function Head({ head, numbers }: { head: readonly string[]; numbers?: readonly string[] | undefined }) {
  return (
    <thead>
      <tr>
        {head.map((caption) => (
          <th key={caption} scope="col" {...(numbers?.includes(caption) ? { className: "right" } : {})}>
            {caption === "Actions" ? <span className="sr">{caption}</span> : caption}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Short<Item>({ label, head, numbers, items, keyOf, row, selected }: RowsProps<Item>) {
  return (
    <table className={styles["rows"]} aria-label={label}>
      <Head head={head} numbers={numbers} />
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)} {...(selected ? { "aria-selected": selected(item) } : {})}>
            {row(item)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
