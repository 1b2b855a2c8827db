import { tagsIn, termsIn, type Label, type Ref } from "../entities/refs";
import { listIn, numberIn, textIn, textsIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
import type { ColumnsFragment, SchemaQuery } from "./schema.operations";

/** A column of a dataset, or a field nested in one. */
export interface Column {
  /** The path in the schema, which identifies the column. */
  path: string;
  name: string;
  /** The path of the enclosing field; empty for a top-level column. */
  parent: string;
  depth: number;
  type: string;
  nullable: boolean;
  key: boolean;
  partition: boolean;
  /** The description from the platform, and the description edited by users. */
  description: string;
  edited: string;
  tags: readonly Label[];
  terms: readonly Label[];
  /** The dataset that a foreign key refers to. */
  foreign: Ref | null;
  /** Whether a check of the column fails. */
  fails: boolean;
  /** The number of queries that read the column within a month; undefined if unknown. */
  uses: number | undefined;
  inside: number;
}

/** The names on the path to a field. Version 2 paths contain types in brackets. */
export function stepsOf(path: string): string[] {
  if (!path.startsWith("[version=2.0]")) {
    return path.split(".");
  }
  const steps = path.replaceAll(/\[[^\]]*\](\.|$)/gu, "").split(".").filter(Boolean);
  return steps.length > 0 ? steps : [path];
}

/** The full display name of a field: order.total for both versions of paths. */
export const plainPath = (path: string) => stepsOf(path).join(".");

const union = (...lists: readonly (readonly Label[])[]): Label[] => [...new Map(lists.flat().map((label) => [label.urn, label])).values()];

/** The description of a column: the one edited by users, else the one from the platform. */
export const saidOf = ({ edited, description }: Column) => edited || description;

/** Reads the columns of a schema in schema order, merged with edits by users. */
export function columnsIn(schema: ColumnsFragment | null | undefined, dataset?: SchemaQuery["dataset"]): Column[] {
  const edits = new Map(listIn(dataset?.editableSchemaMetadata?.editableSchemaFieldInfo).map((each) => [textIn(each.fieldPath), each]));
  const uses = new Map(listIn(dataset?.usageStats?.aggregations?.fields).map((each) => [textIn(each.fieldName), numberIn(each.count)]));
  const failing = failingPaths(dataset);
  const keys = new Set(textsIn(schema?.primaryKeys));
  const foreign = new Map(
    listIn(schema?.foreignKeys).flatMap((key) => {
      const urn = textIn(key.foreignDataset?.urn);
      const ref = { urn, name: textIn(key.foreignDataset?.name) || shortOf(urn) };
      return urn ? listIn(key.sourceFields).map((field) => [textIn(field.fieldPath), ref] as const) : [];
    }),
  );
  const byPlain = new Map<string, Column>();
  const all: Column[] = [];
  const seen = new Set<string>();
  for (const field of listIn(schema?.fields)) {
    const path = textIn(field.fieldPath);
    if (path === "" || seen.has(path)) {
      continue;
    }
    seen.add(path);
    const steps = stepsOf(path);
    const plain = steps.join(".");
    const parent = steps.length > 1 ? byPlain.get(steps.slice(0, -1).join(".")) : undefined;
    const edit = edits.get(path);
    const column: Column = {
      path,
      name: parent ? (steps.at(-1) ?? plain) : plain,
      parent: parent?.path ?? "",
      depth: parent ? parent.depth + 1 : 0,
      type: textIn(field.nativeDataType) || textIn(field.type),
      nullable: field.nullable === true,
      key: field.isPartOfKey === true || keys.has(path),
      partition: field.isPartitioningKey === true,
      description: textIn(field.description),
      edited: textIn(edit?.description),
      tags: union(tagsIn(field.tags), tagsIn(edit?.tags)),
      terms: union(termsIn(field.glossaryTerms), termsIn(edit?.glossaryTerms)),
      foreign: foreign.get(path) ?? foreign.get(plain) ?? null,
      fails: failing.has(path) || failing.has(plain),
      uses: uses.get(path) ?? uses.get(plain),
      inside: 0,
    };
    if (parent) {
      parent.inside++;
    }
    byPlain.set(plain, column);
    all.push(column);
  }
  return ordered(all);
}

