import { useSyncExternalStore } from "react";

/** The height of table rows. */
export type Density = "roomy" | "compact";

const key = "cartulary-density"; // public/scheme.js reads it before the first paint
const attribute = "density";
const listeners = new Set<() => void>();

const current = (): Density => (document.documentElement.dataset[attribute] === "compact" ? "compact" : "roomy");

/** Sets the row height for this browser. */
export function setDensity(density: Density) {
  if (density === "compact") {
    document.documentElement.dataset[attribute] = density;
  } else {
    delete document.documentElement.dataset[attribute];
  }
  try {
    localStorage.setItem(key, density);
  } catch {
    // Storage may be unavailable; the setting then lasts until the page is closed.
  }
  for (const tell of listeners) {
    tell();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The row height of this browser. */
export const useDensity = () => useSyncExternalStore(subscribe, current);
