// Writes the types of every operation: beside each NAME.graphql a NAME.operations.ts with the text of its operations,
// ready to send, and the types of their answers and variables; types of the schema go into src/lib/schema.ts. --check writes nothing and fails where one differs.
// A line `# import "../../components/lines.graphql"` takes the fragments of another file.
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
  // An Entity may be of any of its types: those that are read alike are written once.
  mergeFragmentTypes: true,
};

async function read(file) {
  const text = await readFile(file, "utf8");
  const imports = [...text.matchAll(/^# import "(.+)"$/gm)].map(([, name]) => path.resolve(path.dirname(file), name));
  const others = await Promise.all(imports.map(async (other) => parse(await readFile(other, "utf8"))));
  const fragments = others.flatMap(({ definitions }) => definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION));
  const own = parse(text);
  const used = spread(own.definitions, fragments);
  return { ...own, definitions: [...own.definitions, ...fragments.filter(({ name }) => used.has(name.value))] };
}

// spread gives the names of the fragments that definitions use, by way of others, too.
function spread(definitions, fragments) {
  const used = new Set();
  const note = (node) =>
    visit(node, {
      FragmentSpread({ name: { value } }) {
        if (!used.has(value)) {
          used.add(value);
          const fragment = fragments.find(({ name }) => name.value === value);
          if (fragment) {
            note(fragment);
          }
        }
      },
    });
  definitions.forEach(note);
  return used;
}

async function generate(file) {
  const document = await read(file);
  const text = await codegen({
    filename: written(file),
    schema,
    schemaAst,
    documents: [{ location: file, document }],
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config,
  });
  const types = statements(text.replaceAll(/^(\/\*\* Internal type|import |export type Incremental).*\n/gm, ""));
  const used = [];
  for (const { name, source } of types) {
    if (schemaAst.getType(name)) {
      shared.set(name, source);
      used.push(name);
    }
  }
  const mine = types.filter(({ name }) => !schemaAst.getType(name)).map(({ source }) => source);
  const texts = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).map((definition) => sent(definition, document));
  const lib = path.relative(path.dirname(file), path.join(web, "src/lib"));
  return `// Written by scripts/codegen.mjs from ${path.basename(file)} and the schema; not to be edited.
import type { Operation } from "${lib}/request";
${used.length === 0 ? "" : `import type { ${used.toSorted().join(", ")} } from "${lib}/schema";\n\nexport type { ${used.toSorted().join(", ")} };\n`}
${mine.join("\n\n")}

${texts.join("\n\n")}\n`;
}

// statements cuts a text of types into its declarations, each with the comment above it.
function statements(text) {
  const all = [];
  let comment = "";
  for (const part of text.trim().split(/\n(?=\/\*\*|export type|type )/)) {
    const name = /^(?:export )?type (\w+)/.exec(part)?.[1];
    if (name === undefined) {
      comment += `${part.trimEnd()}\n`;
    } else {
      all.push({ name, source: comment + part.trim() });
      comment = "";
    }
  }
  return all;
}

// sent is the constant of an operation: its text, with the fragments that it uses, as short as it goes.
function sent(definition, document) {
  const name = definition.name.value;
  const kind = definition.operation === "query" ? "Query" : "Mutation";
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const used = spread([definition], fragments);
  const parts = [definition, ...fragments.filter(({ name: { value } }) => used.has(value))];
  const text = stripIgnoredCharacters(parts.map(print).join(" "));
  return `export const ${name} = ${JSON.stringify(text)} as unknown as Operation<${name}${kind}, ${name}${kind}Variables>;`;
}

const written = (file) => file.replace(/\.graphql$/, ".operations.ts");

const all = await readdir(path.join(web, "src"), { recursive: true });
const shared = new Map(); // types of the schema, which several operations use
const wanted = new Map();
for (const name of all.filter((each) => each.endsWith(".graphql")).toSorted()) {
  const file = path.join(web, "src", name);
  if (/^(query|mutation) /m.test(await readFile(file, "utf8"))) {
    wanted.set(written(file), await generate(file)); // what holds fragments alone is for others
  }
}
const types = [...shared.keys()].toSorted().map((name) => shared.get(name));
wanted.set(path.join(web, "src/lib/schema.ts"), `// Written by scripts/codegen.mjs: the types of the schema that operations use; not to be edited.\n\n${types.join("\n\n")}\n`);

let stale = 0;
for (const [target, text] of wanted) {
  if (text === (await readFile(target, "utf8").catch(() => ""))) {
    continue;
  }
  if (check) {
    console.error(`${path.relative(web, target)} is out of date: run npm run codegen`);
    stale++;
  } else {
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
