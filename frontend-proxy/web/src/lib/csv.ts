/** A cell of a CSV file. null and undefined yield an empty cell. */
export type Cell = string | number | boolean | null | undefined;

// A spreadsheet interprets a text that begins with one of these characters as a formula and runs it.
const formula = /^[=+\-@\t\r]/u;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return "";
  }
  const text = typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A time in ms as an ISO 8601 string in UTC, or empty. */
export const timeText = (at: number | null | undefined) => (at === null || at === undefined ? "" : new Date(at).toISOString());

/**
 * Formats a table as CSV (RFC 4180). A byte order mark makes spreadsheets read it as UTF-8. Texts that a
 * spreadsheet would run as a formula get an apostrophe in front.
 */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return "\uFEFF" + [head, ...rows].map((row) => row.map(cellText).join(",") + "\r\n").join("");
}

/** Offers a text as a file download. */
export function saveText(name: string, text: string, type = "text/csv;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be reading it
}

/** Reads a list page by page until its end, or until the maximum number of items of an export. */
export async function everyPage<Item>(
  read: (start: number, count: number) => Promise<{ items: readonly Item[]; total: number }>,
  { size = 500, most = 10_000 }: { size?: number; most?: number } = {},
): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before it ended
    const page = await read(items.length, Math.min(size, most - items.length));
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.total || items.length >= most) {
      return { items, total: page.total };
    }
  }
}
