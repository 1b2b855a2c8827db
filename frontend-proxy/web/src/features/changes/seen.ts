import { useSyncExternalStore } from "react";

// What one person saw is nothing to the next at the same browser.
const keyOf = (person: string) => `cartulary-changes-seen-${person}`;

const listeners = new Set<() => void>();
const unsaved = new Map<string, number>(); // where the storage is closed to us

/** Up to which moment a person has seen the changes, in ms since 1970, in this browser; undefined for the first time. */
export function seenUntil(person: string): number | undefined {
  try {
    const text = localStorage.getItem(keyOf(person));
    const at = Number(text);
    return text !== null && Number.isFinite(at) && at >= 0 ? at : unsaved.get(person);
  } catch {
    return unsaved.get(person);
  }
}

/** Notes up to which moment somebody has seen them. */
export function markSeen(person: string, at: number) {
  unsaved.set(person, at);
  try {
    localStorage.setItem(keyOf(person), String(at));
  } catch {
    // It holds until the page is left.
  }
  for (const tell of listeners) {
    tell();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener("storage", listener); // from other windows
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** Up to when a person has seen the changes, with a new rendering when that moves on. */
export const useSeen = (person: string) => useSyncExternalStore(subscribe, () => seenUntil(person));
