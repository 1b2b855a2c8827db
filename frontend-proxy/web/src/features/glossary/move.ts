import type { QueryClient } from "@tanstack/react-query";

import { updateOptimistically } from "../../lib/optimistic";
import { change } from "../../lib/request";
import { inOrder, type Entry } from "./entry";
import { MoveEntry } from "./glossary.operations";
import { levelQuery, top, type Level } from "./levels";

/** A term or group that is moved, and the group it lies in. */
export interface Moved {
  entry: Entry;
  from: string;
}

/** Where something can be moved: a group, or the top level. */
export interface Place {
  urn: string;
  name: string;
  /** The groups above it. */
  path: readonly string[];
}

/** What the service says of a move; absent while it is not known, which is then left to the service. */
export interface Rights {
  entry: boolean | undefined;
  place: boolean | undefined;
}

/** Why an entry cannot be moved to a place, null where it can. */
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

/** A level without an entry. */
export const without = (level: Level, urn: string): Level =>
  level.entries.some((each) => each.urn === urn) ? { ...level, entries: level.entries.filter((each) => each.urn !== urn), total: level.total - 1 } : level;

/** A level with an entry, in its place among the others. */
export const withEntry = (level: Level, entry: Entry): Level => (level.entries.some(({ urn }) => urn === entry.urn) ? level : { ...level, entries: inOrder([...level.entries, entry]), total: level.total + 1 });

/** Moves an entry, which is shown at once in both levels and taken back in both when it is refused. */
export async function move(queries: QueryClient, { entry, from }: Moved, to: string): Promise<void> {
  const send = afterTurns(2, () => change(MoveEntry, { input: { resourceUrn: entry.urn, ...(to === top ? {} : { parentNode: to }) } }));
  await Promise.all([
    updateOptimistically<Level>(queries, { queryKey: levelQuery(from).queryKey, expected: (level) => without(level, entry.urn), act: send }),
    updateOptimistically<Level>(queries, { queryKey: levelQuery(to).queryKey, expected: (level) => withEntry(level, entry), act: send, invalidated: ["glossary"] }),
  ]);
}

// Acts once it was called so many times, which is when the change is the next one of each answer that it alters.
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
