import type { Document } from "yaml";

export type Value = string | number | boolean;

/** A condition on one property. */
export interface Check {
  property: string;
  operator: string;
  values: Value[];
}

/** A list of conditions combined with AND or OR. */
export interface Rows {
  joiner: "and" | "or";
  checks: Check[];
  /** The syntax of the conditions, which determines the paths of problems. */
  written: "nothing" | "one" | "list" | "joined";
}

export type Verdict = "passing" | "failing";

/** An action on an asset by test result. */
export interface Action {
  verdict: Verdict;
  type: string;
  params: Record<string, unknown>;
}

/** A definition as far as the form can represent it. Parts that it cannot represent are null and keep their text. */
export interface Form {
  types: string[] | null;
  conditions: Rows | null;
  rules: Rows | null;
  every: string;
  undo: boolean;
  actions: Action[] | null;
}

/** A changed member, by path; undefined removes it. */
export interface Change {
  path: string[];
  value: unknown;
}

/** A parsed definition, or the reason why the form cannot show it. */
export type Read = { form: Form; format: "JSON" | "YAML"; conditions: "conditions" | "match"; write: (changes: readonly Change[]) => string } | { form: null; reason: string };

type Yaml = typeof import("yaml");
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isValue = (value: unknown): value is Value => ["string", "number", "boolean"].includes(typeof value);

// Above these sizes only the text is editable, because the form would slow down typing.
const most = { JSON: 300_000, YAML: 100_000, rows: 60, values: 200 };

/** Reports whether a text is intended as JSON. */
export const isJson = (text: string) => /^\s*[{[]/.test(text);

/** Parses a definition. YAML requires its library, which is loaded with the first YAML text. */
export function read(text: string, yaml: Yaml | null): Read {
  if (text.trim() === "") {
    return read("{}", yaml);
  }
  const json = isJson(text);
  if (text.length > most[json ? "JSON" : "YAML"]) {
    return { form: null, reason: "It is too long for the form." };
  }
  try {
    return json ? readJson(text) : yaml ? readYaml(text, yaml) : { form: null, reason: "Reading YAML takes a moment." };
  } catch (error) {
    return { form: null, reason: `It cannot be read: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}` };
  }
}

function readJson(text: string): Read {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) {
    return { form: null, reason: "It must be an object." };
  }
  if (losesFigures(value)) {
    return { form: null, reason: "It holds a number with more figures than the form keeps." };
  }
  return {
    form: formOf(value),
    format: "JSON",
    conditions: conditionsName(value["on"]),
    write: (changes) => JSON.stringify(changes.reduce<Fields>((all, { path, value: to }) => changed(all, path, to), value), null, 2),
  };
}

function readYaml(text: string, yaml: Yaml): Read {
  const parse = () => yaml.parseDocument(text);
  const document = parse();
  const wrong = document.errors[0];
  if (wrong) {
    throw wrong;
  }
  let aliased = false;
  yaml.visit(document, {
    Alias: () => {
      aliased = true;
    },
  });
  if (aliased) {
    return { form: null, reason: "It repeats parts by name, which the form would take apart." };
  }
  const value: unknown = document.toJS();
  if (!isObject(value)) {
    return { form: null, reason: "It must be an object." };
  }
  if (losesFigures(value)) {
    return { form: null, reason: "It holds a number with more figures than the form keeps." };
  }
  return { form: formOf(value), format: "YAML", conditions: conditionsName(value["on"]), write: (changes) => writeYaml(parse(), changes) };
}

// Preserves comments and the order of unchanged members.
function writeYaml(document: Document, changes: readonly Change[]): string {
  for (const { path, value } of changes) {
    if (value === undefined) {
      document.deleteIn(path);
      continue;
    }
    path.slice(0, -1).forEach((_, depth) => {
      const above = path.slice(0, depth + 1);
      if (!isObject(document.getIn(above, true))) {
        document.setIn(above, document.createNode({}));
      }
    });
    document.setIn(path, document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}

function changed(all: Fields, [name = "", ...rest]: string[], to: unknown): Fields {
  const out = { ...all };
  const inner = out[name];
  const value = rest.length === 0 ? to : changed(isObject(inner) ? inner : {}, rest, to);
  if (value === undefined) {
    delete out[name];
  } else {
    out[name] = value;
  }
  return out;
}

function losesFigures(value: unknown): boolean {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value);
  }
  return typeof value === "object" && value !== null && Object.values(value).some(losesFigures);
}

function formOf(value: Fields): Form {
  const on = value["on"];
  const fields = isObject(on) ? on : {};
  const types = fields["types"];
  const actions = value["actions"];
  return {
    types: on !== undefined && !isObject(on) ? null : types === undefined ? [] : Array.isArray(types) && types.every((type) => typeof type === "string") ? (types as string[]) : null,
    conditions: "conditions" in fields && "match" in fields ? null : rowsOf(fields[conditionsName(fields)]),
    rules: rowsOf(value["rules"]),
    every: typeof value["every"] === "string" ? value["every"] : "",
    undo: isObject(actions) && actions["undo"] === true,
    actions: actionsOf(actions),
  };
}

// The older member name match is kept if present, because the service rejects both names together.
const conditionsName = (on: unknown) => (isObject(on) && "match" in on ? "match" : "conditions");

function rowsOf(value: unknown): Rows | null {
  if (value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)) {
    return { joiner: "and", checks: [], written: "nothing" };
  }
  if (Array.isArray(value)) {
    return joined("and", value, "list");
  }
  if (!isObject(value)) {
    return null;
  }
  for (const joiner of ["and", "or"] as const) {
    if (joiner in value) {
      const list = value[joiner];
      return Object.keys(value).length === 1 && Array.isArray(list) ? joined(joiner, list, "joined") : null;
    }
  }
  return joined("and", [value], "one");
}

