import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

import styles from "./rows.module.css";

interface Props<Item> {
  /** What the table lists, for those who cannot see it. */
  label: string;
  /** The captions of the columns. That of a last column Actions is for those who cannot see what is below. */
  head: readonly string[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The cells of a row. A cell's data-label is its caption where the table becomes a stack. */
  row: (item: Item) => ReactNode;
  selected?: (item: Item) => boolean;
}

// Above this many rows only those in sight are there.
const few = 100;

/** A table whose rows become blocks on a narrow page. Long ones hold no more rows than can be seen. */
export function Rows<Item>(props: Props<Item>) {
  return props.items.length > few ? <Long {...props} /> : <Short {...props} />;
}

function Head({ head }: { head: readonly string[] }) {
  return (
    <thead>
      <tr>
        {head.map((caption) => (
          <th key={caption} scope="col">
            {caption === "Actions" ? <span className="sr">{caption}</span> : caption}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Short<Item>({ label, head, items, keyOf, row, selected }: Props<Item>) {
  return (
    <table className={styles["rows"]} aria-label={label}>
      <Head head={head} />
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

function Long<Item>({ label, head, items, keyOf, row, selected }: Props<Item>) {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  // oxlint-disable-next-line react/incompatible-library -- the compiler does not run here
  const virtual = useWindowVirtualizer({ count: items.length, estimateSize: () => 53, overscan: 12, scrollMargin: top, getItemKey: (index) => keyOf(items[index] as Item) });
  const shown = virtual.getVirtualItems();
  const before = (shown[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top);
  return (
    <table className={styles["rows"]} aria-label={label} aria-rowcount={items.length + 1} ref={table}>
      <Head head={head} />
      <tbody>
        {before > 0 && <tr aria-hidden className={styles["gap"]} style={{ height: before }} />}
        {shown.map(({ index, key }) => {
          const item = items[index] as Item;
          return (
            <tr key={key} data-index={index} ref={virtual.measureElement} aria-rowindex={index + 2} {...(selected ? { "aria-selected": selected(item) } : {})}>
              {row(item)}
            </tr>
          );
        })}
        {after > 0 && <tr aria-hidden className={styles["gap"]} style={{ height: after }} />}
      </tbody>
    </table>
  );
}
