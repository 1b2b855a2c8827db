import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { isHere, settings } from "../shared/navigation/places";
import { useSession } from "../shared/session/session";
import styles from "./shell.module.css";

// On narrow screens the menu is a single line that scrolls.
const showInMenu = (link: HTMLElement | null) => {
  const menu = link?.closest("nav");
  if (link && menu) {
    menu.scrollLeft = link.offsetLeft - (menu.clientWidth - link.offsetWidth) / 2;
  }
};

/** The frame of a settings page, with the settings menu. */
export function Settings({ children }: { children: ReactNode }) {
  const { may } = useSession();
  const [location] = useLocation();
  return (
    <div className={styles["split"]}>
      <nav className={styles["second"]} aria-label="Settings">
        <h2>Settings</h2>
        {settings.map(({ name, places }) => {
          const visible = places.filter(({ shown }) => !shown || shown(may));
          return (
            visible.length > 0 && (
              <div key={name}>
                <div className={styles["group"]}>{name}</div>
                <ul>
                  {visible.map((place) => (
                    <li key={place.path}>
                      <Link href={place.path} {...(isHere(place.path, location) ? { "aria-current": "page" as const, ref: showInMenu } : {})}>
                        {place.name}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            )
          );
        })}
      </nav>
      <div className="page">{children}</div>
    </div>
  );
}
