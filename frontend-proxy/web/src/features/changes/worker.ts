// A shared worker with one stream for all windows of a browser. It ends with the last window.
import { ChangeStream, type Message } from "./stream";

/** A message of a window: it subscribes with the address of the stream, or it unsubscribes. */
export type Said = { kind: "listen"; url: string } | { kind: "leave" };

const ports = new Set<MessagePort>();
let stream: ChangeStream | undefined;

const tell = (message: Message) => {
  for (const port of ports) {
    port.postMessage(message);
  }
};

function hear(port: MessagePort, said: Said) {
  if (said.kind === "listen") {
    ports.add(port);
    stream ??= new ChangeStream(said.url, tell);
    port.postMessage({ kind: "state", up: stream.up } satisfies Message);
    return;
  }
  ports.delete(port);
  if (ports.size === 0) {
    stream?.stop();
    stream = undefined;
  }
}

globalThis.addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) {
    port.addEventListener("message", ({ data }: MessageEvent<Said>) => hear(port, data));
    port.start();
  }
});
