import { useSyncExternalStore } from "react";

// The key contains the user, because several users can share a browser.
const keyOf = (person: string) => `cartulary-changes-seen-${person}`;

const listeners = new Set<() => void>();
const unsaved = new Map<string, number>(); // for browsers without access to localStorage

/**
 * The time, in ms since 1970, up to which a user has seen the changes in this browser; undefined before the first
 * visit.
 */
export function seenUntil(person: string): number | undefined {
  try {
    const text = localStorage.getItem(keyOf(person));
    const at = Number(text);
    return text !== null && Number.isFinite(at) && at >= 0 ? at : unsaved.get(person);
  } catch {
    return unsaved.get(person);
  }
}

/** Records the time up to which a user has seen the changes. */
export function markSeen(person: string, at: number) {
  unsaved.set(person, at);
  try {
    localStorage.setItem(keyOf(person), String(at));
  } catch {
    // Without storage, the value lasts until the page is closed.
  }
  for (const tell of listeners) {
    tell();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener("storage", listener); // fired by other windows
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** The time up to which a user has seen the changes. The component renders again when it advances. */
export const useSeen = (person: string) => useSyncExternalStore(subscribe, () => seenUntil(person));
