import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";

import { Head, type RowsProps } from "./rows-head";
import styles from "./rows.module.css";

/** A virtualised table: only the rows in the viewport are in the document. */
export default function LongRows<Item>({ label, head, numbers, items, keyOf, row, selected }: RowsProps<Item>) {
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
      <Head head={head} numbers={numbers} />
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
