/** A cell of a table of text. What is not there is empty. */
export type Cell = string | number | boolean | null | undefined;

// A spreadsheet takes a text that begins with one of these for a formula and runs it.
const formula = /^[=+\-@\t\r]/u;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return "";
  }
  const text = typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A moment in ms as programs write it, in UTC; empty where there is none. */
export const timeText = (at: number | null | undefined) => (at === null || at === undefined ? "" : new Date(at).toISOString());

/**
 * A table as comma-separated values (RFC 4180). A mark at its start says that it is UTF-8, without which spreadsheets
 * garble it; a text that a spreadsheet would run as a formula is preceded by an apostrophe.
 */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return "\uFEFF" + [head, ...rows].map((row) => row.map(cellText).join(",") + "\r\n").join("");
}

/** Saves a text as a file of who looks at the page. */
export function saveText(name: string, text: string, type = "text/csv;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still read it
}

/** Reads a list page by page until it ends, or until the most items that an export holds are there. */
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