/** Sorts fields directly after their parents, regardless of the schema order. */
export function ordered<C extends Column>(all: readonly C[]): C[] {
  const byParent = new Map<string, C[]>();
  for (const column of all) {
    const beside = byParent.get(column.parent);
    if (beside) {
      beside.push(column);
    } else {
      byParent.set(column.parent, [column]);
    }
  }
  return all.some(({ parent }) => parent !== "") ? below(byParent, "") : [...all];
}

function below<C extends Column>(byParent: ReadonlyMap<string, C[]>, parent: string, into: C[] = []): C[] {
  for (const column of byParent.get(parent) ?? []) {
    into.push(column);
    below(byParent, column.path, into);
  }
  return into;
}

/** A dataset with its checks. */
type Checked = Partial<Pick<NonNullable<SchemaQuery["dataset"]>, "assertions">>;

/** The paths of columns with a failing check. */
export function failingPaths(dataset: Checked | null | undefined): ReadonlySet<string> {
  const failing = listIn(dataset?.assertions?.assertions).filter((each) => listIn(each.runEvents?.runEvents)[0]?.result?.type === "FAILURE");
  return new Set(
    failing.flatMap((each) => {
      const info = each.info;
      return textsIn([
        info?.fieldAssertion?.fieldValuesAssertion?.field?.path,
        info?.fieldAssertion?.fieldMetricAssertion?.field?.path,
        ...listIn(info?.datasetAssertion?.fields).map((field) => field.path),
      ]);
    }),
  );
}

export type Kept = "all" | "undescribed" | "tagged";

const keeps: Readonly<Record<Kept, (column: Column) => boolean>> = {
  all: () => true,
  undescribed: (column) => saidOf(column).trim() === "",
  tagged: ({ tags, terms }) => tags.length + terms.length > 0,
};

/** The numbers of columns by filter. */
export const countsOf = (columns: readonly Column[]): Readonly<Record<Kept, number>> => ({
  all: columns.length,
  undescribed: columns.filter(keeps.undescribed).length,
  tagged: columns.filter(keeps.tagged).length,
});

// Fields are expanded to this depth by default.
const openDepth = 2;

/** Reports whether the nested fields of a column are visible. toggled holds the columns that differ from the default. */
export const isOpen = ({ path, depth }: Column, toggled: ReadonlySet<string>) => depth + 1 < openDepth !== toggled.has(path);

/** The visible columns: the matches of text and filter, or else all columns without a collapsed parent. */
export function shownOf<C extends Column>(columns: readonly C[], { text, kept, toggled }: { text: string; kept: Kept; toggled: ReadonlySet<string> }): C[] {
  const sought = text.trim().toLowerCase();
  if (sought !== "" || kept !== "all") {
    return columns.filter(
      (column) =>
        keeps[kept](column) &&
        (sought === "" || [plainPath(column.path), saidOf(column), column.type, ...column.tags.map(({ name }) => name), ...column.terms.map(({ name }) => name)].some((each) => each.toLowerCase().includes(sought))),
    );
  }
  const byPath = new Map(columns.map((column) => [column.path, column]));
  const hidden = new Map<string, boolean>([["", false]]);
  const isHidden = (path: string): boolean => {
    const column = byPath.get(path);
    const known = hidden.get(path);
    if (known !== undefined || !column) {
      return known ?? false;
    }
    const parent = byPath.get(column.parent);
    const now = parent !== undefined && (!isOpen(parent, toggled) || isHidden(parent.path));
    hidden.set(path, now);
    return now;
  };
  return columns.filter(({ path }) => !isHidden(path));
}
