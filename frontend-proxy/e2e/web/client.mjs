// The stock Python client, for UI tests. It uses the environment that the end-to-end tests create.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const maker = path.resolve(import.meta.dirname, "../venv.sh");

function environment() {
  try {
    return execFileSync(maker, ["e2e", "requirements.txt", "there"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

const found = environment();

// unlessNoClient returns the options of a test that is skipped, with a message, if the client is not
// installed.
export function unlessNoClient(what) {
  const skip = found === undefined && `no Python client: run ${path.relative(process.cwd(), maker)} e2e requirements.txt`;
  if (skip) {
    console.error(`\n!!! SKIPPED: ${what}: ${skip}\n`);
  }
  return { skip };
}

const environmentOf = (home) => ({ PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", DATAHUB_TELEMETRY_ENABLED: "false", PYTHONDONTWRITEBYTECODE: "1" });

// python runs a program with the client's packages, and returns its output and whether it succeeded.
export async function python(program, ...args) {
  const home = await mkdtemp(path.join(tmpdir(), "client-"));
  try {
    return await new Promise((done) => {
      execFile(path.join(found, "bin/python"), ["-c", program, ...args], { cwd: home, env: environmentOf(home), timeout: 120_000 }, (error, stdout, stderr) => done({ ok: error === null, stdout, stderr }));
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

// Reads a line of questions and prints a line of answers. A question is a Python expression over `a`, an
// aspect of an entity.
const reader = `import json, sys, urllib.parse
from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig
from datahub.metadata.schema_classes import *
graph = DataHubGraph(DatahubClientConfig(server=sys.argv[1], token=sys.argv[2]))
def read(urn, aspect, expression):
    try:
        a = graph.get_aspect(urn, globals()[aspect + "Class"]) if aspect else None
        return None if aspect and a is None else eval(expression, {**globals(), "a": a, "urn": urn})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
for line in sys.stdin:
    print(json.dumps([read(*question) for question in json.loads(line)]), flush=True)`;

// Client is a long-running Python process, because loading the client's packages takes seconds.
export class Client {
  #home;
  #process;
  #answers;
  #ended;
  #errors = "";

  static async start(server, token) {
    const client = new Client();
    client.#home = await mkdtemp(path.join(tmpdir(), "client-"));
    client.#process = spawn(path.join(found, "bin/python"), ["-c", reader, server, token], { cwd: client.#home, env: environmentOf(client.#home) });
    client.#ended = once(client.#process, "close");
    client.#process.stderr.on("data", (text) => (client.#errors += text));
    client.#answers = createInterface({ input: client.#process.stdout })[Symbol.asyncIterator]();
    return client;
  }

  // read evaluates questions [urn, aspect, expression]. The result is null if the entity lacks the aspect,
  // and the error text if the evaluation fails. Without an aspect the expression uses `graph`.
  async read(questions) {
    this.#process.stdin.write(`${JSON.stringify(questions)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) {
      throw new Error(`the client ended: ${this.#errors}`);
    }
    return JSON.parse(value);
  }

  async stop() {
    this.#process.stdin.end();
    await this.#ended; // it may still write to its folder
    await rm(this.#home, { recursive: true, force: true });
  }
}
