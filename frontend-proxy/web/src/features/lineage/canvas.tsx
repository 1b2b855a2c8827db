import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import styles from "./lineage.module.css";

/** The viewport: the position of the canvas origin in the window, and the scale. */
export interface Sight {
  x: number;
  y: number;
  zoom: number;
}

const least = 0.1;
const utmost = 2;

/** Zooms the viewport by a factor around a fixed point of the window. */
export function zoomed({ x, y, zoom }: Sight, by: number, at: { x: number; y: number }): Sight {
  const next = Math.min(utmost, Math.max(least, zoom * by));
  return { x: at.x - ((at.x - x) / zoom) * next, y: at.y - ((at.y - y) / zoom) * next, zoom: next };
}

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The visible area of the canvas. */
export const areaOf = ({ x, y, zoom }: Sight, { width, height }: { width: number; height: number }, around = 0): Area => ({
  left: (-x - around) / zoom,
  top: (-y - around) / zoom,
  right: (width - x + around) / zoom,
  bottom: (height - y + around) / zoom,
});

/** The size of an element after layout. */
export function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) {
      return;
    }
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [ref, size] as const;
}

interface Props {
  ground: ReturnType<typeof useSize>[0];
  sight: Sight;
  /** Animates the viewport, unless the user prefers reduced motion. */
  smooth: boolean;
  onSight: (change: (before: Sight) => Sight) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Called when the user interacts with the canvas. */
  onTouch: () => void;
  children: ReactNode;
  beside: ReactNode;
}

// A pointer movement below this distance is a click.
const slack = 4;

/** A canvas with panning by dragging, and with zooming by Ctrl and wheel or by two fingers. */
export function Ground({ ground, sight, smooth, onSight, onKeyDown, onTouch, children, beside }: Props) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(false);

  const wheel = useCallback(
    (event: WheelEvent) => {
      // The wheel alone scrolls the page, because the page is longer than the graph.
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
        const at = { x: event.clientX - box.left, y: event.clientY - box.top };
        onSight((before) => zoomed(before, Math.exp(-event.deltaY * 0.002), at));
      }
    },
    [onSight],
  );
  useEffect(() => {
    const element = ground.current;
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, [ground, wheel]);

  const down = (event: PointerEvent) => {
    if (event.button === 0) {
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      dragged.current = false;
    }
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const from = fingers.current.get(event.pointerId);
    const to = { x: event.clientX, y: event.clientY };
    if (!from || (!dragged.current && Math.hypot(to.x - from.x, to.y - from.y) < slack)) {
      return;
    }
    if (!dragged.current) {
      dragged.current = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, to);
    if (other) {
      const box = event.currentTarget.getBoundingClientRect();
      const by = Math.hypot(to.x - other.x, to.y - other.y) / Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));
      onSight((before) => zoomed(before, by, { x: other.x - box.left, y: other.y - box.top }));
    } else {
      onSight((before) => ({ ...before, x: before.x + to.x - from.x, y: before.y + to.y - from.y }));
    }
  };
  const up = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the buttons within, and there are buttons for what the mouse does
    <div
      className={styles["canvas"]}
      ref={ground}
      onKeyDown={onKeyDown}
      onKeyDownCapture={onTouch}
      onPointerDownCapture={onTouch}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onClickCapture={(event) => {
        // The click event at the end of a drag is suppressed.
        if (dragged.current) {
          event.stopPropagation();
          dragged.current = false;
        }
      }}
    >
      <div className={styles["ground"]} data-smooth={smooth || undefined} style={{ transform: `translate(${sight.x}px, ${sight.y}px) scale(${sight.zoom})` }}>
        {children}
      </div>
      {beside}
    </div>
  );
}
