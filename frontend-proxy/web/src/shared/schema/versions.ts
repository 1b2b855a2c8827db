import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { counted, numberText } from "../../lib/text";
import { ordered, plainPath, type Column } from "./columns";
import type { SchemaChangesQuery, SchemaVersionNamesFragment } from "./schema.operations";

/** A stored version of a schema. */
export interface Version {
  /** The semantic version, such as 1.2.0. */
  name: string;
  at: number | undefined;
  /** The version number for requests; 0 is the latest. */
  number: number;
}

/** The schema version number in a version stamp. */
export const schemaVersionIn = (stamp: string | null | undefined) => numberIn(/(?:^|;)schemaMetadata:(\d+)/u.exec(textIn(stamp))?.[1]);

/** Reads the versions of a schema, newest first. */
export function versionsIn(answer: { getSchemaVersionList?: SchemaVersionNamesFragment | null } | null | undefined): Version[] {
  const all = listIn(answer?.getSchemaVersionList?.semanticVersionList).flatMap((each): Version[] => {
    const number = schemaVersionIn(each.versionStamp);
    return number === undefined ? [] : [{ name: textIn(each.semanticVersion) || String(number), at: timeIn(each.semanticVersionTimestamp), number }];
  });
  // Timestamps can be equal. Version numbers increase, except that the current version has number 0.
  const order = ({ number }: Version) => number || Number.MAX_SAFE_INTEGER;
  return all.toSorted((a, b) => order(b) - order(a));
}

/**
 * The version with the number or name in an address. Links use the number, because names are recounted when the
 * oldest versions are dropped.
 */
export const versionOf = (versions: readonly Version[], text: string) => versions.find(({ name, number }) => text === String(number) || text === name);

/** The change of a column between two versions of a schema. */
export interface Difference {
  path: string;
  kind: "added" | "removed" | "changed";
  /** Other changes as text. */
  text: string;
  /** The old and the new type, if the type changed. */
  was?: string;
  is?: string;
}

/** The differences between an older and a newer schema. */
export function differencesOf(older: readonly Column[], newer: readonly Column[]): Difference[] {
  const before = new Map(older.map((column) => [column.path, column]));
  const now = new Map(newer.map((column) => [column.path, column]));
  const changed = newer.flatMap((column): Difference[] => {
    const was = before.get(column.path);
    if (!was) {
      return [{ path: column.path, kind: "added", text: "", is: column.type }];
    }
    const texts = [
      was.nullable !== column.nullable && (column.nullable ? "may be empty now" : "may not be empty any more"),
      was.key !== column.key && (column.key ? "became part of the key" : "left the key"),
      was.description !== column.description && "described in other words",
    ].filter((text) => text !== false);
    const types = was.type === column.type ? {} : { was: was.type, is: column.type };
    return texts.length > 0 || "is" in types ? [{ path: column.path, kind: "changed", text: texts.join(", "), ...types }] : [];
  });
  const removed = older.flatMap((column): Difference[] => (now.has(column.path) ? [] : [{ path: column.path, kind: "removed", text: "", was: column.type }]));
  return [...changed, ...removed];
}

/** The difference of a column in one or two words. */
export const wordOf = ({ kind, was, is }: Difference) => (kind === "added" ? "Added" : kind === "removed" ? "Removed" : was === is ? "Changed" : "Type changed");

/** The differences as text, one line per column. */
export const differencesText = (all: readonly Difference[]) =>
  all.map(({ path, kind, text, was, is }) => [plainPath(path), kind, [was, is].filter((type) => type !== undefined).join(" → "), text].filter(Boolean).join("\t")).join("\n");

/** The numbers of added, changed and removed columns, as "1 column added, 2 removed". */
export function countsText(kinds: readonly Difference["kind"][]): string {
  const counts = (["added", "changed", "removed"] as const).map((kind) => ({ kind, count: kinds.filter((each) => each === kind).length }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }, index) => `${index === 0 ? counted(count, "column") : numberText(count)} ${kind}`)
    .join(", ");
}

const operations: Readonly<Record<string, Difference["kind"]>> = { ADD: "added", REMOVE: "removed" };

/** The changes of each version against the previous one, by version number, from a schema timeline. */
export function changesIn(answer: SchemaChangesQuery | null | undefined): ReadonlyMap<number, string> {
  return new Map(
    listIn(answer?.getTimeline?.changeTransactions).flatMap((each) => {
      const number = schemaVersionIn(each.versionStamp);
      const byColumn = new Map<string, Difference["kind"]>();
      for (const change of listIn(each.changes)) {
        const path = textIn(listIn(change.parameters).find((one) => one.key === "fieldPath")?.value);
        const kind = operations[textIn(change.operation)] ?? "changed";
        // A new column can have a second change that adds it to the primary key.
        if (kind !== "changed" || !byColumn.has(path)) {
          byColumn.set(path, kind);
        }
      }
      return number === undefined ? [] : [[number, countsText([...byColumn.values()])] as const];
    }),
  );
}

/** A column of an older version, with its change since then. */
export interface PastColumn extends Column {
  since?: Difference;
}

// Removes current metadata from a column, because it does not describe an older version without the column.
const bare = (column: Column): Column => ({ ...column, description: "", edited: "", tags: [], terms: [], fails: false, uses: undefined });

/** The columns of an older version, followed by columns added since then. */
export function pastColumns(older: readonly Column[], newest: readonly Column[]): PastColumn[] {
  const differences = new Map(differencesOf(older, newest).map((each) => [each.path, each]));
  const all = [...older, ...newest.filter(({ path }) => differences.get(path)?.kind === "added").map(bare)];
  const inside = new Map<string, number>();
  for (const { parent } of all) {
    inside.set(parent, (inside.get(parent) ?? 0) + 1);
  }
  return ordered(
    all.map((column): PastColumn => {
      const since = differences.get(column.path);
      return Object.assign({}, column, { inside: inside.get(column.path) ?? 0 }, since && { since });
    }),
  );
}

/** The differences that can break downstream assets: removed columns and changed types. */
export const breaksIn = (differences: readonly Difference[]) => differences.filter(({ kind, was, is }) => kind === "removed" || (kind === "changed" && was !== is));

/** The numbers of downstream assets of a column: dashboards, charts and all. */
export type Reach = Readonly<Partial<Record<"dashboards" | "charts" | "all", { total?: number | null; isPartial?: boolean | null } | null>>>;

/** The downstream assets of a column, as "1 dashboard, 2 charts and 5 other assets"; empty if there are none. */
export function reachText(reach: Reach): string {
  const [dashboards = 0, charts = 0, all = 0] = [reach.dashboards, reach.charts, reach.all].map((found) => numberIn(found?.total));
  const other = Math.max(0, all - dashboards - charts);
  const told = [
    dashboards > 0 && counted(dashboards, "dashboard"),
    charts > 0 && counted(charts, "chart"),
    other > 0 && counted(other, dashboards + charts > 0 ? "other asset" : "asset"),
  ].filter((text) => text !== false);
  const text = told.length > 1 ? `${told.slice(0, -1).join(", ")} and ${told.at(-1)}` : (told[0] ?? "");
  return text && reach.all?.isPartial === true ? `${text} or more` : text;
}
