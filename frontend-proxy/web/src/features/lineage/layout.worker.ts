// Finds places off the main thread; the messages are those of use-places.ts.
import { placesOf, type Task } from "./layout";

addEventListener("message", ({ data }: MessageEvent<{ id: number; task: Task }>) => {
  postMessage({ id: data.id, places: placesOf(data.task) });
});
