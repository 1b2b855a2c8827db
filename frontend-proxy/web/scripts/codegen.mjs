// Writes the types of all operations. Each NAME.graphql yields a NAME.operations.ts beside it, with the
// operation texts to send and the types of their responses and variables. Types of the schema go into
// src/lib/schema.ts. With --check it writes nothing and fails if a file differs.
// `... @each(types: [Dataset, Chart]) { … }` is an abbreviation of `... on Dataset { … } ... on Chart { … }`.
// A line `# import "../entities/lines.graphql"` includes the fragments of another file.
// In the types of a file with the line `# answers: nullable`, every member may be null, regardless of the
// schema, and fragments on different types of an interface are merged into one type, so that a page reads
// them without a check of the type. Members that may be missing from a response are optional.
// In a file with the line `# variants: entity`, the operation reads one entity of a type known before the
// request. It has a text for each type on which the member `entity` has a fragment: the selections of that type
// and the members of Query without a type. `... @available(types: [Dataset, Tag]) { … }` adds each of
// its members to those of the types that have it in the schema, and `... on Query @only(types: [Tag]) { … }` limits members of Query to types.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { Kind, NoUndefinedVariablesRule, NoUnusedFragmentsRule, buildASTSchema, concatAST, getNamedType, isAbstractType, isEnumType, isLeafType, isListType, isNonNullType, parse, print, specifiedRules, stripIgnoredCharacters, validate, visit } from "graphql";

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
  const each = typesListed(directives, "each");
  return each ?? (typeCondition && directives.length === 0 ? [typeCondition.name.value] : []);
}

// typesListed returns the types that a directive lists, or undefined without the directive.
const typesListed = (directives, wanted) => directives.find(({ name }) => name.value === wanted)?.arguments[0].value.values.map(({ value }) => value);

// addTo returns an inline fragment for a type, or adds to the existing fragment of the type.
function addTo(typed, type, selections) {
  const before = typed.get(type);
  if (before) {
    before.selectionSet.selections.push(...selections);
    return [];
  }
  const fragment = fragmentOn(type, [...selections]);
  typed.set(type, fragment);
  return [fragment];
}

const nameNode = (value) => ({ kind: Kind.NAME, value });
const setOf = (selections) => ({ kind: Kind.SELECTION_SET, selections });
const fragmentOn = (type, selections) => ({ kind: Kind.INLINE_FRAGMENT, typeCondition: { kind: Kind.NAMED_TYPE, name: nameNode(type) }, directives: [], selectionSet: setOf(selections) });

async function read(file) {
  const text = await readFile(file, "utf8");
  const imports = [...text.matchAll(/^# import "(.+)"$/gm)].map(([, name]) => path.resolve(path.dirname(file), name));
  const others = await Promise.all(imports.map(async (other) => eachType(parse(await readFile(other, "utf8")))));
  const fragments = others.flatMap(({ definitions }) => definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION));
  const own = eachType(parse(text));
  const used = spread(own.definitions, fragments);
  const whole = { ...own, definitions: [...own.definitions, ...fragments.filter(({ name }) => used.has(name.value))] };
  return variantsIn(text) ? addAvailable(whole) : whole;
}

// addAvailable replaces every fragment with the directive @available by a fragment for each listed type that has
// at least one of its members.
function addAvailable(document) {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== NoUndefinedVariablesRule);
  const has = (type, selection) => {
    const probe = { ...fragmentOn(type, [selection]), kind: Kind.FRAGMENT_DEFINITION, name: nameNode("Probe__") };
    return validate(schemaAst, { kind: Kind.DOCUMENT, definitions: [probe, ...fragments] }, rules).length === 0;
  };
  return visit(document, {
    SelectionSet: {
      leave(set) {
        const available = set.selections.filter(isAvailable);
        if (available.length === 0) {
          return undefined;
        }
        const typed = new Map();
        const found = available.flatMap(({ directives, selectionSet }) =>
          selectionSet.selections.flatMap((selection) => {
            const types = typesListed(directives, "available").filter((type) => has(type, selection));
            if (types.length === 0) {
              throw new Error(`no type has ${print(selection)}`);
            }
            return types.flatMap((type) => addTo(typed, type, [selection]));
          }),
        );
        const others = set.selections.filter((each) => !isAvailable(each));
        return { ...set, selections: [...others.flatMap((each) => (each.kind === Kind.INLINE_FRAGMENT ? addTo(typed, each.typeCondition.name.value, each.selectionSet.selections) : [each])), ...found] };
      },
    },
  });
}

