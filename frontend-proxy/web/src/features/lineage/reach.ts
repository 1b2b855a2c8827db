import { numberIn } from "../../lib/answer";
import type { Cell } from "../../lib/csv";
import { assetOf, kindText, stateText, type Asset } from "./asset";

export interface Reached {
  asset: Asset;
  /** The number of hops. */
  degree: number;
}

/** Reads a row of a lineage search. */
export const reachedOf = ({ degree, entity }: { degree: number | null; entity: Parameters<typeof assetOf>[0] }): Reached => ({ asset: assetOf(entity), degree: numberIn(degree) ?? 0 });

/** The maximum number of rows in an export. */
export const mostRows = 50_000;

/** The page size during an export. */
export const rowsAtOnce = 1000;

interface Page {
  rows: readonly Reached[];
  next: string | null;
  total: number;
}

/**
 * Reads all rows of a list page by page, up to mostRows, and reports progress. It throws if a page fails or if the
 * signal aborts.
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
    // An empty page also ends the list, so that a server that always returns a cursor does not cause an endless loop.
    if (page.next === null || page.rows.length === 0 || rows.length >= mostRows) {
      return { rows, total: Math.max(page.total, rows.length) };
    }
    after = page.next;
  }
}

/** The column titles of an export. */
export const fileHead = ["urn", "name", "type", "platform", "path", "steps", "owners", "health", "state"];

/** The cells of an exported row. */
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
