import { Menu, Tooltip, useMantineColorScheme } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { Button } from "../components/button";
import { CollapseIcon, ExpandIcon, HelpIcon, MenuIcon, SchemeIcon, SignOutIcon } from "../components/icons";
import { Letters } from "../components/parts";
import SearchField from "../shared/search/search-field";
import { Sign } from "../components/sign";
import { address } from "../lib/base";
import { Fallback, lazy } from "../lib/lazy";
import { noteViewed } from "../lib/recent";
import { ConnectionLine } from "./connection-line";
import { useKeys } from "./keys";
import { foot, groups, isHere, type Place } from "../shared/navigation/places";
import { useSession } from "../shared/session/session";
import styles from "./shell.module.css";

// Rarely used, so it is not part of the entry chunk.
const KeysHelp = lazy(async () => ({ default: (await import("./keys-help")).KeysHelp }));
const MenuDrawer = lazy(async () => ({ default: (await import("./menu-drawer")).MenuDrawer }));
// Not urgent: it is loaded after the page has been shown.
const Bell = lazy(async () => {
  await new Promise<unknown>((idle) => ("requestIdleCallback" in window ? requestIdleCallback(idle, { timeout: 3000 }) : setTimeout(idle, 500)));
  return import("../features/changes/bell");
});
const SignOutEverywhere = lazy(async () => ({ default: (await import("../shared/session/sign-out")).SignOutEverywhere }));

/** The frame of all pages for signed-in users: navigation rail, top bar and page. */
export function Shell({ children }: { children: ReactNode }) {
  const [small, setSmall] = useLocalStorage({ key: "cartulary-rail-small", defaultValue: false, getInitialValueInEffect: false });
  const [help, setHelp] = useState(false);
  const [location] = useLocation();
  const [drawerAt, setDrawerAt] = useState<string | null>(); // the drawer closes on navigation; undefined until it is first opened
  const drawer = drawerAt === location;
  const main = useRef<HTMLElement>(null);
  useKeys(() => setHelp(true));
  useViewed(location);

  // After navigation, users of keyboards and screen readers start at the top of the new page.
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current !== location) {
      shown.current = location;
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
  }, [location]);

  return (
    <>
      <a className={styles["skip"]} href="#main">
        Skip to content
      </a>
      <div className={[styles["app"], small && styles["small"]].filter(Boolean).join(" ")}>
        <nav className={styles["rail"]} aria-label="Main">
          <Places small={small} />
          <button type="button" className={`${styles["place"]} ${styles["fold"]}`} onClick={() => setSmall(!small)} aria-pressed={small}>
            {small ? <ExpandIcon size={16} stroke={1.5} aria-hidden /> : <CollapseIcon size={16} stroke={1.5} aria-hidden />}
            <span>Icons only</span>
            {small && <b className="sr">Icons only</b>}
          </button>
        </nav>
        <div className={styles["frame"]}>
          <div className={styles["top"]}>
            <span className={styles["menu"]}>
              <Button look="quiet" label="Open menu" icon={<MenuIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setDrawerAt(location)} aria-expanded={drawer} />
            </span>
            {location !== "/" && (
              <SearchField />
            )}
            <div className={styles["tools"]}>
              <span className={styles["bell"]}>
                <Fallback show={null}>
                  <Bell />
                </Fallback>
              </span>
              <span className={styles["help"]}>
                <Button look="quiet" label="Help and keys" icon={<HelpIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setHelp(true)} />
              </span>
              <span className={styles["help"]}>
                <SchemeButton />
              </span>
              <Account />
            </div>
          </div>
          <ConnectionLine />
          <main id="main" ref={main} tabIndex={-1} className={styles["main"]}>
            {children}
          </main>
        </div>
      </div>
      <Fallback show={null}>
        {drawerAt !== undefined && (
          <MenuDrawer opened={drawer} onClose={() => setDrawerAt(null)}>
            <Places small={false} />
          </MenuDrawer>
        )}
        {help && <KeysHelp onClose={() => setHelp(false)} />}
      </Fallback>
    </>
  );
}

// An address whose second segment is a URN is an asset page, which the home page lists as recently viewed.
function useViewed(location: string) {
  const { urn: me } = useSession();
  const [, second = ""] = location.split("/").filter(Boolean);
  useEffect(() => {
    const urn = decoded(second);
    if (/^urn:li:[A-Za-z]\w*:./u.test(urn)) {
      noteViewed(me, urn, Date.now());
    }
  }, [me, second]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // an invalid percent-encoding
  }
}

function Places({ small }: { small: boolean }) {
  const { may } = useSession();
  const visible = (places: readonly Place[]) => places.filter(({ shown }) => !shown || shown(may));
  return (
    <>
      <Link className={styles["brand"]} href="/" aria-label="Cartulary, home">
        <Sign />
        <span>Cartulary</span>
      </Link>
      {groups.map(({ name, places }) => {
        const all = visible(places);
        return (
          all.length > 0 && (
            <div key={name ?? ""}>
              {name && <div className={styles["group"]}>{name}</div>}
              <ul>
                {all.map((place) => (
                  <Item key={place.path} place={place} small={small} />
                ))}
              </ul>
            </div>
          )
        );
      })}
      <ul className={styles["foot"]}>
        {visible(foot).map((place) => (
          <Item key={place.path} place={place} small={small} />
        ))}
      </ul>
    </>
  );
}

function Item({ place: { name, path, icon: Icon, leaves, at }, small }: { place: Place; small: boolean }) {
  const [location] = useLocation();
  const here = path.startsWith("/settings/") ? location.startsWith("/settings/") : [path, ...(at ?? [])].some((each) => isHere(each, location));
  const inside = (
    <>
      <Icon size={16} stroke={1.5} aria-hidden />
      <span>{name}</span>
      {small && <b className="sr">{name}</b>}
    </>
  );
  const link = leaves ? (
    <a className={styles["place"]} href={address(path)} aria-label={name}>
      {inside}
    </a>
  ) : (
    <Link className={styles["place"]} href={path} aria-label={name} {...(here ? { "aria-current": "page" as const } : {})}>
      {inside}
    </Link>
  );
  return <li>{small ? <Tooltip label={name} position="right">{link}</Tooltip> : link}</li>;
}

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { light: "dark", dark: "auto", auto: "light" } as const;
  const names = { light: "light", dark: "dark", auto: "as the system" } as const;
  return (
    <Button
      look="quiet"
      label={`Colours: ${names[colorScheme]}. Switch to ${names[next[colorScheme]]}`}
      icon={<SchemeIcon size={16} stroke={1.5} aria-hidden />}
      onClick={() => setColorScheme(next[colorScheme])}
    />
  );
}

function Account() {
  const { name, username } = useSession();
  const [, go] = useLocation();
  const [everywhere, setEverywhere] = useState(false);
  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button" className={styles["account"]}>
            <Letters name={name} size="large" />
            <span className="sr">Account of {name}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{name === username ? name : `${name}, ${username}`}</Menu.Label>
          <Menu.Item onClick={() => go("/settings/profile")}>Profile</Menu.Item>
          <Menu.Item onClick={() => go("/settings/tokens")}>Access tokens</Menu.Item>
          <Menu.Divider />
          <Menu.Item component="a" href={address("/logOut")} leftSection={<SignOutIcon size={16} stroke={1.5} aria-hidden />}>
            Sign out
          </Menu.Item>
          <Menu.Item onClick={() => setEverywhere(true)}>Sign out everywhere</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {everywhere && (
        <Fallback show={null}>
          <SignOutEverywhere onClose={() => setEverywhere(false)} />
        </Fallback>
      )}
    </>
  );
}
