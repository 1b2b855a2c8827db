// A worker that computes layouts. use-places.ts defines its messages.
import { placesOf, type Task } from "./layout";

addEventListener("message", ({ data }: MessageEvent<{ id: number; task: Task }>) => {
  postMessage({ id: data.id, places: placesOf(data.task) });
});
