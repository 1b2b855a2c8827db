// Runs the UI tests, BROWSERS files at a time, or only the files given as arguments. Files with a failed test
// run once more; a test that then passes is flaky. The run fails if a test fails twice, or if more than two
// tests are flaky. FLAKY=file stores the failures of flaky tests, one JSON line each. TIMES=file stores the
// duration of each file in seconds.
import { appendFile, readdir } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const mostFlaky = 2;
const seconds = new Map();

// whatOf returns the error of a failed test: the message, including the locator that was awaited, and the
// line of the test.
function whatOf(error) {
  const text = String(error.message ?? error).replaceAll(/\u001B\[\d+m/g, "");
  return { error: text, line: /[^/]+\.test\.mjs:\d+(?=:\d+\)?$)/m.exec(error.stack ?? "")?.[0] ?? "" };
}

// pass runs files and returns the failed tests in the order of completion.
async function pass(files, concurrency) {
  const failed = [];
  const events = run({ files, concurrency });
  const ended = ({ nesting, file, details }) => {
    if (nesting === 0 && file) {
      const name = path.basename(file);
      seconds.set(name, (seconds.get(name) ?? 0) + details.duration_ms / 1000);
    }
  };
  events.on("test:pass", ended);
  events.on("test:fail", ended);
  events.on("test:fail", ({ name, file, details: { error } }) => {
    if (!["subtestsFailed", "cancelledByParent"].includes(error.failureType)) {
      failed.push({ file: path.basename(file ?? name), name, ...whatOf(error.cause ?? error) });
    }
  });
  const printed = events.compose(new spec());
  printed.pipe(process.stdout, { end: false });
  await finished(printed);
  return failed;
}

// The slowest files start first, so that they do not run alone at the end.
const longest = ["edits", "sweep", "asset-types", "states", "bad-input"].map((name) => `${name}.test.mjs`);
const placeOf = (name) => (longest.includes(name) ? longest.indexOf(name) : longest.length);

const named = process.argv.slice(2).map((file) => path.resolve(file));
const files = named.length > 0 ? named : (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".test.mjs")).toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)).map((name) => path.join(import.meta.dirname, name));
const first = await pass(files, Number(process.env.BROWSERS ?? 1));
if (first.length > 0) {
  const again = new Set(first.map(({ file }) => file));
  console.log(`\n${first.length} failed: ${[...again].join(", ")} once more, one at a time\n`);
  const second = await pass(files.filter((file) => again.has(path.basename(file))), 1);
  const twice = second.filter((one) => first.some(({ file, name }) => file === one.file && name === one.name));
  const flaky = [...first, ...second].filter((one) => !twice.some(({ file, name }) => file === one.file && name === one.name));
  for (const { file, name, error, line } of flaky) {
    console.log(`flaky: ${file}: ${name}, at ${line}: ${error}`);
  }
  if (process.env.FLAKY) {
    await appendFile(process.env.FLAKY, flaky.map((one) => `${JSON.stringify(one)}\n`).join(""));
  }
  for (const { file, name } of twice) {
    console.log(`failed twice: ${file}: ${name}`);
  }
  if (twice.length > 0 || flaky.length > mostFlaky) {
    process.exitCode = 1;
  }
}
if (process.env.TIMES) {
  await appendFile(process.env.TIMES, [...seconds].map(([file, time]) => `${time.toFixed(1)}\t${file}\n`).join(""));
}
