import { useSyncExternalStore } from "react";

let up: boolean | undefined;
const listeners = new Set<() => void>();

/** Sets whether the change stream is connected. */
export function setLive(now: boolean) {
  if (now !== up) {
    up = now;
    for (const tell of listeners) {
      tell();
    }
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Reports whether the change stream is connected; undefined until that is known. */
export const useLive = () => useSyncExternalStore(subscribe, () => up);
