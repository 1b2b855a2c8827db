import { useQuery } from "@tanstack/react-query";

import { address, base } from "../../lib/base";
import { listIn, textIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { Frame, type FrameQuery } from "./frame.operations";

export type Privilege = keyof NonNullable<NonNullable<FrameQuery["me"]>["platformPrivileges"]>;
export type Privileges = Readonly<Partial<Record<Privilege, boolean | null>>>;

/** The current user, the user's platform privileges and the configuration of the catalog. */
export interface Session {
  urn: string;
  username: string;
  name: string;
  /** The groups of the user. Assets of a group count as owned by its members. */
  groups: readonly string[];
  /** The default search view for addresses without a view; empty for none. */
  usualView: string;
  may: Privileges;
  /** The title of the catalog as configured by the organisation. */
  title: string;
  version: string;
  tokensOn: boolean;
}

/** The query key of the response that contains the session. */
export const frameKey = ["frame"];

async function read(signal: AbortSignal): Promise<Session> {
  const { data } = await run(Frame, {}, signal);
  const user = data.me?.corpUser;
  const config = data.appConfig;
  const urn = textIn(user?.urn);
  return {
    urn,
    username: textIn(user?.username),
    name: textIn(user?.editableProperties?.displayName) || textIn(user?.properties?.displayName) || textIn(user?.properties?.fullName) || textIn(user?.username) || keyOf(urn),
    groups: listIn(user?.groups?.relationships).flatMap(({ entity }) => textIn(entity?.urn) || []),
    usualView: textIn(user?.settings?.views?.defaultView?.urn),
    may: data.me?.platformPrivileges ?? {},
    title: textIn(config?.visualConfig?.appTitle) || "Cartulary",
    version: textIn(config?.appVersion),
    tokensOn: config?.authConfig?.tokenAuthEnabled ?? false,
  };
}

export const useSessionQuery = () => useQuery({ queryKey: frameKey, queryFn: ({ signal }) => read(signal), staleTime: 5 * 60_000 });

/** The session on pages within the frame, where it is always loaded. */
export function useSession(): Session {
  const { data } = useSessionQuery();
  if (!data) {
    throw new Error("there is no session yet");
  }
  return data;
}

/** The address of the sign-in page with a redirect to the current page. */
export function signInAddress(): string {
  const page = location.pathname.slice(base.length) + location.search + location.hash;
  return address(page === "/" || page.startsWith("/login") ? "/login" : `/login?redirect_uri=${encodeURIComponent(address(page))}`);
}

let leaving = false;

const farewellKey = "cartulary-signed-out-everywhere";

/**
 * Opens the sign-in page through the sign-out endpoint, which clears the session cookie. Session storage of this
 * window, not the address, holds the fact that all sessions ended, because anybody can craft an address.
 */
export function leaveAfterSigningOutEverywhere() {
  leaving = true;
  sessionStorage.setItem(farewellKey, "1");
  location.assign(address("/logOut"));
}

/** Reports whether this window has just signed out all sessions. */
export const isSignedOutEverywhere = () => sessionStorage.getItem(farewellKey) !== null;

/** Clears the signed-out flag after its message was shown. */
export const forgetSigningOutEverywhere = () => sessionStorage.removeItem(farewellKey);

/** Opens the sign-in page once, even if several requests find the session expired. */
export function leaveForSignIn() {
  if (!leaving && !location.pathname.slice(base.length).startsWith("/login")) {
    leaving = true;
    location.assign(signInAddress());
  }
}
