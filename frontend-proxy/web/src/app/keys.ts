import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "wouter";

import { places } from "../shared/navigation/places";
import { useSession } from "../shared/session/session";

// In text fields, keys without a modifier are input.
const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !target.matches('[type="radio"], [type="checkbox"]');

/** Handles the keyboard shortcuts that work on every page. */
export function useKeys(showHelp: () => void) {
  const [, go] = useLocation();
  const { may } = useSession();
  const pending = useRef(0); // the event time until which a key after g counts
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('[role="dialog"]')) {
      return;
    }
    const command = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (typing(event.target) && !command) {
      return;
    }
    if (event.key === "/" || command) {
      const field = document.querySelector<HTMLInputElement>('[data-find="catalog"]');
      if (field) {
        event.preventDefault();
        field.focus();
        field.select();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.timeStamp < pending.current) {
      pending.current = 0;
      const place = places.find(({ key, shown }) => key === event.key && (!shown || shown(may)));
      if (place) {
        event.preventDefault();
        go(place.path);
      }
    } else if (event.key === "g") {
      pending.current = event.timeStamp + 1500;
    } else if (event.key === "?") {
      showHelp();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
