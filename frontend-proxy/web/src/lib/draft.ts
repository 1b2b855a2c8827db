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
    // Storage may be closed or full; the text is then kept as long as the page.
  }
}

/**
 * A text that somebody writes, null while they do not. With a name it is still there after a reload, and after a
 * sign-in when the session ended in the middle; other windows do not see it.
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
