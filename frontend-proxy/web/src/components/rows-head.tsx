import type { ReactNode } from "react";

/** The properties of a table of rows. */
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
