import { useQuery } from "@tanstack/react-query";

import { address, base } from "../../lib/base";
import { run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { Frame, type FrameQuery } from "./frame.operations";

export type Privileges = NonNullable<FrameQuery["me"]>["platformPrivileges"];
export type Privilege = keyof Privileges;

/** Who uses the page, what they may do in the catalog as a whole, and how the catalog is set up. */
export interface Session {
  urn: string;
  username: string;
  name: string;
  /** The groups they are in, what they own through which they own, too. */
  groups: readonly string[];
  /** The view that narrows their searches where an address names none; empty for none. */
  usualView: string;
  may: Privileges;
  /** What the organisation calls its catalog. */
  title: string;
  version: string;
  tokensOn: boolean;
}

/** The name of the answer that a session is read from. */
export const frameKey = ["frame"];

async function read(signal: AbortSignal): Promise<Session> {
  const { data } = await run(Frame, {}, signal);
  const user = data.me?.corpUser;
  const config = data.appConfig;
  const may = data.me?.platformPrivileges;
  const username = user?.username ?? "";
  return {
    urn: user?.urn ?? "",
    username,
    name: user?.editableProperties?.displayName || user?.properties?.displayName || user?.properties?.fullName || username || keyOf(user?.urn ?? ""),
    groups: (user?.groups?.relationships ?? []).flatMap(({ entity }) => (entity ? [entity.urn] : [])),
    usualView: user?.settings?.views?.defaultView?.urn ?? "",
    may: (may ?? {}) as Privileges,
    title: config?.visualConfig?.appTitle || "Cartulary",
    version: config?.appVersion ?? "",
    tokensOn: config?.authConfig?.tokenAuthEnabled ?? false,
  };
}

export const useSessionQuery = () => useQuery({ queryKey: frameKey, queryFn: ({ signal }) => read(signal), staleTime: 5 * 60_000 });

/** The session of a page that is shown within the frame, where it is known. */
export function useSession(): Session {
  const { data } = useSessionQuery();
  if (!data) {
    throw new Error("there is no session yet");
  }
  return data;
}

/** The address of the sign-in page that leads back to here. */
export function signInAddress(): string {
  const page = location.pathname.slice(base.length) + location.search + location.hash;
  return address(page === "/" || page.startsWith("/login") ? "/login" : `/login?redirect_uri=${encodeURIComponent(address(page))}`);
}

let leaving = false;

const farewellKey = "cartulary-signed-out-everywhere";

/**
 * Goes to the sign-in page by way of the sign-out, which makes the browser forget the session. That all sessions have
 * ended is told by this window alone: an address could be written by anybody.
 */
export function leaveAfterSigningOutEverywhere() {
  leaving = true;
  sessionStorage.setItem(farewellKey, "1");
  location.assign(address("/logOut"));
}

/** Whether this window has just signed out everywhere. */
export const isSignedOutEverywhere = () => sessionStorage.getItem(farewellKey) !== null;

/** Forgets that, once it was told. */
export const forgetSigningOutEverywhere = () => sessionStorage.removeItem(farewellKey);

/** Goes to the sign-in page once, whatever number of requests found that the session has ended. */
export function leaveForSignIn() {
  if (!leaving && !location.pathname.slice(base.length).startsWith("/login")) {
    leaving = true;
    location.assign(signInAddress());
  }
}
