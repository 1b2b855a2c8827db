import { useEffect, useState } from "react";

import { Sign } from "../components/sign";
import type { Access } from "./access";
import type { Credential } from "./credential";

interface Props {
  /** The GraphQL endpoint. */
  address: URL;
  /** The home page of the catalog, or null if there is none. */
  home: string | null;
  access: Access;
  /** The credential in the headers of the last request. */
  credential: Credential;
}

/** The bar above the editor: the link to the catalog, and the current user. */
export function Bar({ address, home, access, credential }: Props) {
  const ours = access === "granted" && credential === "none";
  const name = useName(address, ours);
  return (
    <header className="bar">
      {home === null ? (
        <span className="bar-mark">
          <Sign /> Cartulary
        </span>
      ) : (
        <a className="bar-mark" href={home} aria-label="Cartulary, home">
          <Sign /> Cartulary
        </a>
      )}
      <span className="bar-what">GraphQL explorer</span>
      <span className="bar-who" role="status">
        {ours && name !== null && `Signed in as ${name}`}
        {access === "granted" && credential === "given" && (home === null ? "The header is used" : "The header is used, not your session")}
      </span>
    </header>
  );
}

// The name of the user of the session, once it is known.
function useName(address: URL, known: boolean): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    if (!known) {
      return;
    }
    const end = new AbortController();
    fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ me { corpUser { username editableProperties { displayName } properties { displayName fullName } } } }" }),
      signal: end.signal,
    })
      .then((answer) => answer.json())
      .then((answer: unknown) => setName(nameIn(answer)))
      .catch(() => undefined); // the banner reports errors
    return () => end.abort();
  }, [address, known]);
  return name;
}

interface Me {
  data?: {
    me?: { corpUser?: { username?: string; editableProperties?: Names; properties?: Names } | null } | null;
  } | null;
}
type Names = { displayName?: string | null; fullName?: string | null } | null;

/** The display name of the user in a response, by the same rules as in the other pages; null if it contains none. */
export function nameIn(answer: unknown): string | null {
  const user = (answer as Me | null)?.data?.me?.corpUser;
  return user?.editableProperties?.displayName || user?.properties?.displayName || user?.properties?.fullName || user?.username || null;
}
