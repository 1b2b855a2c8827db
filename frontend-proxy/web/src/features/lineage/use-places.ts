import { useEffect, useMemo, useRef, useState } from "react";

import { mostAtOnce, placesOf, type Places, type Task } from "./layout";

interface Placed {
  task: Task;
  places: Places;
}

/**
 * The positions of boxes. Small graphs are computed synchronously, large ones by a worker. The result is null until
 * the worker responds.
 */
export function usePlaces(task: Task): Places | null {
  const many = task.boxes.length > mostAtOnce && typeof Worker !== "undefined";
  const here = useMemo(() => (many ? null : placesOf(task)), [task, many]);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const worker = useRef<Worker | null>(null);
  const asked = useRef(0);
  useEffect(() => {
    if (!many) {
      return;
    }
    worker.current ??= new Worker(new URL("layout.worker.ts", import.meta.url), { type: "module" });
    const id = ++asked.current;
    const busy = worker.current;
    const answered = ({ data }: MessageEvent<{ id: number; places: Places }>) => {
      if (data.id === id) {
        setPlaced({ task, places: data.places });
      }
    };
    // Without the worker, the layout is computed on the main thread, which is slower.
    const failed = () => setPlaced({ task, places: placesOf(task) });
    busy.addEventListener("message", answered);
    busy.addEventListener("error", failed);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    busy.postMessage({ id, task });
    return () => {
      busy.removeEventListener("message", answered);
      busy.removeEventListener("error", failed);
    };
  }, [task, many]);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );
  return here ?? (placed?.task === task ? placed.places : null);
}
