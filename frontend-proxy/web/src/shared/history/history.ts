import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { counted, words } from "../../lib/text";
import { schemaVersionIn } from "../schema/versions";

/** One change of an asset or of a column of it. */
export interface Change {
  /** What it is about, as the service spells it. */
  category: string;
  operation: string;
  /** The noun of what changed; empty where only the service's own sentence tells. */
  noun: string;
  /** What was put on, taken off or changed, where that is a thing of the catalog. */
  urn: string;
  column: string;
  /** More of it: a type, a text, an address. */
  detail: string;
  /** What the service says of it. */
  said: string;
}

/** What one actor changed at one moment. */
export interface Transaction {
  key: string;
  at: number | undefined;
  actor: string;
  /** The number of the schema version that its changes of columns made. */
  schemaVersion: number | undefined;
  changes: readonly Change[];
}

export interface History {
  /** The newest first. */
  transactions: readonly Transaction[];
  /** How many versions were dropped before these. */
  skipped: number;
}

/** What changes are about, in the words of people, in the order in which they are offered. */
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

/** What a category is called, one that is not known by its own letters. */
export const categoryTitle = (category: string) => known(category)?.title ?? (words(category) || "Other");

const verbs: Readonly<Record<string, string>> = { ADD: "added", MODIFY: "changed", REMOVE: "removed" };

/** What was done, as a verb in the past. */
export const verbOf = ({ operation }: Change) => (Object.hasOwn(verbs, operation) ? (verbs[operation] ?? "") : words(operation).toLowerCase() || "changed");

const isURN = (text: string) => /^urn:li:[A-Za-z]\w*:\S/u.test(text);

// A change of a value is told by the service: "Changed column a from INT to TEXT."
const valuesIn = (said: string) => /\bfrom (.+) to (.+)\.$/su.exec(said)?.slice(1, 3).join(" → ") ?? "";

/** A change as the timeline and the stream of changes have it. */
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

/** Reads one change, as the timeline tells it. */
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

// The values of a property come as JSON.
function valueText(text: string | undefined): string {
  try {
    const values: unknown = JSON.parse(text ?? "");
    return Array.isArray(values) ? values.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(", ") : String(values);
  } catch {
    return text ?? "";
  }
}

/** Reads an answer with a timeline. */
export function historyIn(answer: { getTimeline?: TimelineAnswer | null } | null): History {
  const told = answer?.getTimeline;
  const transactions = listIn(told?.changeTransactions).flatMap((each, index) => {
    const changes = listIn(each.changes).map(changeIn);
    const actor = textIn(each.actor);
    return changes.length > 0 ? [{ key: `${textIn(each.timestampMillis)} ${actor} ${index}`, at: timeIn(each.timestampMillis), actor, schemaVersion: changes.some(({ category }) => category === "TECHNICAL_SCHEMA") ? schemaVersionIn(each.versionStamp) : undefined, changes }] : [];
  });
  // The service tells the oldest first, also of those of one moment.
  return { transactions: transactions.toReversed().toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)), skipped: numberIn(told?.skippedVersionCount) ?? 0 };
}

/** How many changes there are of each category, known ones in their order. */
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

/** Whether an actor is the catalog itself, a service account, or no user at all. */
export const isProgram = (actor: string) => actor === "urn:li:corpuser:__datahub_system" || actor.startsWith("urn:li:corpuser:service_") || (actor !== "" && !actor.startsWith("urn:li:corpuser:"));

const madeBy: Readonly<Record<By, (actor: string) => boolean>> = {
  all: () => true,
  people: (actor) => actor !== "" && !isProgram(actor),
  programs: isProgram,
};

/** The transactions of people, of programs or of all, with those changes that are of a category and have a text. */
export function keptOf(transactions: readonly Transaction[], { category, text, by }: { category: string; text: string; by: By }, nameOf: (urn: string) => string): Transaction[] {
  const sought = text.trim().toLowerCase();
  const has = (change: Change, actor: string) =>
    sought === "" || [change.said, change.detail, change.column, change.urn && nameOf(change.urn), actor && nameOf(actor), categoryTitle(change.category)].join(" ").toLowerCase().includes(sought);
  return transactions.flatMap((each) => {
    const changes = each.changes.filter((change) => madeBy[by](each.actor) && (category === "" || change.category === category) && has(change, each.actor));
    return changes.length > 0 ? [{ ...each, changes }] : [];
  });
}

/** Many changes in a sentence: "added 9 columns and 3 tags, removed 1 owner". */
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

/** A change as a plain sentence, for lists without pictures. */
export function sentenceOf(change: Change, nameOf: (urn: string) => string): string {
  const { noun, urn, column, said, operation } = change;
  if (!noun) {
    return said || `${verbOf(change)} something`;
  }
  const preposition = operation === "ADD" ? "to" : operation === "REMOVE" ? "from" : "of";
  const columnText = change.category === "TECHNICAL_SCHEMA" ? ` ${column}` : column ? ` ${noun === "description" ? "of" : preposition} ${column}` : "";
  return `${verbOf(change)} the ${noun}${urn ? ` ${nameOf(urn)}` : ""}${columnText}`;
}

/** What has a time, such as transactions, by its days. */
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
