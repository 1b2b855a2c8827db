import type { ReactNode } from "react";

/** The props of a table. */
export interface RowsProps<Item> {
  /** The accessible name of the table. */
  label: string;
  /** The column headers. The header of a last column named Actions is visible to screen readers only. */
  head: readonly string[];
  /** The headers of numeric columns, which are right-aligned like their values. */
  numbers?: readonly string[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** All existing items, if items contains only the matching ones. */
  all?: readonly Item[];
  /** The query behind the items, for paged lists. */
  scope?: string;
  /**
   * Returns which of the given keys, missing from the current page, belong to removed items rather than to
   * items on another page.
   */
  removedOf?: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Renders the cells of a row. On narrow screens the data-label of a cell serves as its header. */
  row: (item: Item) => ReactNode;
  selected?: (item: Item) => boolean;
}

/** The column headers. */
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
