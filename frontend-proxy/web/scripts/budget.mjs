// Adds up what the explorer weighs on the wire, as brotli, with workers and fonts, and fails above the budget.
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

const most = 1.6e6;
const folder = path.resolve(import.meta.dirname, "../../../pkg/explorer/dist/graphiql");

const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".gz"));
const files = await Promise.all(names.map(async (name) => ({ name, size: (await stat(path.join(folder, name))).size })));
const total = files.reduce((sum, file) => sum + file.size, 0);

const kB = (size) => `${(size / 1e3).toFixed(0)} kB`;
for (const file of files.toSorted((a, b) => b.size - a.size).slice(0, 5)) {
  console.log(`  ${kB(file.size).padStart(8)}  ${file.name}`);
}
console.log(`explorer: ${kB(total)} in ${files.length} files on the wire (at most ${kB(most)})`);
if (files.length === 0) {
  console.error("explorer: nothing is built; run `make build`");
  process.exitCode = 1;
} else if (total > most) {
  console.error(`explorer: ${kB(total - most)} above the budget`);
  process.exitCode = 1;
}
