import type { QueryClient } from "@tanstack/react-query";

import { updateOptimistically } from "../../lib/optimistic";
import { change } from "../../lib/request";
import { inOrder, type Entry } from "./entry";
import { MoveEntry } from "./glossary.operations";
import { levelQuery, top, type Level } from "./levels";

/** A term or a group to move, and its current parent. */
export interface Moved {
  entry: Entry;
  from: string;
}

/** A target for a move: a group, or the top level. */
export interface Place {
  urn: string;
  name: string;
  /** The parent groups. */
  path: readonly string[];
}

/** The privileges for a move; undefined while unknown, in which case the service decides. */
export interface Rights {
  entry: boolean | undefined;
  place: boolean | undefined;
}

/** The reason why an entry cannot be moved to a target; null if it can. */
export function refusalOf({ entry, from }: Moved, place: Place, rights: Rights): string | null {
  if (place.urn === entry.urn) {
    return `${entry.name} cannot go into itself.`;
  }
  if (place.path.includes(entry.urn)) {
    return `${place.name} is in ${entry.name}, which cannot go into what it holds.`;
  }
  if (place.urn === from) {
    return from === top ? `${entry.name} is at the top already.` : `${entry.name} is in ${place.name} already.`;
  }
  if (rights.entry === false) {
    return `You need the privilege Manage Glossaries to move ${entry.name}, or Manage Direct Glossary Children on its group.`;
  }
  if (rights.place === false) {
    return place.urn === top ? "You need the privilege Manage Glossaries to move it to the top." : `You need the privilege Manage Glossaries, or Manage Direct Glossary Children on ${place.name}.`;
  }
  return null;
}

/** A copy of a level without an entry. */
export const without = (level: Level, urn: string): Level =>
  level.entries.some((each) => each.urn === urn) ? { ...level, entries: level.entries.filter((each) => each.urn !== urn), total: level.total - 1 } : level;

/** A copy of a level with an entry at its sorted position. */
export const withEntry = (level: Level, entry: Entry): Level => (level.entries.some(({ urn }) => urn === entry.urn) ? level : { ...level, entries: inOrder([...level.entries, entry]), total: level.total + 1 });

/**
 * Moves an entry with an optimistic update of both levels. If the service rejects the move, both updates are rolled
 * back.
 */
export async function move(queries: QueryClient, { entry, from }: Moved, to: string): Promise<void> {
  const send = afterTurns(2, () => change(MoveEntry, { input: { resourceUrn: entry.urn, ...(to === top ? {} : { parentNode: to }) } }));
  await Promise.all([
    updateOptimistically<Level>(queries, { queryKey: levelQuery(from).queryKey, expected: (level) => without(level, entry.urn), act: send }),
    updateOptimistically<Level>(queries, { queryKey: levelQuery(to).queryKey, expected: (level) => withEntry(level, entry), act: send, invalidated: ["glossary"] }),
  ]);
}

// Runs an action once after the given number of calls. Then the change is the next in the queue of every response
// that it updates.
function afterTurns(turns: number, act: () => Promise<unknown>): () => Promise<unknown> {
  let begin: (() => void) | undefined;
  const done = new Promise<void>((resolve) => {
    begin = resolve;
  }).then(act);
  let called = 0;
  return () => {
    called++;
    if (called === turns) {
      begin?.();
    }
    return done;
  };
}
