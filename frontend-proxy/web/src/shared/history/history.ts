import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { counted, words } from "../../lib/text";
import { schemaVersionIn } from "../schema/versions";

/** A change of an asset or of one of its columns. */
export interface Change {
  /** The category as the service spells it. */
  category: string;
  operation: string;
  /** The noun for the changed part; empty if only the description from the service is known. */
  noun: string;
  /** The URN of the added, removed or changed entity, if there is one. */
  urn: string;
  column: string;
  /** Details: a type, a text, an address. */
  detail: string;
  /** The description from the service. */
  said: string;
}

/** The changes of one actor at one time. */
export interface Transaction {
  key: string;
  at: number | undefined;
  actor: string;
  /** The schema version that resulted from changes of columns. */
  schemaVersion: number | undefined;
  changes: readonly Change[];
}

export interface History {
  /** Newest first. */
  transactions: readonly Transaction[];
  /** The number of older versions that were dropped. */
  skipped: number;
}

/** The display names of the categories, in the order of the menu. */
const categories: Readonly<Record<string, { title: string; noun: string; many: string }>> = {
  TECHNICAL_SCHEMA: { title: "Columns", noun: "column", many: "columns" },
  DOCUMENTATION: { title: "Documentation", noun: "description", many: "descriptions" },
  TAG: { title: "Tags", noun: "tag", many: "tags" },
  GLOSSARY_TERM: { title: "Terms", noun: "term", many: "terms" },
  OWNERSHIP: { title: "Owners", noun: "owner", many: "owners" },
  DOMAIN: { title: "Domain", noun: "domain", many: "domains" },
  STRUCTURED_PROPERTY: { title: "Properties", noun: "property", many: "properties" },
  APPLICATION: { title: "Applications", noun: "application", many: "applications" },
  PARENT: { title: "Place", noun: "place", many: "places" },
  RELATED_ENTITIES: { title: "Related assets", noun: "related asset", many: "related assets" },
  ASSET_MEMBERSHIP: { title: "Assets", noun: "asset", many: "assets" },
  VERSIONING: { title: "Versions", noun: "version", many: "versions" },
};

const known = (category: string) => (Object.hasOwn(categories, category) ? categories[category] : undefined);

/** The title of a category. An unknown category keeps its own name. */
export const categoryTitle = (category: string) => known(category)?.title ?? (words(category) || "Other");

const verbs: Readonly<Record<string, string>> = { ADD: "added", MODIFY: "changed", REMOVE: "removed" };

/** The operation as a verb in the past tense. */
export const verbOf = ({ operation }: Change) => (Object.hasOwn(verbs, operation) ? (verbs[operation] ?? "") : words(operation).toLowerCase() || "changed");

const isURN = (text: string) => /^urn:li:[A-Za-z]\w*:\S/u.test(text);

// The service describes a changed value in this form: "Changed column a from INT to TEXT."
const valuesIn = (said: string) => /\bfrom (.+) to (.+)\.$/su.exec(said)?.slice(1, 3).join(" → ") ?? "";

/** A change in the response of the timeline or the change stream. */
export interface ChangeAnswer {
  category: string | null;
  operation: string | null;
  modifier: string | null;
  description?: string | null;
  parameters: readonly ({ key: string | null; value: string | null } | null)[] | null;
}

interface TimelineAnswer {
  skippedVersionCount: number | null;
  changeTransactions: readonly ({ timestampMillis: number | null; versionStamp: string | null; actor: string | null; changes: readonly (ChangeAnswer | null)[] | null } | null)[] | null;
}

/** Reads a change from the timeline. */
export function changeIn(value: ChangeAnswer): Change {
  const category = textIn(value.category);
  const operation = textIn(value.operation);
  const modifier = textIn(value.modifier);
  const said = textIn(value.description);
  const told = new Map(listIn(value.parameters).map((each) => [textIn(each.key), textIn(each.value)]));
  const link = category === "DOCUMENTATION" ? (told.get("url") ?? "") : "";
  const plain = category === "TECHNICAL_SCHEMA" || category === "DOCUMENTATION";
  return {
    category,
    operation,
    noun: link ? "link" : (known(category)?.noun ?? ""),
    urn: !plain && isURN(modifier) ? modifier : "",
    column: told.get("fieldPath") ?? "",
    detail:
      (operation === "MODIFY" && category === "TECHNICAL_SCHEMA" && valuesIn(said)) ||
      link ||
      [told.get("nativeDataType"), told.get("description"), valueText(told.get("propertyValues")), told.get("ownerType") && words(told.get("ownerType") ?? "").toLowerCase()].find(Boolean) ||
      "",
    said,
  };
}

