import { useSyncExternalStore } from "react";

/** How high the rows of tables are. */
export type Density = "roomy" | "compact";

const key = "cartulary-density"; // public/scheme.js reads it before anything is painted
const attribute = "density";
const listeners = new Set<() => void>();

const current = (): Density => (document.documentElement.dataset[attribute] === "compact" ? "compact" : "roomy");

/** Changes the height of rows, in this browser alone. */
export function setDensity(density: Density) {
  if (density === "compact") {
    document.documentElement.dataset[attribute] = density;
  } else {
    delete document.documentElement.dataset[attribute];
  }
  try {
    localStorage.setItem(key, density);
  } catch {
    // Storage may be closed to us; it holds until the page is left.
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

/** The height of rows in this browser. */
export const useDensity = () => useSyncExternalStore(subscribe, current);