const isAvailable = ({ kind, directives }) => kind === Kind.INLINE_FRAGMENT && directives.some(({ name }) => name.value === "available");

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
  const head = await readFile(file, "utf8");
  const variants = variantsIn(head) ? variantsOf(document, variantsIn(head)) : undefined;
  const text = await codegen({
    filename: written(file),
    schema,
    schemaAst,
    documents: (variants ? variants.documents : [document]).map((each) => ({ location: file, document: each })),
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config,
  });
  const nullable = isNullable(head) ? answerTypes(document) : new Map();
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
  const mine = types.filter(({ name }) => !schemaAst.getType(name) && !isSplit(name) && !variants?.isPart(name)).map(({ name, source }) => nullable.get(name) ?? source);
  const operationsOf = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const texts = variants ? [variants.text] : operationsOf.map((definition) => sent(definition, document));
  const lib = path.relative(path.dirname(file), path.join(web, "src/lib"));
  return `// Written by scripts/codegen.mjs from ${path.basename(file)} and the schema; not to be edited.
${texts.length === 0 ? "" : variants ? `import { variants } from "${lib}/variants";\n` : `import type { Operation } from "${lib}/request";\n`}${used.length === 0 ? "" : `import type { ${used.toSorted().join(", ")} } from "${lib}/schema";\n\nexport type { ${used.toSorted().join(", ")} };\n`}
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

const conditional = (directives) => directives.some(({ name: { value } }) => value === "include" || value === "skip" || value === "only");

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

// variantsOf returns the constant of an operation with a text for each type of the entity in the given member,
// and a valid operation with the same variables.
function variantsOf(document, member) {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const fragments = new Map(document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]));
  const inlined = visit(operation, {
    FragmentSpread: { enter: ({ name: { value } }) => fragmentOn(fragments.get(value).typeCondition.name.value, fragments.get(value).selectionSet.selections) },
  });
  const root = inlined.selectionSet.selections.flatMap((selection) => {
    const only = typesListed(selection.directives, "only");
    return only ? selection.selectionSet.selections.map((each) => ({ selection: each, only })) : [{ selection }];
  });
  const entity = root.find(({ selection }) => selection.name.value === member).selection;
  const texts = [];
  const indexOf = (selection) => {
    const text = stripIgnoredCharacters(print(selection));
    if (!texts.includes(text)) {
      texts.push(text);
    }
    return texts.indexOf(text);
  };
  const shared = entity.selectionSet.selections.filter(({ kind }) => kind === Kind.FIELD);
  const typed = entity.selectionSet.selections.filter(({ kind }) => kind === Kind.INLINE_FRAGMENT);
  const types = typed.map(({ typeCondition: { name }, selectionSet }) => {
    const members = merged(selectionSet.selections);
    const others = root.filter(({ selection, only }) => selection !== entity && (only?.includes(name.value) ?? true));
    return { name: name.value, members, others: others.map(({ selection }) => selection) };
  });
  const name = operation.name.value;
  const head = stripIgnoredCharacters(print({ ...entity, selectionSet: setOf(shared) })).replace(/\}$/, "");
  const variables = operation.variableDefinitions.map((each) => [each.variable.name.value, print(each.type)]);
  const always = variables.filter(([variable]) => head.includes(`$${variable}`)).map(([variable]) => JSON.stringify(variable));
  const table = types.map((each) => `  ${each.name}: [[${each.members.map(indexOf).join(", ")}], [${each.others.map(indexOf).join(", ")}]],`);
  // Each variant is an operation of its own for validation and for the types of its members.
  const operationOf = (called, selections, others) => {
    const selectionSet = setOf([{ ...entity, selectionSet: setOf(selections) }, ...others]);
    const used = print(selectionSet);
    const variableDefinitions = operation.variableDefinitions.filter(({ variable }) => new RegExp(`\\$${variable.name.value}\\b`).test(used));
    return { kind: Kind.OPERATION_DEFINITION, operation: "query", name: nameNode(called), variableDefinitions, directives: [], selectionSet };
  };
  const documents = types.map((type, index) => {
    const variant = { kind: Kind.DOCUMENT, definitions: [operationOf(`${name}_${index}_`, [...shared, fragmentOn(type.name, type.members)], type.others)] };
    const [fault] = validate(schemaAst, variant);
    if (fault) {
      throw new Error(`${name} on ${type.name}: ${fault.message}`);
    }
    return variant;
  });
  const whole = { ...operationOf(name, shared, []), variableDefinitions: operation.variableDefinitions };
  return {
    documents: [{ kind: Kind.DOCUMENT, definitions: [whole] }, ...documents],
    isPart: (type) => type.startsWith(`${name}_`),
    text: `export const ${name} = variants<${name}Query, Pick<${name}QueryVariables, ${always.join(" | ")}> & Partial<${name}QueryVariables>>()(${JSON.stringify(name)}, ${JSON.stringify(head)}, ${JSON.stringify(Object.fromEntries(variables))}, [
${texts.map((text) => `  ${JSON.stringify(text)},`).join("\n")}
], {
${table.join("\n")}
});`,
  };
}

// merged joins selections of the same member into one.
function merged(selections) {
  const fields = new Map();
  const others = [];
  for (const selection of selections) {
    const key = selection.kind === Kind.FIELD ? print({ ...selection, selectionSet: undefined }) : undefined;
    const before = fields.get(key);
    if (key === undefined) {
      others.push(selection);
    } else if (before?.selectionSet) {
      fields.set(key, { ...before, selectionSet: setOf([...before.selectionSet.selections, ...selection.selectionSet.selections]) });
    } else {
      fields.set(key, selection);
    }
  }
  const inner = (selection) => (selection.selectionSet ? { ...selection, selectionSet: setOf(merged(selection.selectionSet.selections)) } : selection);
  return [...fields.values(), ...others].map(inner);
}

const variantsIn = (text) => /^# variants: (\w+)$/m.exec(text)?.[1];

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
