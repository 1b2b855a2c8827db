import type { Cell } from "../../lib/csv";
import { assetOf, kindText, stateText, type Asset } from "./asset";

export interface Reached {
  asset: Asset;
  /** How many steps away it is. */
  degree: number;
}

/** Reads a row of a lineage search. */
export const reachedOf = ({ degree, entity }: { degree: number; entity: { urn: string } }): Reached => ({ asset: assetOf(entity), degree });

/** The most rows that one file holds. */
export const mostRows = 50_000;

/** How many rows are read at a time for a file. */
export const rowsAtOnce = 1000;

interface Page {
  rows: readonly Reached[];
  next: string | null;
  total: number;
}

/**
 * Reads all rows of a list, page by page, up to mostRows, and tells how far it is. It ends with an error where a page
 * fails, and where the signal aborts.
 */
export async function readAll(read: (after: string | null) => Promise<Page>, tell: (done: number, total: number) => void, signal: AbortSignal): Promise<{ rows: Reached[]; total: number }> {
  const rows: Reached[] = [];
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    // oxlint-disable-next-line no-await-in-loop -- each page tells where the next begins
    const page: Page = await read(after);
    rows.push(...page.rows.slice(0, mostRows - rows.length));
    tell(rows.length, page.total);
    // An empty page ends the list too, so that a server that always names a next one is not asked for ever.
    if (page.next === null || page.rows.length === 0 || rows.length >= mostRows) {
      return { rows, total: Math.max(page.total, rows.length) };
    }
    after = page.next;
  }
}

/** The captions of a file. */
export const fileHead = ["urn", "name", "type", "platform", "path", "steps", "owners", "health", "state"];

/** The cells of a row of a file. */
export const cellsOf = ({ asset, degree }: Reached): Cell[] => [
  asset.urn,
  asset.name,
  kindText(asset),
  asset.platform,
  asset.path.join("/"),
  degree,
  asset.owners.map(({ name }) => name).join("; "),
  asset.healthText,
  stateText(asset),
];
