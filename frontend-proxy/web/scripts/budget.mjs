// Computes the transfer sizes of the pages and fails if one exceeds its budget. For the explorer it adds up
// all files as brotli, including workers and fonts. For the other pages it adds up scripts and styles as
// gzip: those of the entry and those of the page.
import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";

const web = path.resolve(import.meta.dirname, "..");
const kB = (size) => `${(size / 1e3).toFixed(0)} kB`;

function judge(what, size, most) {
  console.log(`${what}: ${kB(size)} (at most ${kB(most)})`);
  if (size > most) {
    console.error(`${what}: ${kB(size - most)} above the budget`);
    process.exitCode = 1;
  }
}

async function explorer() {
  const folder = path.resolve(web, "../../pkg/explorer/dist/graphiql");
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".gz"));
  const files = await Promise.all(names.map(async (name) => ({ name, size: (await stat(path.join(folder, name))).size })));
  for (const file of files.toSorted((a, b) => b.size - a.size).slice(0, 5)) {
    console.log(`  ${kB(file.size).padStart(8)}  ${file.name}`);
  }
  missing(files.length === 0);
  judge(`explorer, ${files.length} files`, files.reduce((sum, file) => sum + file.size, 0), 1.6e6);
}

function missing(nothing) {
  if (nothing) {
    console.error("nothing is built; run `make build`");
    process.exit(1);
  }
}

// The budgets in bytes as gzip, including the entry. page applies to pages, which the entry loads. later
// applies to parts that a page loads on demand, such as a dialog or another tab.
const most = { "src/features/home/home.tsx": 200e3 };
const page = 230e3;
const later = 260e3;

// Parts that load only together with others: the lineage graph opens in its tab, on the asset page.
const lineage = { folder: "src/features/lineage/", beside: ["src/app/asset-page.tsx", "src/features/lineage/lineage.tsx"] };

async function app() {
  const manifest = JSON.parse(await readFile(path.join(web, "build/app/.vite/manifest.json"), "utf8").catch(() => "{}"));
  missing(Object.keys(manifest).length === 0);
  const sizes = new Map();
  const dist = path.join(web, "dist");
  const sizeOf = async (file) => {
    if (!sizes.has(file)) {
      const gz = await stat(path.join(dist, `${file}.gz`)).catch(() => stat(path.join(dist, file)));
      sizes.set(file, gz.size);
    }
    return sizes.get(file);
  };
  // filesOf returns the files of a chunk and of its static imports.
  const filesOf = (key, found = new Set()) => {
    const chunk = manifest[key];
    if (chunk && !found.has(chunk.file)) {
      found.add(chunk.file);
      for (const css of chunk.css ?? []) {
        found.add(css);
      }
      for (const inner of chunk.imports ?? []) {
        filesOf(inner, found);
      }
    }
    return found;
  };
  const total = async (files) => (await Promise.all([...files].map(sizeOf))).reduce((sum, size) => sum + size, 0);
  const entry = filesOf("index.html");
  console.log(`entry: ${kB(await total(entry))}`);
  const pages = new Set(Object.values(manifest).flatMap(({ file, dynamicImports }) => (entry.has(file) ? (dynamicImports ?? []) : [])));
  for (const [key, chunk] of Object.entries(manifest)) {
    if (chunk.isDynamicEntry && /^src\/(features\/|shared\/|app\/asset-page)/u.test(chunk.src ?? "")) {
      const usual = pages.has(key) ? page : later;
      const files = new Set(entry);
      for (const each of [key, ...(chunk.src.startsWith(lineage.folder) ? lineage.beside : [])]) {
        filesOf(each, files);
      }
      judge(`entry and ${path.basename(chunk.src, ".tsx")}`, await total(files), most[chunk.src] ?? usual);
    }
  }
}

const only = process.argv[2];
for (const [mode, add] of Object.entries({ explorer, app })) {
  if (only === undefined || only === mode) {
    await add();
  }
}
