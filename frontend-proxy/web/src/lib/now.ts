import { useSyncExternalStore } from "react";

/** The refresh interval of relative times, in ms. */
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

// Without listeners there is no timer; the value is then refreshed here, so that the first reader does not
// get an old time.
function current() {
  if (timer === undefined) {
    now = Math.max(now, Date.now() - interval);
  }
  return now;
}

/** Returns the current time in ms since 1970 and rerenders the component regularly. */
export const useNow = () => useSyncExternalStore(subscribe, current);
