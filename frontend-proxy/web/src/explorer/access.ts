// Whether the server lets us in, as far as its last answer tells.

import type { Credential } from "./credential";

/** Outcome of one request. challenge is the WWW-Authenticate header. */
export type Outcome =
  | { kind: "answered"; status: number; challenge: string | null; credential: Credential }
  | { kind: "unreachable" };

export type Access = "unknown" | "granted" | "signed-out" | "no-token" | "refused" | "absent" | "unavailable" | "unreachable";

/** Gives what an outcome says about access; what says nothing leaves the state before. */
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
  // Anything else was answered by GraphQL itself, to somebody it knows; 5xx may come from anywhere.
  return status < 500 ? "granted" : before;
}

// A 401 that is about a privilege concerns this operation alone, and is shown as its answer.
function isMissingPrivilege(challenge: string | null): boolean {
  return challenge !== null && /error="?insufficient_scope"?/.test(challenge);
}

/** The access of a page: noted by the fetcher, watched by bar and banner. */
export class AccessLog {
  #now: Access = "unknown";
  #credential: Credential = "none";
  readonly #watchers = new Set<() => void>();

  readonly current = (): Access => this.#now;

  /** What the last request that was answered brought in its headers. */
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

  /** Calls watcher after each change, until the function it returns is called. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}
