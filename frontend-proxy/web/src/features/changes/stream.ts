import { at, textIn, timeIn } from "../../lib/loose";

/** What changed in the catalog, without its values. */
export interface Notice {
  urn: string;
  category: string;
  actor: string;
  /** In ms since 1970. */
  at: number;
  /** Whether who looks at the page owns it. */
  owned: boolean;
}

/** What a stream of changes tells: one of them, that some were left out, or whether it is connected. */
export type Message = { kind: "notice"; notice: Notice } | { kind: "reset" } | { kind: "state"; up: boolean };

/** How long to wait before the server is asked again that refused a stream, in ms: each time twice as long, up to a minute. */
const firstWait = 3000;
const longestWait = 60_000;

/** The part of an EventSource that is used. */
export type Source = Pick<EventSource, "addEventListener" | "close" | "readyState">;

const closed = 2; // EventSource.CLOSED, which tests have not

/** Reads a notice; nothing of what is none. */
export function noticeIn(text: string): Notice | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const urn = textIn(at(value, "entityUrn"));
  return urn.startsWith("urn:li:") ? { urn, category: textIn(at(value, "category")), actor: textIn(at(value, "actor")), at: timeIn(at(value, "time")) ?? 0, owned: at(value, "owned") === true } : null;
}

/**
 * Follows what changes, and connects anew for as long as it is not stopped. One that takes the place of another is behind: it
 * has everything read again once it is connected.
 */
export class ChangeStream {
  #source: Source | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = firstWait;
  readonly #open: (url: string) => Source;
  #begun: boolean;
  /** Whether it is connected. */
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
        this.tell({ kind: "reset" }); // a new source does not say where the old one was
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
        return; // the browser connects anew by itself, and says where it was
      }
      source.close();
      this.#continued = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, longestWait);
    });
  }

  // Whether the source tells the server what it heard last.
  #continued = false;

  #set(up: boolean) {
    if (up !== this.up) {
      this.up = up;
      this.tell({ kind: "state", up });
    }
  }
}
