import { useState } from "react";

const keyOf = (name: string) => `cartulary-draft ${name}`;

function stored(name: string | undefined): string | null {
  try {
    return name === undefined ? null : sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

function store(name: string | undefined, text: string | null) {
  try {
    if (name !== undefined && text !== null) {
      sessionStorage.setItem(keyOf(name), text);
    } else if (name !== undefined) {
      sessionStorage.removeItem(keyOf(name));
    }
  } catch {
    // Storage may be unavailable or full; the draft then lasts until the page is closed.
  }
}

/**
 * The text being edited, or null if the field is closed. With a name the draft survives a reload, and a
 * sign-in after the session expired. Other windows do not see it.
 */
export function useDraft(name?: string): [string | null, (text: string | null) => void] {
  const [draft, setDraft] = useState(() => stored(name));
  return [
    draft,
    (text) => {
      store(name, text);
      setDraft(text);
    },
  ];
}
