import { useSyncExternalStore } from "react";

/** What stands between this page and the catalog: nothing, the network of this machine, or the server. */
export interface Connection {
  state: "up" | "offline" | "away";
  /** When the last answer came, in ms since 1970. */
  heard: number;
}

let current: Connection = { state: navigator.onLine ? "up" : "offline", heard: Date.now() };
const listeners = new Set<() => void>();

function set(state: Connection["state"], heard = current.heard) {
  if (state === current.state && state !== "up") {
    return;
  }
  const before = current.state;
  current = { state, heard };
  if (before !== state) {
    for (const tell of listeners) {
      tell();
    }
  }
}

/** Notes that an answer came from the catalog. */
export const heard = () => set("up", Date.now());

/** Notes that none came, and why. */
export const missed = () => set(navigator.onLine ? "away" : "offline");

addEventListener("offline", () => set("offline"));
addEventListener("online", () => {
  if (current.state === "offline") {
    set("away"); // until the first answer
  }
});

export function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const connection = () => current;

/** The connection, with a new rendering when it changes. */
export const useConnection = () => useSyncExternalStore(subscribe, connection);
