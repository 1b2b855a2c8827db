// Builds the explorer and the pages, and copies each to the folder that Go embeds. Pages and the files beside
// them are copied unchanged; of every other file only brotli and gzip variants are written, if they are
// smaller. Then checks the size budgets.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const web = path.resolve(import.meta.dirname, "..");
const builds = [
  { mode: "explorer", page: "graphiql.html", folder: "graphiql", target: path.resolve(web, "../../pkg/explorer/dist") },
  { mode: "app", page: "index.html", folder: "assets", target: path.join(web, "dist") },
];

const brotli = (content) =>
  promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
const deflate = (content) => promisify(gzip)(content, { level: 9 });

// pack writes the variants of one file.
async function pack(from, to) {
  const content = await readFile(from);
  const [br, gz] = await Promise.all([brotli(content), deflate(content)]);
  if (gz.length >= content.length) {
    return writeFile(to, content);
  }
  return Promise.all([writeFile(`${to}.br`, br), writeFile(`${to}.gz`, gz)]);
}

const run = (script, ...args) => execFileSync(process.execPath, [path.join(web, script), ...args], { cwd: web, stdio: "inherit" });

async function build({ mode, page, folder, target }) {
  run("node_modules/vite/bin/vite.js", "build", "--mode", mode, "--logLevel", "warn");
  const built = path.join(web, "build", mode);
  // The page is written last: make takes its presence as the sign of a complete build.
  await rm(path.join(target, page), { force: true });
  await rm(path.join(target, folder), { recursive: true, force: true });
  await mkdir(path.join(target, folder), { recursive: true });
  const names = await readdir(path.join(built, folder));
  await Promise.all(names.map((name) => pack(path.join(built, folder, name), path.join(target, folder, name))));
  run("scripts/budget.mjs", mode);
  const beside = (await readdir(built, { withFileTypes: true })).filter((entry) => entry.isFile() && entry.name !== page);
  await Promise.all(beside.map(async ({ name }) => writeFile(path.join(target, name), await readFile(path.join(built, name)))));
  await writeFile(path.join(target, page), await readFile(path.join(built, page)));
}

const only = process.argv[2];
for (const each of builds.filter(({ mode }) => only === undefined || mode === only)) {
  await build(each);
}