function joined(joiner: "and" | "or", list: unknown[], written: Rows["written"]): Rows | null {
  // An empty OR never holds, which rows could not express.
  if (list.length > most.rows || (joiner === "or" && list.length === 0)) {
    return null;
  }
  const checks = list.map(checkOf);
  return checks.includes(null) ? null : { joiner, checks: checks as Check[], written };
}

const checkNames = new Set(["property", "query", "operator", "operation", "values", "value"]);

function checkOf(value: unknown): Check | null {
  if (!isObject(value) || !Object.entries(value).every(([name, member]) => checkNames.has(name) || (name === "match" && member === "any"))) {
    return null;
  }
  const [property, twice] = either(value, "property", "query");
  const [operator, twiceToo] = either(value, "operator", "operation");
  const [values = [], twiceAgain] = either(value, "values", "value");
  const list = Array.isArray(values) ? values : [values];
  if (twice || twiceToo || twiceAgain || list.length > most.values || !list.every(isValue)) {
    return null;
  }
  if ((property !== undefined && typeof property !== "string") || (operator !== undefined && typeof operator !== "string")) {
    return null;
  }
  return { property: property ?? "", operator: operator ?? "", values: list };
}

const either = (fields: Fields, name: string, other: string): [unknown, boolean] => [fields[name] ?? fields[other] ?? undefined, name in fields && other in fields];

function actionsOf(value: unknown): Action[] | null {
  if (value === undefined || value === null) {
    return [];
  }
  if (!isObject(value)) {
    return null;
  }
  const out: Action[] = [];
  for (const verdict of ["passing", "failing"] as const) {
    const list = value[verdict] ?? [];
    if (!Array.isArray(list) || list.length > most.rows) {
      return null;
    }
    for (const one of list as unknown[]) {
      if (!isObject(one) || typeof one["type"] !== "string" || !Object.keys(one).every((name) => name === "type" || name === "params") || (one["params"] !== undefined && !isObject(one["params"]))) {
        return null;
      }
      out.push({ verdict, type: one["type"], params: isObject(one["params"]) ? one["params"] : {} });
    }
  }
  return out;
}

