// Writes the types of every operation: beside each NAME.graphql a NAME.operations.ts with the text of its operations,
// ready to send, and the types of their answers and variables. --check writes nothing and fails where one differs.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { Kind, buildASTSchema, concatAST, parse, print, stripIgnoredCharacters, visit } from "graphql";

const web = path.resolve(import.meta.dirname, "..");
const schemas = path.resolve(web, "../../metadata-service/internal/transport/graphql/schema");
const check = process.argv.includes("--check");

const names = (await readdir(schemas)).filter((name) => name.endsWith(".graphql")).toSorted();
const sources = await Promise.all(names.map((name) => readFile(path.join(schemas, name), "utf8")));
const schema = concatAST(sources.map((source) => parse(source)));
const schemaAst = buildASTSchema(schema);

const config = {
  enumType: "string-literal",
  enumsAsTypes: true,
  skipTypename: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: { Long: "number" },
  dedupeFragments: true,
};

async function generate(file) {
  const document = parse(await readFile(file, "utf8"));
  const text = await codegen({
    filename: written(file),
    schema,
    schemaAst,
    documents: [{ location: file, document }],
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config,
  });
  const texts = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).map((definition) => sent(definition, document));
  return `// Written by scripts/codegen.mjs from ${path.basename(file)} and the schema; not to be edited.
import type { Operation } from "${toLib(file)}/request";

${text.replaceAll(/^(\/\*\* Internal type|export type Incremental).*\n/gm, "").trim()}

${texts.join("\n\n")}\n`;
}

// sent is the constant of an operation: its text, with the fragments that it uses, as short as it goes.
function sent(definition, document) {
  const name = definition.name.value;
  const kind = definition.operation === "query" ? "Query" : "Mutation";
  const used = new Set();
  const note = (node) =>
    visit(node, {
      FragmentSpread({ name: { value } }) {
        if (!used.has(value)) {
          used.add(value);
          note(document.definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === value));
        }
      },
    });
  note(definition);
  const parts = [definition, ...document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION && used.has(each.name.value))];
  const text = stripIgnoredCharacters(parts.map(print).join(" "));
  return `export const ${name} = ${JSON.stringify(text)} as unknown as Operation<${name}${kind}, ${name}${kind}Variables>;`;
}

const written = (file) => file.replace(/\.graphql$/, ".operations.ts");
const toLib = (file) => path.relative(path.dirname(file), path.join(web, "src/lib"));

const all = await readdir(path.join(web, "src"), { recursive: true });
const wanted = new Set();
let stale = 0;
for (const name of all.filter((each) => each.endsWith(".graphql")).toSorted()) {
  const target = written(path.join(web, "src", name));
  wanted.add(target);
  const [text, before] = await Promise.all([generate(path.join(web, "src", name)), readFile(target, "utf8").catch(() => "")]);
  if (text !== before && check) {
    console.error(`${path.relative(web, target)} is out of date: run npm run codegen`);
    stale++;
  } else if (text !== before) {
    await writeFile(target, text);
  }
}
for (const name of all.filter((each) => each.endsWith(".operations.ts"))) {
  const target = path.join(web, "src", name);
  if (!wanted.has(target) && check) {
    console.error(`src/${name} has no operations file`);
    stale++;
  } else if (!wanted.has(target)) {
    await rm(target);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