// Values of a property are encoded as JSON.
function valueText(text: string | undefined): string {
  try {
    const values: unknown = JSON.parse(text ?? "");
    return Array.isArray(values) ? values.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(", ") : String(values);
  } catch {
    return text ?? "";
  }
}

/** Reads a timeline response. */
export function historyIn(answer: { getTimeline?: TimelineAnswer | null } | null): History {
  const told = answer?.getTimeline;
  const transactions = listIn(told?.changeTransactions).flatMap((each, index) => {
    const changes = listIn(each.changes).map(changeIn);
    const actor = textIn(each.actor);
    return changes.length > 0 ? [{ key: `${textIn(each.timestampMillis)} ${actor} ${index}`, at: timeIn(each.timestampMillis), actor, schemaVersion: changes.some(({ category }) => category === "TECHNICAL_SCHEMA") ? schemaVersionIn(each.versionStamp) : undefined, changes }] : [];
  });
  // The service returns the oldest first, also for transactions with equal times.
  return { transactions: transactions.toReversed().toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)), skipped: numberIn(told?.skippedVersionCount) ?? 0 };
}

/** The number of changes per category; known categories come first, in menu order. */
export function countsOf(transactions: readonly Transaction[]): { category: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { category } of transactions.flatMap(({ changes }) => changes)) {
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const order = Object.keys(categories);
  const place = (category: string) => (order.includes(category) ? order.indexOf(category) : order.length);
  return [...counts].map(([category, count]) => ({ category, count })).toSorted((a, b) => place(a.category) - place(b.category) || a.category.localeCompare(b.category));
}

export type By = "all" | "people" | "programs";

/** Reports whether an actor is the system, a service account, or not a user. */
export const isProgram = (actor: string) => actor === "urn:li:corpuser:__datahub_system" || actor.startsWith("urn:li:corpuser:service_") || (actor !== "" && !actor.startsWith("urn:li:corpuser:"));

const madeBy: Readonly<Record<By, (actor: string) => boolean>> = {
  all: () => true,
  people: (actor) => actor !== "" && !isProgram(actor),
  programs: isProgram,
};

/** Filters transactions by actor kind, and their changes by category and text. */
export function keptOf(transactions: readonly Transaction[], { category, text, by }: { category: string; text: string; by: By }, nameOf: (urn: string) => string): Transaction[] {
  const sought = text.trim().toLowerCase();
  const has = (change: Change, actor: string) =>
    sought === "" || [change.said, change.detail, change.column, change.urn && nameOf(change.urn), actor && nameOf(actor), categoryTitle(change.category)].join(" ").toLowerCase().includes(sought);
  return transactions.flatMap((each) => {
    const changes = each.changes.filter((change) => madeBy[by](each.actor) && (category === "" || change.category === category) && has(change, each.actor));
    return changes.length > 0 ? [{ ...each, changes }] : [];
  });
}

/** Summarizes changes in a sentence: "added 9 columns and 3 tags, removed 1 owner". */
export function summaryOf(changes: readonly Change[]): string {
  const verbed = new Map<string, Map<string, number>>();
  for (const change of changes) {
    const nouns = verbed.get(verbOf(change)) ?? new Map<string, number>();
    const noun = change.noun || "other part";
    nouns.set(noun, (nouns.get(noun) ?? 0) + 1);
    verbed.set(verbOf(change), nouns);
  }
  const many = new Map(Object.values(categories).map((each) => [each.noun, each.many]));
  return [...verbed].map(([verb, nouns]) => `${verb} ${listed([...nouns].map(([noun, n]) => counted(n, noun, many.get(noun))))}`).join(", ");
}

const listed = (items: readonly string[]) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : (items[0] ?? ""));

/** Describes a change in a plain sentence, for lists without icons. */
export function sentenceOf(change: Change, nameOf: (urn: string) => string): string {
  const { noun, urn, column, said, operation } = change;
  if (!noun) {
    return said || `${verbOf(change)} something`;
  }
  const preposition = operation === "ADD" ? "to" : operation === "REMOVE" ? "from" : "of";
  const columnText = change.category === "TECHNICAL_SCHEMA" ? ` ${column}` : column ? ` ${noun === "description" ? "of" : preposition} ${column}` : "";
  return `${verbOf(change)} the ${noun}${urn ? ` ${nameOf(urn)}` : ""}${columnText}`;
}

/** Groups items with a time, such as transactions, by day. */
export function byDay<T extends { at: number | undefined }>(list: readonly T[]): { day: string; at: number | undefined; of: T[] }[] {
  const days = new Map<string, { day: string; at: number | undefined; of: T[] }>();
  for (const each of list) {
    const day = each.at === undefined ? "" : new Date(each.at).toDateString();
    const found = days.get(day) ?? { day, at: each.at, of: [] };
    found.of.push(each);
    days.set(day, found);
  }
  return [...days.values()];
}
