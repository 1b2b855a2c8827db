// The stock Python client, for tests of the pages. It is that of the end-to-end tests, which make its environment.
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const maker = path.resolve(import.meta.dirname, "../venv.sh");

function environment() {
  try {
    return execFileSync(maker, ["e2e", "requirements.txt", "there"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

const found = environment();

// unlessNoClient gives the options of a test, which is left out loudly where the client is not installed.
export function unlessNoClient(what) {
  const skip = found === undefined && `no Python client: run ${path.relative(process.cwd(), maker)} e2e requirements.txt`;
  if (skip) {
    console.error(`\n!!! SKIPPED: ${what}: ${skip}\n`);
  }
  return { skip };
}

// python runs a program of the client with arguments, and gives what it wrote and whether it went well.
export async function python(program, ...args) {
  const home = await mkdtemp(path.join(tmpdir(), "client-"));
  try {
    return await new Promise((done) => {
      const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", DATAHUB_TELEMETRY_ENABLED: "false", PYTHONDONTWRITEBYTECODE: "1" };
      execFile(path.join(found, "bin/python"), ["-c", program, ...args], { cwd: home, env, timeout: 120_000 }, (error, stdout, stderr) => done({ ok: error === null, stdout, stderr }));
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
