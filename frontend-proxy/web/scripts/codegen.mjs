// Writes the types of all operations. Each NAME.graphql yields a NAME.operations.ts beside it, with the
// operation texts to send and the types of their responses and variables. Types of the schema go into
// src/lib/schema.ts. With --check it writes nothing and fails if a file differs.
// `... @each(types: [Dataset, Chart]) { … }` is an abbreviation of `... on Dataset { … } ... on Chart { … }`.
// A line `# import "../entities/lines.graphql"` includes the fragments of another file.
// In the types of a file with the line `# answers: nullable`, every member may be null, regardless of the
// schema, and fragments on different types of an interface are merged into one type, so that a page reads
// them without a check of the type. Members that may be missing from a response are optional.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { Kind, buildASTSchema, concatAST, getNamedType, isAbstractType, isEnumType, isLeafType, isListType, isNonNullType, parse, print, stripIgnoredCharacters, visit } from "graphql";

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
  // An Entity has many possible types; identical selections of several types yield one type.
  mergeFragmentTypes: true,
};

// eachType expands every selection with the directive @each to one inline fragment per type.
function eachType(document) {
  return visit(document, {
    SelectionSet: {
      leave(set) {
        const typed = new Map();
        const selections = set.selections.flatMap((selection) => {
          const types = selection.kind === Kind.INLINE_FRAGMENT ? typesOf(selection) : [];
          return types.length === 0 ? [selection] : types.flatMap((type) => addTo(typed, type, selection.selectionSet.selections));
        });
        return { ...set, selections };
      },
    },
  });
}

function typesOf({ typeCondition, directives }) {
  const each = directives.find(({ name }) => name.value === "each");
  return each ? each.arguments[0].value.values.map(({ value }) => value) : typeCondition && directives.length === 0 ? [typeCondition.name.value] : [];
}

// addTo returns an inline fragment for a type, or adds to the existing fragment of the type.
function addTo(typed, type, selections) {
  const before = typed.get(type);
  if (before) {
    before.selectionSet.selections.push(...selections);
    return [];
  }
  const name = { kind: Kind.NAME, value: type };
  const fragment = { kind: Kind.INLINE_FRAGMENT, typeCondition: { kind: Kind.NAMED_TYPE, name }, directives: [], selectionSet: { kind: Kind.SELECTION_SET, selections: [...selections] } };
  typed.set(type, fragment);
  return [fragment];
}

async function read(file) {
  const text = await readFile(file, "utf8");
  const imports = [...text.matchAll(/^# import "(.+)"$/gm)].map(([, name]) => path.resolve(path.dirname(file), name));
  const others = await Promise.all(imports.map(async (other) => eachType(parse(await readFile(other, "utf8")))));
  const fragments = others.flatMap(({ definitions }) => definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION));
  const own = eachType(parse(text));
  const used = spread(own.definitions, fragments);
  return { ...own, definitions: [...own.definitions, ...fragments.filter(({ name }) => used.has(name.value))] };
}

// spread returns the names of the fragments that definitions use, directly or through other fragments.
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
  const nullable = isNullable(await readFile(file, "utf8")) ? answerTypes(document) : new Map();
  const types = statements(text.replaceAll(/^(\/\*\* Internal type|import |export type Incremental).*\n/gm, ""));
  const used = [];
  for (const { name, source } of types) {
    if (schemaAst.getType(name)) {
      shared.set(name, source);
      used.push(name);
    }
  }
  // In a nullable file a fragment has a single type instead of one type per implementation of an interface.
  const isSplit = (name) => nullable.size > 0 && name.endsWith("_Fragment");
  const mine = types.filter(({ name }) => !schemaAst.getType(name) && !isSplit(name)).map(({ name, source }) => nullable.get(name) ?? source);
  const texts = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).map((definition) => sent(definition, document));
  const lib = path.relative(path.dirname(file), path.join(web, "src/lib"));
  return `// Written by scripts/codegen.mjs from ${path.basename(file)} and the schema; not to be edited.
${texts.length === 0 ? "" : `import type { Operation } from "${lib}/request";\n`}${used.length === 0 ? "" : `import type { ${used.toSorted().join(", ")} } from "${lib}/schema";\n\nexport type { ${used.toSorted().join(", ")} };\n`}
${[...mine, ...texts].join("\n\n")}\n`;
}

