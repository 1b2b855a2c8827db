import { createContext, createElement, useContext, useLayoutEffect, useState, type ComponentType, type ReactNode } from "react";

/** A component in a chunk of its own. */
export type Lazy<P extends object = object> = ComponentType<P> & {
  /** Loads it before it is shown. A failure is told where it is shown. */
  preload: () => void;
};

const Shown = createContext<ReactNode>(null);

/** What stands in the place of lazy components inside while they load. */
export function Fallback({ show, children }: { show: ReactNode; children: ReactNode }) {
  return <Shown value={show}>{children}</Shown>;
}

/**
 * A component that is loaded when it is first shown. It does not suspend, as React's own does: React shows nothing new for
 * 300 ms after each fallback, so that a page of three chunks, one inside the other, would take a second for files that
 * have long been there. A failure is thrown to the boundary around it, and showing the component again tries again.
 */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;

  const begin = () =>
    (loading ??= load().then(
      (chunk) => {
        loaded = chunk.default;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));

  function Loaded(props: P) {
    const fallback = useContext(Shown);
    const [, setReady] = useState(loaded !== undefined);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useLayoutEffect(() => {
      let here = true;
      if (!loaded) {
        begin().then(
          () => here && setReady(true),
          (error: unknown) => here && setFailure({ error }),
        );
      }
      return () => {
        here = false;
      };
    }, []);
    if (failure) {
      throw failure.error;
    }
    return loaded ? createElement(loaded, props) : fallback;
  }

  return Object.assign(Loaded, { preload: () => void begin().catch(() => undefined) });
}