/** The change that replaces conditions with rows. */
export function rowsChange(part: "conditions" | "rules", rows: Pick<Rows, "joiner" | "checks">, { conditions }: { conditions: string }): Change[] {
  const path = part === "rules" ? ["rules"] : ["on", conditions];
  const checks = rows.checks.map(({ property, operator, values }) => ({ property, operator, ...(values.length > 0 ? { values } : {}) }));
  return [{ path, value: checks.length === 0 ? undefined : checks.length === 1 ? checks[0] : { [rows.joiner]: checks } }];
}

/** The changes that replace the actions. */
export function actionsChanges(actions: readonly Action[], undo: boolean): Change[] {
  const of = (verdict: Verdict) => actions.filter((one) => one.verdict === verdict).map(({ type, params }) => (Object.keys(params).length > 0 ? { type, params } : { type }));
  const [passing, failing] = [of("passing"), of("failing")];
  if (passing.length === 0 && failing.length === 0 && !undo) {
    return [{ path: ["actions"], value: undefined }];
  }
  return [
    { path: ["actions", "undo"], value: undo ? true : undefined },
    { path: ["actions", "passing"], value: passing.length > 0 ? passing : undefined },
    { path: ["actions", "failing"], value: failing.length > 0 ? failing : undefined },
  ];
}

const numeric = new Set(["greater_than", "greater_than_or_equal", "less_than", "less_than_or_equal"]);

/** Converts typed texts to values of the previous type, or of the type that the operator requires. */
export function typed(texts: readonly string[], { operator, values }: Check): Value[] {
  const all = (kind: string) => values.length > 0 && values.every((value) => typeof value === kind);
  const numbers = numeric.has(operator.toLowerCase()) || all("number");
  return texts.map((text) => {
    if (numbers && text.trim() !== "" && Number.isFinite(Number(text)) && String(Number(text)) === text.trim()) {
      return Number(text);
    }
    return all("boolean") && (text === "true" || text === "false") ? text === "true" : text;
  });
}

/** A problem with its path in the definition. */
export interface Problem {
  path: string;
  message: string;
}

/** The problems of a part by row number; problems without a row have -1. */
export function problemsIn(problems: readonly Problem[], part: "conditions" | "rules" | "actions", rows: Rows | null): Map<number, Problem[]> {
  const start = part === "conditions" ? /^on\.(?:conditions|match)(?=$|[.[])/ : new RegExp(`^${part}(?=$|[.[])`);
  const out = new Map<number, Problem[]>();
  for (const problem of problems) {
    const found = start.exec(problem.path);
    if (!found) {
      continue;
    }
    const rest = problem.path.slice(found[0].length);
    const number = rows?.written === "one" ? "0" : /^(?:\.(?:and|or))?\[(\d+)\]/.exec(rest)?.[1];
    const at = rows === null || number === undefined ? -1 : Number(number);
    out.set(at, [...(out.get(at) ?? []), problem]);
  }
  return out;
}

/** The problems of actions, by number of the action in the form. */
export function problemsOfActions(problems: readonly Problem[], actions: readonly Action[] | null): Map<number, Problem[]> {
  const out = new Map<number, Problem[]>();
  for (const problem of problems) {
    if (!/^actions(?=$|[.[])/.test(problem.path)) {
      continue;
    }
    const [, verdict, number] = /^actions\.(passing|failing)\[(\d+)\]/.exec(problem.path) ?? [];
    const first = actions?.findIndex((one) => one.verdict === verdict) ?? -1;
    const at = verdict === undefined || first < 0 ? -1 : first + Number(number);
    out.set(at, [...(out.get(at) ?? []), problem]);
  }
  return out;
}
