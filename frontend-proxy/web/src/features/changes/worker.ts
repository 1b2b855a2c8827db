// One stream for all windows of a browser. It ends with the last of them.
import { ChangeStream, type Message } from "./stream";

/** What a window says: that it listens, and at which address, or that it has gone. */
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
