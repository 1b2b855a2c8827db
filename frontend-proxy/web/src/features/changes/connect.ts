import { address, base } from "../../lib/base";
import { ChangeStream, type Message } from "./stream";
import type { Said } from "./worker";

/**
 * Subscribes to changes through one stream for all windows of a user in this browser, because browsers limit
 * connections per server. The returned function unsubscribes.
 */
export function connect(person: string, tell: (message: Message) => void): () => void {
  const url = new URL(address("/events/changes"), location.href).href;
  const name = `cartulary-changes ${base} ${person}`;
  // Web locks require a secure context: HTTPS or localhost.
  if ("locks" in navigator && "BroadcastChannel" in window) {
    return byLeader(url, name, tell);
  }
  return "SharedWorker" in window ? byWorker(url, name, tell) : alone(url, tell);
}

function alone(url: string, tell: (message: Message) => void): () => void {
  const stream = new ChangeStream(url, tell);
  return () => stream.stop();
}

// Channels and ports have no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */

// The window with the lock opens the stream and forwards its messages to the others. When it closes, another window
// acquires the lock.
function byLeader(url: string, name: string, tell: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  let stream: ChangeStream | undefined;
  let followed = false; // another window forwarded a message earlier
  channel.addEventListener("message", ({ data }: MessageEvent<Message | { kind: "ask" }>) => {
    if (data.kind !== "ask") {
      followed = true;
      tell(data);
    } else if (stream) {
      channel.postMessage({ kind: "state", up: stream.up } satisfies Message);
    }
  });
  channel.postMessage({ kind: "ask" });
  const tellAll = (message: Message) => {
    tell(message);
    channel.postMessage(message);
  };
  const lead = () =>
    new Promise<void>((done) => {
      if (leaving.signal.aborted) {
        done();
        return;
      }
      stream = new ChangeStream(url, tellAll, { behind: followed });
      leaving.signal.addEventListener("abort", () => done());
    });
  navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined); // the window closed before it acquired the lock
  return () => {
    leaving.abort();
    stream?.stop();
    channel.close();
  };
}

function byWorker(url: string, name: string, tell: (message: Message) => void): () => void {
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name });
  const { port } = worker;
  const say = (said: Said) => port.postMessage(said);
  const listen = () => say({ kind: "listen", url });
  const leave = () => say({ kind: "leave" });
  // A window restored from the back/forward cache has missed messages.
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) {
      listen();
      tell({ kind: "reset" });
    }
  };
  port.addEventListener("message", ({ data }: MessageEvent<Message>) => tell(data));
  port.start();
  listen();
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
  return () => {
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", comeBack);
    leave();
    port.close();
  };
}
