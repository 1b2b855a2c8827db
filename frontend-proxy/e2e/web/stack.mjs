// Both binaries on free ports with an empty data folder, for the duration of the tests.
import { execFile, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const bin = process.env.BIN ?? path.resolve(import.meta.dirname, "../../../bin");
const patience = 30_000;

export const admin = "urn:li:corpuser:datahub";

export async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => probe.once("listening", listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

export class Stack {
  #folder;
  #kept;
  #processes = [];
  #serviceEnv;
  #asAdmin;

  // start returns a running catalog; call stop even after a failure. service and proxy add environment
  // variables. With a folder, the catalog is stored there and kept; otherwise it starts empty and is deleted
  // by stop.
  static async start({ service = {}, proxy = {}, folder } = {}) {
    const stack = new Stack();
    stack.#kept = folder !== undefined;
    stack.#folder = folder ?? (await mkdtemp(path.join(tmpdir(), "pages-")));
    stack.service = `http://127.0.0.1:${await freePort()}`;
    stack.proxy = `http://127.0.0.1:${await freePort()}`;
    stack.#serviceEnv = { CARTULARY_LISTEN: new URL(stack.service).host, CARTULARY_DATA_DIR: stack.#data, ...service };
    stack.#spawn("metadata-service", stack.#serviceEnv);
    stack.#spawnProxy(stack.proxy, proxy);
    try {
      await Promise.all([stack.service, stack.proxy].map((address) => stack.#healthy(address)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  // secondProxy starts another proxy for the same service, and returns its address.
  async secondProxy(env) {
    const address = `http://127.0.0.1:${await freePort()}`;
    this.#spawnProxy(address, env);
    await this.#healthy(address);
    return address;
  }

  #spawnProxy(address, env) {
    const secrets = path.join(this.#data, "secrets");
    this.#spawn("frontend-proxy", {
      CARTULARY_LISTEN: new URL(address).host,
      CARTULARY_UPSTREAM: this.service,
      CARTULARY_SYSTEM_SECRET_FILE: path.join(secrets, "system"),
      CARTULARY_SESSION_SECRET_FILE: path.join(secrets, "session"),
      // Every test signs in again, from the same address.
      CARTULARY_LOGIN_PER_MINUTE: "1000",
      CARTULARY_LOGIN_BURST: "1000",
      ...env,
    });
  }

  get #data() {
    return path.join(this.#folder, "data");
  }

  async adminPassword() {
    return (await readFile(path.join(this.#data, "initial-admin-password"), "utf8")).trim();
  }

  async token(name, actor) {
    const { stdout } = await promisify(execFile)(
      path.join(bin, "metadata-service"),
      ["token", "create", "--actor", actor, "--name", name, "--duration", "ONE_DAY"],
      { env: { PATH: process.env.PATH, CARTULARY_DATA_DIR: this.#data }, timeout: patience },
    );
    return stdout.trim().split("\n").at(-1);
  }

  // demo imports the sample company.
  demo() {
    return this.load(path.resolve(import.meta.dirname, "../../../deploy/demo"), { flags: ["--shift-to-now"] });
  }

  // load imports a file or the files of a folder; timeout is in ms.
  async load(files, { flags = [], timeout = patience } = {}) {
    const file = path.join(this.#folder, "token");
    await writeFile(file, await this.token("load", admin), { mode: 0o600 });
    await promisify(execFile)(path.join(bin, "metadata-service"), ["import", "--server", `${this.proxy}/api/gms`, "--token-file", file, ...flags, files], {
      env: { PATH: process.env.PATH },
      timeout,
      maxBuffer: 64 << 20,
    });
  }

  // backup runs the backup command of the service, and returns the path of the file.
  async backup() {
    const file = path.join(this.#folder, "backup.tar.zst");
    await promisify(execFile)(path.join(bin, "metadata-service"), ["backup", "--out", file], { env: { PATH: process.env.PATH, CARTULARY_DATA_DIR: this.#data }, timeout: patience });
    return file;
  }

  // person creates a user and returns the credentials. Without a role, the user has only the privileges of
  // policies for all users.
  async person(name, role) {
    const { getInviteToken } = await this.graphql("query($i: GetInviteTokenInput!) { getInviteToken(input: $i) { inviteToken } }", {
      i: role ? { roleUrn: `urn:li:dataHubRole:${role}` } : {},
    });
    const username = `${name.toLowerCase().replaceAll(" ", ".")}@people.example`;
    const password = `A word for ${name} 42`;
    const answer = await fetch(`${this.proxy}/signUp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ fullName: name, email: username, password, inviteToken: getInviteToken.inviteToken, title: "Tester" }),
    });
    if (!answer.ok) {
      throw new Error(`sign-up: ${answer.status} ${await answer.text()}`);
    }
    return { username, password, urn: `urn:li:corpuser:${username}` };
  }

  // graphql runs an operation as the administrator and returns its data.
  async graphql(query, variables = {}) {
    this.#asAdmin ??= await this.token("tests", admin);
    const { data, errors } = await this.call(this.#asAdmin, "POST", "/api/graphql", { query, variables });
    if (errors) {
      throw new Error(JSON.stringify(errors));
    }
    return data;
  }

  // withoutService runs part of a story while the metadata service is stopped and the proxy runs, and returns
  // its result. It restarts the service even if that part fails, because later stories need it.
  async withoutService(part = () => {}) {
    const at = this.#processes.findIndex(({ name }) => name === "metadata-service");
    const [{ process: child, ended }] = this.#processes.splice(at, 1);
    child.kill();
    await ended;
    const failures = [];
    const result = await Promise.resolve().then(part).catch((error) => failures.push(error));
    this.#spawn("metadata-service", this.#serviceEnv);
    await this.#healthy(this.service).catch((error) => failures.push(error));
    if (failures.length > 0) {
      throw failures.length > 1 ? new AggregateError(failures, failures.map(({ message }) => message).join("; ")) : failures[0];
    }
    return result;
  }

  // call sends a request to the proxy with a token and returns the JSON response.
  async call(token, method, address, body) {
    const response = await fetch(this.proxy + address, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${address}: ${response.status} ${text}`);
    }
    return JSON.parse(text);
  }

  async stop() {
    for (const { process: child } of this.#processes.toReversed()) {
      child.kill();
    }
    await Promise.all(this.#processes.map(({ ended }) => ended));
    if (!this.#kept) {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  #spawn(name, env) {
    const log = openSync(path.join(this.#folder, `${name}.log`), "a");
    const child = spawn(path.join(bin, name), { env: { PATH: process.env.PATH, ...env }, cwd: this.#folder, stdio: ["ignore", log, log] });
    this.#processes.push({ name, process: child, ended: new Promise((exit) => child.once("close", exit)) });
  }

  async #healthy(address) {
    for (const end = Date.now() + patience; Date.now() < end; await pause(20)) {
      const gone = this.#processes.find(({ process: child }) => child.exitCode !== null || child.pid === undefined);
      if (gone) {
        throw new Error(`${gone.name} ended: ${await readFile(path.join(this.#folder, `${gone.name}.log`), "utf8")}`);
      }
      const answer = await fetch(`${address}/health`).catch(() => undefined);
      if (answer?.ok) {
        return;
      }
    }
    throw new Error(`${address} is not healthy after ${patience} ms`);
  }
}
