import { useSyncExternalStore } from "react";

let up: boolean | undefined;
const listeners = new Set<() => void>();

/** Notes whether changes come in by themselves. */
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

/** Whether changes come in by themselves; undefined before that is known. */
export const useLive = () => useSyncExternalStore(subscribe, () => up);
