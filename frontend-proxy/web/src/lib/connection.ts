import { useSyncExternalStore } from "react";

/** The state of the connection to the catalog: available, no network on this machine, or no response from the server. */
export interface Connection {
  state: "up" | "offline" | "away";
  /** The time of the last response, in ms since 1970. */
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

/** Records that a response arrived from the catalog. */
export const heard = () => set("up", Date.now());

/** Records that a request got no response, and whether the browser is offline. */
export const missed = () => set(navigator.onLine ? "away" : "offline");

addEventListener("offline", () => set("offline"));
addEventListener("online", () => {
  if (current.state === "offline") {
    set("away"); // until the first response
  }
});

export function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const connection = () => current;

/** Returns the connection and rerenders the component when its state changes. */
export const useConnection = () => useSyncExternalStore(subscribe, connection);
