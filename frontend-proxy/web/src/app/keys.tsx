import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "wouter";

import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { foot, groups, type Place } from "./places";
import { useSession } from "./session";
import styles from "./shell.module.css";

const places: readonly Place[] = [...groups.flatMap((group) => group.places), ...foot];

// Keys without a modifier belong to fields, where there are any.
const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !target.matches('[type="radio"], [type="checkbox"]');

/** Listens for the keys that work on every page. */
export function useKeys(showHelp: () => void) {
  const [, go] = useLocation();
  const { may } = useSession();
  const pending = useRef(0); // until when the key after g counts
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

/** Lists the keys. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { may } = useSession();
  return (
    <Dialog title="Keys" onClose={onClose} size={420} actions={<Button onClick={onClose}>Close</Button>}>
      <dl className={styles["keys"]}>
        <Keys keys={["/", "Ctrl K"]} does="Search the catalog" />
        {places
          .filter(({ key, shown }) => key && (!shown || shown(may)))
          .map(({ key, name }) => (
            <Keys key={name} keys={["g", key ?? ""]} does={name} />
          ))}
        <Keys keys={["j", "k"]} does="Go through the results of a search" />
        <Keys keys={["x"]} does="Tick a result" />
        <Keys keys={["Esc"]} does="Close what is open, or empty the find field" />
        <Keys keys={["?"]} does="This list" />
      </dl>
    </Dialog>
  );
}

function Keys({ keys, does }: { keys: string[]; does: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}
