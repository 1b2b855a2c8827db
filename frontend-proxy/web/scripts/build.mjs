// Builds the explorer and puts it where pkg/explorer embeds it: the page as it is, and of every file
// a brotli and a gzip variant alone where that is smaller. Then holds the result to its budget.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const web = path.resolve(import.meta.dirname, "..");
const built = path.join(web, "build/explorer");
const target = path.resolve(web, "../../pkg/explorer/dist");
const page = "graphiql.html";
const folder = "graphiql";

const brotli = (content) =>
  promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
const deflate = (content) => promisify(gzip)(content, { level: 9 });

// pack writes the variants of one file.
async function pack(name) {
  const content = await readFile(path.join(built, folder, name));
  const [br, gz] = await Promise.all([brotli(content), deflate(content)]);
  const file = path.join(target, folder, name);
  if (gz.length >= content.length) {
    return writeFile(file, content);
  }
  return Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

const run = (script, ...args) => execFileSync(process.execPath, [path.join(web, script), ...args], { cwd: web, stdio: "inherit" });

run("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn");
// The page goes last: make takes it for the sign that all is there.
await rm(path.join(target, page), { force: true });
await rm(path.join(target, folder), { recursive: true, force: true });
await mkdir(path.join(target, folder), { recursive: true });
await Promise.all((await readdir(path.join(built, folder))).map(pack));
run("scripts/budget.mjs");
await writeFile(path.join(target, page), await readFile(path.join(built, page)));
