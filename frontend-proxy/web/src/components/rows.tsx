import { type ComponentType } from "react";

import { OpenScope, useKeptRows } from "./open-rows";
import { Head, type RowsProps } from "./rows-head";
import styles from "./rows.module.css";
import { Fallback, lazy } from "../lib/lazy";

// Tables with more rows than this are virtualised.
const few = 100;

/**
 * A table whose rows become blocks on narrow screens. Long tables are virtualised. A row with an open field
 * stays even if its object was removed meanwhile.
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

// Few pages have long tables, so the code for virtualisation is loaded on demand.
const Long = lazy(() => import("./rows-long")) as unknown as ComponentType<RowsProps<never>>;

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
