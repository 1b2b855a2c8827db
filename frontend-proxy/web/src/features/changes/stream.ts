import { textIn, timeIn } from "../../lib/answer";

/** A change in the catalog, without values. */
export interface Notice {
  urn: string;
  category: string;
  actor: string;
  /** In ms since 1970. */
  at: number;
  /** Whether the current user owns the entity. */
  owned: boolean;
}

/** A message of the change stream: a change, dropped changes, or the connection state. */
export type Message = { kind: "notice"; notice: Notice } | { kind: "reset" } | { kind: "state"; up: boolean };

/** The initial and the maximum delay before a reconnection after a refusal, in ms. The delay doubles each time. */
const firstWait = 3000;
const longestWait = 60_000;

/** The part of EventSource that the stream uses. */
export type Source = Pick<EventSource, "addEventListener" | "close" | "readyState">;

const closed = 2; // EventSource.CLOSED, which is missing in tests

// The JSON text of an event.
interface Event {
  entityUrn?: string | null;
  category?: string | null;
  actor?: string | null;
  time?: number | null;
  owned?: boolean | null;
}

/** Reads a notice; null for invalid text. */
export function noticeIn(text: string): Notice | null {
  let value: Event | null;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const urn = textIn(value?.entityUrn);
  return urn.startsWith("urn:li:") ? { urn, category: textIn(value?.category), actor: textIn(value?.actor), at: timeIn(value?.time) ?? 0, owned: value?.owned === true } : null;
}

/**
 * Subscribes to changes and reconnects until it is stopped. A stream with behind set replaces an earlier one and
 * therefore sends a reset once it is connected.
 */
export class ChangeStream {
  #source: Source | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = firstWait;
  readonly #open: (url: string) => Source;
  #begun: boolean;
  /** Whether the stream is connected. */
  up = false;

  constructor(
    private readonly url: string,
    private readonly tell: (message: Message) => void,
    { open = (address) => new EventSource(address), behind = false }: { open?: (url: string) => Source; behind?: boolean } = {},
  ) {
    this.#open = open;
    this.#begun = behind;
    this.#connect();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #connect() {
    const source = this.#open(this.url);
    this.#source = source;
    source.addEventListener("open", () => {
      if (this.#begun && !this.#continued) {
        this.tell({ kind: "reset" }); // a new source does not send the last event id
      }
      this.#begun = true;
      this.#continued = true;
      this.#wait = firstWait;
      this.#set(true);
    });
    source.addEventListener("change", ({ data }: MessageEvent) => {
      const notice = noticeIn(String(data));
      if (notice) {
        this.tell({ kind: "notice", notice });
      }
    });
    source.addEventListener("reset", () => this.tell({ kind: "reset" }));
    source.addEventListener("error", () => {
      this.#set(false);
      if (source.readyState !== closed) {
        return; // the browser reconnects by itself and sends the last event id
      }
      source.close();
      this.#continued = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, longestWait);
    });
  }

  // Whether the source sends the last event id to the server.
  #continued = false;

  #set(up: boolean) {
    if (up !== this.up) {
      this.up = up;
      this.tell({ kind: "state", up });
    }
  }
}
