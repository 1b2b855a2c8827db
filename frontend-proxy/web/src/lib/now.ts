import { useSyncExternalStore } from "react";

/** How often what tells the time is rendered anew, in ms. */
const interval = 20_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) {
      tell();
    }
  }, interval);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

// Who asks first after a while without listeners is not told an old time.
function current() {
  if (timer === undefined) {
    now = Math.max(now, Date.now() - interval);
  }
  return now;
}

/** The time in ms since 1970, with a new rendering now and then. */
export const useNow = () => useSyncExternalStore(subscribe, current);
