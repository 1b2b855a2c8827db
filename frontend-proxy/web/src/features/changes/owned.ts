import { entriesIn, listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { send } from "../../lib/request";
import { changeIn, type Change } from "../../shared/history/history";

/** The changes of another actor to one owned entity at one time. */
export interface OwnedChange {
  key: string;
  urn: string;
  actor: string;
  at: number | undefined;
  changes: readonly Change[];
  /** The number of omitted changes of that time. */
  more: number;
}

export interface OwnedPage {
  /** Newest first. */
  changes: readonly OwnedChange[];
  /** The cursor of the next page; empty at the end. */
  next: string;
}

type List<Item> = readonly (Item | null)[] | null;

// A response, as far as the page shows it.
interface Answer {
  changes?: List<{ entityUrn?: string | null; actor?: string | null; time?: number | null; changes?: List<Written>; more?: number | null }>;
  next?: string | null;
}

interface Written {
  category?: string | null;
  operation?: string | null;
  modifier?: string | null;
  parameters?: Readonly<Record<string, string | null>> | null;
}

/** The path for reading changes of owned entities. */
export const ownedPath = ({ since, before, count }: { since?: number; before?: string; count?: number }) => {
  const asked = new URLSearchParams();
  if (since !== undefined) {
    asked.set("since", String(since));
  }
  if (before) {
    asked.set("before", before);
  }
  if (count !== undefined) {
    asked.set("count", String(count));
  }
  const text = asked.toString();
  return `/events/owned${text && `?${text}`}`;
};

export const readOwned = async (asked: { since?: number; before?: string; count?: number }, signal?: AbortSignal) => ownedIn(await send<Answer | null>(ownedPath(asked), { signal }));

const lives: Readonly<Record<string, string>> = { CREATE: "created", SOFT_DELETE: "removed", REINSTATE: "brought back", HARD_DELETE: "deleted" };

// A sentence for changes without a noun. It ends before the entity.
function saidOf(category: string, operation: string, status: string): string {
  if (category === "LIFECYCLE") {
    return Object.hasOwn(lives, operation) ? (lives[operation] ?? "") : "";
  }
  if (category === "DEPRECATION") {
    return status === "DEPRECATED" ? "marked as deprecated" : "marked as no longer deprecated";
  }
  return "";
}

function changeOf({ category, operation, modifier, parameters }: Written): Change {
  const given = new Map(entriesIn(parameters).map(([key, text]) => [key, textIn(text)]));
  given.set("description", given.get("description") || given.get("documentation") || "");
  const change = changeIn({ category: textIn(category), operation: textIn(operation), modifier: textIn(modifier), parameters: [...given].map(([key, value]) => ({ key, value })) });
  return { ...change, said: saidOf(change.category, change.operation, given.get("status") ?? ""), detail: change.detail || (change.category === "DEPRECATION" ? (given.get("note") ?? "") : "") };
}

/** Reads a response. Changes of one actor to one entity at one time are grouped. */
export function ownedIn(answer: Answer | null | undefined): OwnedPage {
  const changes: OwnedChange[] = [];
  for (const each of listIn(answer?.changes)) {
    const urn = textIn(each.entityUrn);
    if (!urn.startsWith("urn:li:")) {
      continue;
    }
    const [actor, time] = [textIn(each.actor), timeIn(each.time)];
    const told = listIn(each.changes).map(changeOf);
    const more = numberIn(each.more) ?? 0;
    const last = changes.at(-1);
    if (last && last.urn === urn && last.actor === actor && last.at === time) {
      // Later changes come first.
      changes[changes.length - 1] = { ...last, changes: [...told, ...last.changes], more: last.more + more };
    } else {
      changes.push({ key: `${time ?? ""} ${urn} ${actor} ${changes.length}`, urn, actor, at: time, changes: told, more });
    }
  }
  return { changes, next: textIn(answer?.next) };
}

/** The number of changes newer than the last seen one. */
export const newerThan = (changes: readonly OwnedChange[], seen: number) => changes.filter(({ at: time }) => (time ?? 0) > seen).length;
