// The access state of the explorer, derived from the last response of the server.

import type { Credential } from "./credential";

/** The outcome of one request. challenge is the WWW-Authenticate header. */
export type Outcome =
  | { kind: "answered"; status: number; challenge: string | null; credential: Credential }
  | { kind: "unreachable" };

export type Access = "unknown" | "granted" | "signed-out" | "no-token" | "refused" | "absent" | "unavailable" | "unreachable";

/** Returns the access state after an outcome. Outcomes without information about access keep the previous state. */
export function after(before: Access, outcome: Outcome): Access {
  if (outcome.kind === "unreachable") {
    return "unreachable";
  }
  const { status, challenge, credential } = outcome;
  if (status === 401 && !isMissingPrivilege(challenge)) {
    return ({ none: "signed-out", empty: "no-token", given: "refused" } as const)[credential];
  }
  if (status === 404 || status === 405) {
    return "absent";
  }
  if (status === 502 || status === 503 || status === 504) {
    return "unavailable";
  }
  // GraphQL itself produced any other response below 500, so the actor is authenticated. A 5xx may come from
  // any server in between.
  return status < 500 ? "granted" : before;
}

// A 401 because of a missing privilege concerns a single operation; its response is shown.
function isMissingPrivilege(challenge: string | null): boolean {
  return challenge !== null && /error="?insufficient_scope"?/.test(challenge);
}

/** The access state of a page. The fetcher updates it; bar and banner watch it. */
export class AccessLog {
  #now: Access = "unknown";
  #credential: Credential = "none";
  readonly #watchers = new Set<() => void>();

  readonly current = (): Access => this.#now;

  /** The credential in the headers of the last request that got a response. */
  readonly credential = (): Credential => this.#credential;

  note(outcome: Outcome): void {
    const next = after(this.#now, outcome);
    const credential = outcome.kind === "answered" ? outcome.credential : this.#credential;
    if (next === this.#now && credential === this.#credential) {
      return;
    }
    this.#now = next;
    this.#credential = credential;
    for (const watcher of this.#watchers) {
      watcher();
    }
  }

  /** Calls watcher after each change. The returned function removes it. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}
