import { at, listIn, numberIn, textIn, timeIn } from "../../lib/loose";
import { plainPath, type Column } from "./columns";

/** A version of a schema that was kept. */
export interface Version {
  /** What it is called, as 1.2.0. */
  name: string;
  at: number | undefined;
  /** The number by which it is read; 0 is the latest. */
  number: number;
}

/** Reads the versions of a schema, the newest first. */
export function versionsIn(answer: unknown): Version[] {
  const all = listIn(at(answer, "getSchemaVersionList", "semanticVersionList")).flatMap((each): Version[] => {
    const number = numberIn(/(?:^|;)schemaMetadata:(\d+)/u.exec(textIn(at(each, "versionStamp")))?.[1]);
    return number === undefined ? [] : [{ name: textIn(at(each, "semanticVersion")) || String(number), at: timeIn(at(each, "semanticVersionTimestamp")), number }];
  });
  // Times may be the same. Numbers grow, but the present value has 0.
  const order = ({ number }: Version) => number || Number.MAX_SAFE_INTEGER;
  return all.toSorted((a, b) => order(b) - order(a));
}

/** What became of a column between two versions of a schema. */
export interface Difference {
  path: string;
  kind: "added" | "removed" | "changed";
  /** What else changed, in words. */
  text: string;
  /** Its type before and after, where that is another. */
  was?: string;
  is?: string;
}

/** What an older and a newer schema differ in. */
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

/** The same as text, a line for each column. */
export const differencesText = (all: readonly Difference[]) =>
  all.map(({ path, kind, text, was, is }) => [plainPath(path), kind, [was, is].filter((type) => type !== undefined).join(" → "), text].filter(Boolean).join("\t")).join("\n");
