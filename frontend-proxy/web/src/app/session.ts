import { useQuery } from "@tanstack/react-query";

import { address, base } from "../lib/base";
import { run } from "../lib/request";
import { keyOf } from "../lib/text";
import { Frame, type FrameQuery } from "./frame.operations";

export type Privileges = NonNullable<FrameQuery["me"]>["platformPrivileges"];
export type Privilege = keyof Privileges;

/** Who uses the page, what they may do in the catalog as a whole, and how the catalog is set up. */
export interface Session {
  urn: string;
  username: string;
  name: string;
  may: Privileges;
  /** What the organisation calls its catalog. */
  title: string;
  version: string;
  tokensOn: boolean;
}

const frameKey = ["frame"];

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
  const here = location.pathname.slice(base.length) + location.search + location.hash;
  return address(here === "/" || here.startsWith("/login") ? "/login" : `/login?redirect_uri=${encodeURIComponent(here)}`);
}

let leaving = false;

/** Goes to the sign-in page once, whatever number of requests found that the session has ended. */
export function leaveForSignIn() {
  if (!leaving && !location.pathname.slice(base.length).startsWith("/login")) {
    leaving = true;
    location.assign(signInAddress());
  }
}