// answerTypes returns the types of the operations and fragments of a document by name, with every member
// nullable.
function answerTypes(document) {
  const fragments = new Map(document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]));
  const types = new Map();
  for (const definition of document.definitions) {
    const name = definition.name.value;
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    const suffix = isFragment ? "Fragment" : definition.operation === "query" ? "Query" : "Mutation";
    const type = isFragment ? schemaAst.getType(definition.typeCondition.name.value) : schemaAst.getRootType(definition.operation);
    types.set(`${name}${suffix}`, `export type ${name}${suffix} = ${objectType([{ type, selectionSet: definition.selectionSet }], fragments)};`);
  }
  return types;
}

const conditional = (directives) => directives.some(({ name: { value } }) => value === "include" || value === "skip");

// collect adds the fields of a selection to members, keyed by their names in the response.
function collect({ type, selectionSet, always }, fragments, members) {
  for (const selection of selectionSet.selections) {
    const present = always && !conditional(selection.directives ?? []);
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const member = members.get(key) ?? { always: false, found: [] };
      member.always ||= present;
      member.found.push({ type: selection.name.value === "__typename" ? null : type.getFields()[selection.name.value].type, selectionSet: selection.selectionSet });
      members.set(key, member);
    } else {
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      const of = inner.typeCondition ? schemaAst.getType(inner.typeCondition.name.value) : type;
      const covers = of === type || (isAbstractType(of) && (isAbstractType(type) ? schemaAst.getPossibleTypes(type) : [type]).every((each) => schemaAst.isSubType(of, each)));
      collect({ type: of, selectionSet: inner.selectionSet, always: present && covers }, fragments, members);
    }
  }
}

// objectType returns the type of an object with the given selections.
function objectType(selections, fragments) {
  const members = new Map();
  for (const selection of selections) {
    collect({ ...selection, always: true }, fragments, members);
  }
  return `{ ${[...members].map(([key, { always, found }]) => `${key}${always ? "" : "?"}: ${memberType(found, fragments)} | null`).join(", ")} }`;
}

const scalarTypes = { Boolean: "boolean", Float: "number", ID: "string", Int: "number", Long: "number", String: "string" };

const outer = (type) => (type !== null && isNonNullType(type) ? type.ofType : type);

// memberType returns the type of a member that one or more selections contain.
function memberType(found, fragments) {
  const listed = found.filter(({ type }) => isListType(outer(type)));
  if (listed.length > 0) {
    return `Array<${memberType(listed.map(({ type, selectionSet }) => ({ type: outer(type).ofType, selectionSet })), fragments)} | null>`;
  }
  const objects = found.filter(({ selectionSet }) => selectionSet);
  const leaves = found.filter(({ selectionSet }) => !selectionSet).map(({ type }) => (type === null ? "string" : leafType(getNamedType(type))));
  const all = [...new Set(leaves), ...(objects.length > 0 ? [objectType(objects.map(({ type, selectionSet }) => ({ type: getNamedType(type), selectionSet })), fragments)] : [])];
  return all.join(" | ");
}

function leafType(type) {
  if (isLeafType(type) && (isEnumType(type) || scalarTypes[type.name])) {
    return scalarTypes[type.name] ?? type.name;
  }
  throw new Error(`there is no type for ${type.name}`);
}

// statements splits a text of types into declarations, each with the comment above it.
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

// sent returns the constant of an operation: its text with the fragments in use, minified.
function sent(definition, document) {
  const name = definition.name.value;
  const kind = definition.operation === "query" ? "Query" : "Mutation";
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const used = spread([definition], fragments);
  const parts = [definition, ...fragments.filter(({ name: { value } }) => used.has(value))];
  const text = stripIgnoredCharacters(parts.map(print).join(" "));
  return `export const ${name} = ${JSON.stringify(text)} as unknown as Operation<${name}${kind}, ${name}${kind}Variables>;`;
}

const isNullable = (text) => /^# answers: nullable$/m.test(text);

const written = (file) => file.replace(/\.graphql$/, ".operations.ts");

const all = await readdir(path.join(web, "src"), { recursive: true });
const shared = new Map(); // types of the schema that several operations use
const wanted = new Map();
for (const name of all.filter((each) => each.endsWith(".graphql")).toSorted()) {
  const file = path.join(web, "src", name);
  const text = await readFile(file, "utf8");
  // Files with fragments only serve other files, unless shared readers need their types.
  if (/^(query|mutation) /m.test(text) || isNullable(text)) {
    wanted.set(written(file), await generate(file));
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
